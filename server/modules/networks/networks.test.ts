import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../test/factories.ts'
import { expectProblem } from '../../../test/problem.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const list = async (query = '') => expectStatus(await owner.get(`/api/v1/accounts/networks${query}`), 200).body.data

describe('GET /accounts/networks', () => {
  test('200 lists how each network connects, its limits and its preview', async () => {
    expect(await list()).toMatchObject([
      {
        id: 'playground',
        connect: { kind: 'form' },
        form: [],
        capabilities: { max_length: 5000, max_bytes: null, counting: 'graphemes', max_parts: 25, edit: true },
        preview: { handle_prefix: '@', actions: [] },
      },
      { id: 'linkedin', connect: { kind: 'oauth2' }, form: [] },
      { id: 'linkedin_page' },
      { id: 'x', connect: { kind: 'oauth2' }, capabilities: { counting: 'weighted', max_length: 280 } },
      {
        id: 'bluesky',
        connect: { kind: 'oauth2', available: false, instance: { label: 'Handle' } },
        form: [{ key: 'handle' }, { key: 'app_password', type: 'password' }, { key: 'service' }],
        preview: { layout: 'feed', files: 'grid', link_card: 'large' },
      },
      { id: 'mastodon' },
      { id: 'facebook', connect: { kind: 'oauth2' }, form: [] },
      { id: 'instagram', connect: { kind: 'oauth2' }, capabilities: { media: { required: true } } },
      { id: 'instagram_facebook', connect: { kind: 'oauth2' }, form: [] },
      { id: 'threads', connect: { kind: 'oauth2' }, capabilities: { counting: 'emoji_bytes', max_length: 500 } },
      {
        id: 'telegram',
        form: [
          { key: 'token', type: 'password' },
          { key: 'chat', type: 'text' },
        ],
      },
      { id: 'discord', form: [{ key: 'webhook_url', type: 'password' }] },
      { id: 'slack', form: [{ key: 'webhook_url' }, { key: 'token' }, { key: 'channel' }] },
      { id: 'wordpress' },
      { id: 'http' },
      { id: 'rss' },
    ])
  })

  test('200 gives each icon a size and at least one path', async () => {
    for (const { id, icon } of await list())
      expect([id, icon]).toEqual([
        id,
        {
          view_box: expect.stringMatching(/^(-?[\d.]+ ){3}[\d.]+$/),
          paths: expect.arrayContaining([expect.anything()]),
        },
      ])
  })

  test('200 writes the texts in the language of `locale`, and in English for any other', async () => {
    const labels = async (query: string) => {
      const bluesky = (await list(query)).find(({ id }: { id: string }) => id === 'bluesky')
      return bluesky.form.map(({ label }: { label: string }) => label)
    }
    const english = ['Handle', 'App password', 'Server']
    expect(await labels('')).toEqual(english)
    expect(await labels('?locale=de')).toEqual(english)
    expect(await labels('?locale=tr-TR')).toEqual(['Kullanıcı adı', 'Uygulama parolası', 'Sunucu'])
    const pages = async (query: string) =>
      (await list(query)).find(({ id }: { id: string }) => id === 'linkedin_page').name
    expect([await pages(''), await pages('?locale=tr')]).toEqual(['LinkedIn page', 'LinkedIn sayfası'])
  })

  test('400 refuses an empty `locale`', async () => {
    expectProblem(await owner.get('/api/v1/accounts/networks?locale='), 400, 'validation_failed')
  })
})
