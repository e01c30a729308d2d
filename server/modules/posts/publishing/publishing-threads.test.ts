import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { advance, publishNow, read, SECOND, withBluesky } from './publishing.fixture.ts'

const t = await testApp()
const bluesky = await blueskyServer()
afterAll(() => bluesky.close())

const thread = [{ content: 'Two' }, { content: 'Three' }]

/** The records of an account, with the text that each replies to. */
function recordsOf(since: number) {
  const records = [...bluesky.records.values()].slice(since)
  const textOf = (uri: unknown) => records.find((record) => record.uri === uri)?.value.text
  return records.map(({ value }) => {
    const reply = value.reply as { root: { uri: string }; parent: { uri: string } } | undefined
    return [value.text, textOf(reply?.root.uri), textOf(reply?.parent.uri)]
  })
}
const whole = [
  ['Hello', undefined, undefined],
  ['Two', 'Hello', 'Hello'],
  ['Three', 'Hello', 'Two'],
]

describe('threads', () => {
  test('each part is published in reply to the one before, below the post', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const before = bluesky.records.size
    const post = await publishNow(owner, { account_ids: [account], thread })
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({
      status: 'published',
      thread,
      targets: [{ published_parts: 3, url: expect.stringContaining('bsky.app') }],
    })
    expect(recordsOf(before)).toEqual(whole)
  })

  test('a thread that broke in the middle is partially published, and a retry goes on where it broke', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const before = bluesky.records.size
    bluesky.failNext('none', { kind: 'response', status: 400, error: 'InvalidRequest' })
    const post = await publishNow(owner, { account_ids: [account], thread })
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({
      status: 'partially_published',
      targets: [{ status: 'failed', published_parts: 1, error_code: 'rejected_by_network' }],
    })
    expectStatus(await owner.post(`/api/v1/posts/${post.id}/retry`), 200)
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({ status: 'published', targets: [{ published_parts: 3 }] })
    expect(recordsOf(before)).toEqual(whole)
  })

  test.each([true, false])(
    'a part whose response was lost is looked up, and the thread is whole in the end (arrived: %s)',
    async (arrives) => {
      const { owner, account } = await withBluesky(t, bluesky)
      const before = bluesky.records.size
      bluesky.failNext('none', { kind: 'hang_up', arrives })
      const post = await publishNow(owner, { account_ids: [account], thread })
      await t.runJobs()
      await advance(t, 5 * SECOND)
      expect(await read(owner, post)).toMatchObject({ status: 'published', targets: [{ published_parts: 3 }] })
      expect(recordsOf(before)).toEqual(whole)
    },
  )

  test('a target has a thread and a first comment of its own, or those of the post', async () => {
    const owner = await withWorkspace(t)
    const [one, two] = [await playgroundAccount(owner), await playgroundAccount(owner)]
    const own = { thread: [{ content: 'Mine' }], first_comment: 'Own comment' }
    await publishNow(owner, {
      targets: [{ account_id: one }, { account_id: two, ...own }],
      thread,
      first_comment: 'Comment',
    })
    await t.runJobs()
    const { data } = (await owner.get('/api/v1/playground')).body
    const textsOf = (account: string) =>
      data
        .filter(({ account_id }: { account_id: string }) => account_id === account)
        .map(({ content }: { content: string }) => content)
        .reverse()
    expect(textsOf(one)).toEqual(['Hello', 'Two', 'Three', 'Comment'])
    expect(textsOf(two)).toEqual(['Hello', 'Mine', 'Own comment'])
  })

  test('400 points to the part that the network does not take, and to a first comment where it has none', async () => {
    const { owner, account } = await withBluesky(t, bluesky)
    const post = { content: 'x', account_ids: [account], publish_now: true }
    const long = [{ content: 'x' }, { content: 'x'.repeat(301) }]
    const createPost = (fields: object) => owner.post('/api/v1/posts', { ...post, ...fields })
    expectProblem(await createPost({ thread: long }), 400, 'validation_failed', '/thread/1/content')
    expectProblem(await createPost({ thread: [{ content: ' ' }] }), 400, 'validation_failed', '/thread/0/content')
    expectProblem(await createPost({ first_comment: 'Me' }), 400, 'validation_failed', '/first_comment')
    const target = { account_id: account, thread: long }
    const response = await owner.post('/api/v1/posts', { content: 'x', targets: [target], publish_now: true })
    expectProblem(response, 400, 'validation_failed', '/targets/0/thread/1/content')
  })
})
