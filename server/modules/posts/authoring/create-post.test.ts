import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, memberOf, playgroundAccount, withToken, withWorkspace } from '../../../../test/factories.ts'
import { waiting } from '../../../../test/people.ts'
import { callerOf, postCalls } from '../../../../test/posts.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { until } from '../../../../test/until.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { disconnectAccount } from '../../accounts/accounts.ts'

const t = await testApp()
const owner = await withWorkspace(t)
const account = await playgroundAccount(owner)

const { create, created, inMinutes } = postCalls(() => ({ t, owner, account }))

describe('POST /posts', () => {
  test('201 stores spellings of one label once, composed and trimmed, and finds the post by any of them', async () => {
    const labels = ['çay', 'c\u0327ay', 'çay ', 'Çay', 'Işık', 'IŞIK']
    const post = await created({ content: 'Tea', labels })
    expect(post.labels).toEqual(['çay', 'Işık'])
    const { data } = expectStatus(await owner.get(`/api/v1/posts?label=${encodeURIComponent('c\u0327ay')}`), 200).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual([post.id])
  })

  test('201 creates a draft without an account or a text', async () => {
    const post = await created({ content: '', labels: ['idea'] })
    expect(post).toMatchObject({
      status: 'draft',
      scheduled_at: null,
      targets: [],
      labels: ['idea'],
      author_id: owner.id,
    })
    expect(post.warnings).toEqual([
      { pointer: '/targets', message: 'Choose at least one account.', translations: { tr: 'En az bir hesap seçin.' } },
    ])
  })

  test('201 creates a draft that is too long, with a warning', async () => {
    const post = await created({ content: 'x'.repeat(5001), account_ids: [account] })
    expect(post.warnings).toMatchObject([
      { pointer: '/content', message: 'Playground allows at most 5000 characters; this text has 5001.' },
    ])
  })

  test('201 counts characters as readers see them', async () => {
    expect((await created({ content: '👨‍👩‍👧‍👦'.repeat(5000), account_ids: [account] })).warnings).toEqual([])
  })

  test('201 returns a time with an offset in UTC', async () => {
    const scheduled_at = inMinutes(60).replace('Z', '+00:00')
    const post = await created({ scheduled_at, account_ids: [account] })
    expect(post).toMatchObject({
      status: 'scheduled',
      scheduled_at: new Date(scheduled_at).toISOString(),
      warnings: [],
    })
  })

  test('201 accepts a time less than a minute ago as now', async () => {
    expect((await created({ scheduled_at: inMinutes(-0.9), account_ids: [account] })).status).toBe('scheduled')
  })

  const id = '01a1fc38-46b0-733e-b506-dd1c233cfde5'
  test.each<[object, string]>([
    [{ content: 7 }, '/content'],
    [{ content: 'x'.repeat(65_537) }, '/content'],
    [{ content: 'a\u0000b' }, '/content'],
    [{ content: 'a\ud800b' }, '/content'],
    [{ content: ' ', publish_now: true, account_ids: ['ACCOUNT'] }, '/content'],
    [{ content: 'x'.repeat(5001), publish_now: true, account_ids: ['ACCOUNT'] }, '/content'],
    [{ publish_now: true }, '/targets'],
    [{ publish_now: true, account_ids: [] }, '/account_ids'],
    [{ account_ids: [id] }, '/account_ids/0'],
    [{ account_ids: ['ACCOUNT', id] }, '/account_ids/1'],
    [{ account_ids: ['not-an-id'] }, '/account_ids/0'],
    [{ targets: [{ account_id: id }] }, '/targets/0/account_id'],
    [{ targets: [{ account_id: 'ACCOUNT' }, { account_id: 'ACCOUNT' }] }, '/targets/1/account_id'],
    [{ targets: [{ account_id: 'ACCOUNT', content: 'x'.repeat(5001) }], publish_now: true }, '/targets/0/content'],
    [{ targets: [{ account_id: 'ACCOUNT', options: { colour: 'red' } }] }, '/targets/0/options/colour'],
    [{ targets: [{ account_id: 'ACCOUNT', tone: 'x' }] }, '/targets/0/tone'],
    [{ targets: [{ account_id: 'ACCOUNT' }], account_ids: ['ACCOUNT'] }, '/targets'],
    [{ account_ids: ['ACCOUNT'], scheduled_at: '2020-01-01T00:00:00Z' }, '/scheduled_at'],
    [{ account_ids: ['ACCOUNT'], scheduled_at: '9999-12-31T23:59:59Z' }, '/scheduled_at'],
    [{ account_ids: ['ACCOUNT'], scheduled_at: '+99999-01-01T00:00:00Z' }, '/scheduled_at'],
    [{ account_ids: ['ACCOUNT'], scheduled_at: '2030-02-30' }, '/scheduled_at'],
    [{ account_ids: ['ACCOUNT'], scheduled_at: '2099-01-01T00:00:00Z', publish_now: true }, '/publish_now'],
    [{ labels: ['a', 'a'] }, '/labels'],
    [{ labels: ['a', ' '] }, '/labels/1'],
    [{ labels: ['a\nb'] }, '/labels/0'],
    [{ labels: ['a\u200bb'] }, '/labels/0'],
    [{ images: [] }, '/images'],
  ])('400 for %j, with the pointer %s', async (body, pointer) => {
    const filled = JSON.parse(JSON.stringify(body).replaceAll('ACCOUNT', account))
    expectProblem(await create(filled), 400, 'validation_failed', pointer)
  })

  test('400 for an account that is listed twice in different letter case', async () => {
    const twice = [account, account.toUpperCase()]
    expectProblem(await create({ account_ids: twice }), 400, 'validation_failed', '/account_ids/1')
    const targets = twice.map((account_id) => ({ account_id }))
    expectProblem(await create({ targets }), 400, 'validation_failed', '/targets/1/account_id')
    expect((await created({ account_ids: twice.slice(1) })).targets).toMatchObject([{ account_id: account }])
  })

  test('400 read_only for a field that only publishing sets', async () => {
    expectProblem(await create({ status: 'published' }), 400, 'read_only', '/status')
  })

  test('400 when the texts for many accounts together exceed the size of an event', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, () => playgroundAccount(owner)))
    const targets = accounts.map((account_id) => ({ account_id, content: 'x'.repeat(65_000) }))
    expectProblem(await create({ targets }), 400, 'validation_failed', '/content')
  })

  test('400 for an account that is being disconnected', async () => {
    const gone = await playgroundAccount(owner)
    const { response } = await inTransaction(t.deps.db, async (tx) => {
      await disconnectAccount({ ...t.deps, db: tx }, callerOf(owner), gone)
      const response = create({ content: 'Hello', account_ids: [gone], scheduled_at: inMinutes(5) })
      await until(async () => expect(await waiting(t)).toBe(1))
      return { response }
    })
    expectProblem(await response, 400, 'validation_failed')
  })

  test('400 for an account of another workspace, as for an unknown one', async () => {
    const other = await withWorkspace(t)
    expectProblem(await create({ account_ids: [account] }, other), 400, 'validation_failed', '/account_ids/0')
  })

  test('403 for viewers and for tokens that may only read', async () => {
    expectProblem(await create({}, await memberOf(t, owner.workspace_id, 'viewer')), 403, 'forbidden_role')
    const reader = await withToken(t, owner, ['posts:read'])
    expectProblem(await reader.post('/api/v1/public/posts', { content: 'x' }), 403, 'insufficient_scope')
  })
})
