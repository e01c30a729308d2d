import { describe, expect, test } from 'vitest'
import { HOUR } from '../../../../shared/time.ts'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../../../../test/factories.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { withBluesky } from '../publishing/publishing.fixture.ts'

const t = await testApp()

describe('POST /posts/validate', () => {
  test('200 lists every problem with its field and counts each text as its network does, and keeps nothing', async () => {
    const bluesky = await blueskyServer()
    const { owner, account } = await withBluesky(t, bluesky)
    const { body } = expectStatus(
      await owner.post('/api/v1/posts/validate', {
        content: '👨‍👩‍👧'.repeat(2),
        thread: [{ content: 'x'.repeat(301) }],
        first_comment: 'Me',
        targets: [{ account_id: account }, { account_id: await playgroundAccount(owner), content: ' ' }],
      }),
      200,
    )
    expect(body.problems.map(({ pointer, code }: Record<string, string>) => [pointer, code])).toEqual([
      ['/thread/0/content', 'too_long'],
      ['/first_comment', 'invalid'],
      ['/targets/1/content', 'too_short'],
    ])
    expect(body.targets[0].parts).toEqual([
      { length: 2, max_length: 300 },
      { length: 301, max_length: 300 },
    ])
    expect((await owner.get('/api/v1/posts')).body.data).toEqual([])
    bluesky.close()
  })

  test.each(['\u200b', '\ufe0f \u00ad', '\u2800'])(
    '200 takes the text %j, which nobody sees, for none',
    async (content) => {
      const owner = await withWorkspace(t)
      const account_ids = [await playgroundAccount(owner)]
      const { body } = expectStatus(await owner.post('/api/v1/posts/validate', { content, account_ids }), 200)
      expect(body.problems).toMatchObject([{ code: 'too_short' }])
    },
  )

  test('400 of creating and of changing a post lists the same problems, and writes nothing', async () => {
    const owner = await withWorkspace(t)
    const [first, second] = [await playgroundAccount(owner), await playgroundAccount(owner)]
    const unfit = {
      content: 'x'.repeat(5001),
      targets: [{ account_id: first }, { account_id: second, content: ' ', thread: [{ content: 'y'.repeat(5001) }] }],
    }
    const { problems } = expectStatus(await owner.post('/api/v1/posts/validate', unfit), 200).body
    expect(problems.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/content',
      '/targets/1/content',
      '/targets/1/thread/0/content',
    ])
    const body = { content: 'Simit', account_ids: [first], labels: ['bakery'] }
    const draft = expectStatus(await owner.post('/api/v1/posts', body), 201).body
    const scheduled = { ...unfit, scheduled_at: new Date(t.clock.now().getTime() + HOUR).toISOString() }
    expect(expectStatus(await owner.post('/api/v1/posts', scheduled), 400).body.errors).toEqual(problems)
    expect(expectStatus(await owner.patch(`/api/v1/posts/${draft.id}`, scheduled), 400).body.errors).toEqual(problems)
    expect((await owner.get('/api/v1/posts')).body.data).toEqual([draft])
  })

  test('200 lists an account that does not exist', async () => {
    const owner = await withWorkspace(t)
    const stranger = await playgroundAccount(await withWorkspace(t))
    const { body } = expectStatus(
      await owner.post('/api/v1/posts/validate', { content: 'x', account_ids: [stranger] }),
      200,
    )
    expect(body).toMatchObject({ problems: [{ pointer: '/account_ids/0' }], targets: [] })
  })
})
