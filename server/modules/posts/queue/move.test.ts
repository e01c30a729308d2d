import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { atOnce } from '../../../../test/at-once.ts'
import { expectStatus, memberOf, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { accountWithTimes, addToQueue, queuedPosts } from '../../../../test/queue.ts'

const t = await testApp()
const owner = await withWorkspace(t)

type Entry = { time: string; post: { id: string } | null }
const move = (account: string, post_id: string | undefined, before: string | null | undefined, person = owner) =>
  person.post(`/api/v1/accounts/${account}/queue/move`, { post_id, before })
const orderOf = async (account: string) => {
  const { data } = expectStatus(await owner.get(`/api/v1/accounts/${account}/queue`), 200).body
  const taken: Entry[] = data.filter(({ post }: Entry) => post)
  return { ids: taken.map(({ post }) => post?.id), times: taken.map(({ time }) => time) }
}

describe('moving a post within the queue', () => {
  test('it takes the time of its new place, the posts in between move by one, and each is announced', async () => {
    const { account, posts } = await queuedPosts(owner, 4)
    const [a, b, c, d] = posts
    const { times } = await orderOf(account)
    const moved = expectStatus(await move(account, d, b), 200).body
    expect(moved.data.slice(0, 4).map(({ post }: Entry) => post?.id)).toEqual([a, d, b, c])
    expect(await orderOf(account)).toEqual({ ids: [a, d, b, c], times })
    expectStatus(await move(account, a, null), 200)
    expect(await orderOf(account)).toEqual({ ids: [d, b, c, a], times })
    const { data } = (await owner.get('/api/v1/events?type=post.updated&limit=100')).body
    const announced = data.filter((event: { data: { post: { id: string } } }) => event.data.post.id === d)
    expect(announced.length).toBe(2)
    expect(announced.at(-1).data).toMatchObject({ change: 'edited', post: { scheduled_at: times[0] } })
  })

  test('the posts are published at their new times', async () => {
    const { account, posts } = await queuedPosts(owner, 2)
    const [a = '', b = ''] = posts
    const { times } = await orderOf(account)
    expectStatus(await move(account, b, a), 200)
    await t.advance(Date.parse(times[0] ?? '') - t.clock.now().getTime() + 1000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${b}`)).body.status).toBe('published')
    expect((await owner.get(`/api/v1/posts/${a}`)).body.status).toBe('scheduled')
    expectProblem(await move(account, b, a), 400, 'validation_failed', '/post_id')
  })

  test('moves and additions at once leave every post with its own slot', async () => {
    const { account, posts } = await queuedPosts(owner, 8)
    const responses = await atOnce(24, (index) =>
      index % 3 === 0 ? addToQueue(owner, [account]) : move(account, posts[index % 8], posts[(index + 3) % 8]),
    )
    expect(responses.filter(({ status }) => status >= 300)).toEqual([])
    const { ids, times } = await orderOf(account)
    expect(new Set(ids).size).toBe(16)
    expect(new Set(times).size).toBe(16)
  })

  test('409 when it would share its time with a post on another of its accounts', async () => {
    const [first, second] = [await accountWithTimes(owner), await accountWithTimes(owner)]
    const add = async (accounts: string[], body: object = {}) =>
      expectStatus(await addToQueue(owner, accounts, body), 201).body
    const alone = await add([first])
    const both = await add([first, second])
    await add([second])
    const problem = expectProblem(await move(first, both.id, alone.id), 409, 'slot_taken')
    expect(problem.detail).toContain('other accounts')
    expect((await owner.get(`/api/v1/posts/${both.id}`)).body.scheduled_at).toBe(both.scheduled_at)
  })

  test('a post that missed its slot while it waits for another queue keeps it, and no post takes it', async () => {
    const [first, second] = [await accountWithTimes(owner), await accountWithTimes(owner)]
    const missed = expectStatus(await addToQueue(owner, [first, second]), 201).body
    expectStatus(await owner.post(`/api/v1/accounts/${second}/queue/pause`), 200)
    t.advance(3 * 86_400_000)
    const post = expectStatus(await addToQueue(owner, [first]), 201).body
    expectProblem(await move(first, post.id, missed.id), 400, 'validation_failed', '/before')
    expectProblem(await move(first, missed.id, post.id), 400, 'validation_failed', '/post_id')
    await t.runJobs()
    for (const { id, scheduled_at } of [missed, post])
      expect((await owner.get(`/api/v1/posts/${id}`)).body).toMatchObject({ status: 'scheduled', scheduled_at })
  })

  test('400 for posts that are not in the queue, also for one that was scheduled by hand', async () => {
    const { account, posts } = await queuedPosts(owner, 2)
    const [a, b] = posts
    const other = await queuedPosts(owner, 1)
    expectProblem(await move(account, other.posts[0], a), 400, 'validation_failed', '/post_id')
    expectProblem(await move(account, a, other.posts[0]), 400, 'validation_failed', '/before')
    expectProblem(await move(account, a, a), 400, 'validation_failed', '/before')
    const scheduled_at = new Date(t.clock.now().getTime() + 9 * 86_400_000).toISOString()
    expectStatus(await owner.patch(`/api/v1/posts/${b}`, { scheduled_at }), 200)
    expectProblem(await move(account, b, a), 400, 'validation_failed', '/post_id')
  })

  test('403 for authors, 404 for other workspaces', async () => {
    const { account, posts } = await queuedPosts(owner, 2)
    const author = await memberOf(t, owner.workspace_id, 'author')
    expectProblem(await move(account, posts[1], posts[0], author), 403, 'forbidden_role')
    const stranger = await withWorkspace(t)
    expectProblem(await move(account, posts[1], posts[0], stranger), 404, 'not_found')
  })
})
