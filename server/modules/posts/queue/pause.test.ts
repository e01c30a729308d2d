import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { atOnce } from '../../../../test/at-once.ts'
import { expectStatus, memberOf, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { putInReview } from '../../../../test/posts.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { accountWithTimes, addToQueue, daily, queuedPosts, savePostingTimes } from '../../../../test/queue.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { commitIntent } from '../publishing/publish-intent.ts'
import { publishTargets } from '../publishing/publishing.ts'
import { createStepJournal, Superseded } from '../publishing/step-journal.ts'

const t = await testApp()
const HOUR = 3600_000
let owner: WorkspaceOwner
beforeEach(async () => {
  owner = await withWorkspace(t)
})

const everyHour = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)

const queuePath = (account: string) => `/api/v1/accounts/${account}/queue`
const pause = async (account: string) => expectStatus(await owner.post(`${queuePath(account)}/pause`), 200).body
const resume = async (account: string) => expectStatus(await owner.post(`${queuePath(account)}/resume`), 200).body
const queueOf = async (account: string) => expectStatus(await owner.get(queuePath(account)), 200).body
const read = async (id: string | undefined) => expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body
const added = async (accounts: string[], body: object = {}) =>
  expectStatus(await addToQueue(owner, accounts, body), 201).body
const timeOf = async (id: string | undefined): Promise<string> => (await read(id)).scheduled_at

/** Advances to a little after a time, and runs what is due. */
async function pass(time: string) {
  t.advance(Date.parse(time) - t.clock.now().getTime() + 1000)
  await t.runJobs()
}
const sentOn = async (account: string) =>
  (await t.deps.db.selectFrom('playground_post').select('content').where('account_id', '=', account).execute()).map(
    ({ content }) => content,
  )
const eventsOf = async (type: string) => (await owner.get(`/api/v1/events?type=${type}&limit=100`)).body.data

describe('pausing a queue', () => {
  test('its posts wait, one with a time of its own goes out, and the account and the queue show it', async () => {
    const { account, posts } = await queuedPosts(owner, 3)
    const first = await timeOf(posts[0])
    const fixed = expectStatus(
      await owner.post('/api/v1/posts', { content: 'By hand', account_ids: [account], scheduled_at: first }),
      201,
    ).body
    const paused = await pause(account)
    expect(paused).toMatchObject({ paused_at: t.clock.now().toISOString(), waiting: 3 })
    expect((await owner.get(`/api/v1/accounts/${account}`)).body).toMatchObject({ queue_paused: true, paused: false })
    await pass(first)
    expect(await sentOn(account)).toEqual(['By hand'])
    expect((await read(fixed.id)).status).toBe('published')
    for (const id of posts) expect(await read(id)).toMatchObject({ status: 'scheduled', held: 'queue_paused' })
    const { data, waiting } = await queueOf(account)
    expect(waiting).toBe(3)
    expect(data[0]).toMatchObject({ time: first, queued: true, post: { id: posts[0], held: 'queue_paused' } })
    const listed = (await owner.get(`/api/v1/posts?held=queue_paused&account_id=${account}`)).body.data
    expect(listed.length).toBe(3)
    expect((await owner.get('/api/v1/posts/counts')).body.held).toBe(0)
  })

  test('it is announced and logged once, with the number of posts', async () => {
    const { account, posts } = await queuedPosts(owner, 2)
    await pause(account)
    expect(await pause(account)).toMatchObject({ waiting: 2 })
    const ofAccount = async (type: string) =>
      (await eventsOf(type)).filter((event: { data: { account: { id: string } } }) => event.data.account.id === account)
    expect(await ofAccount('account.queue_paused')).toMatchObject([
      { data: { posts: 2, account: { queue_paused: true } } },
    ])
    const held = (await eventsOf('post.held')).filter((event: { data: { post: { id: string } } }) =>
      posts.includes(event.data.post.id),
    )
    expect(held.length).toBe(2)
    await resume(account)
    await resume(account)
    expect(await ofAccount('account.queue_resumed')).toMatchObject([{ data: { posts: 2 } }])
    for (const action of ['account.queue_paused', 'account.queue_resumed']) {
      const { data } = (await owner.get(`/api/v1/workspace/audit-log?action=${action}`)).body
      const entries = data.filter(({ target_id }: { target_id: string }) => target_id === account)
      expect(entries).toMatchObject([{ details: { posts: 2 } }])
    }
  })

  test('posts that are added, approved or moved while it is paused wait too', async () => {
    const { account, posts } = await queuedPosts(owner, 2)
    await pause(account)
    expect(await added([account])).toMatchObject({ status: 'scheduled', held: 'queue_paused' })
    const draft = expectStatus(
      await owner.post('/api/v1/posts', { content: 'Draft', account_ids: [account] }),
      201,
    ).body
    const queued = expectStatus(await owner.patch(`/api/v1/posts/${draft.id}`, { queue: 'next' }), 200).body
    expect(queued.held).toBe('queue_paused')

    const asked = expectStatus(
      await owner.post('/api/v1/posts', { content: 'Asked', account_ids: [account] }),
      201,
    ).body
    await putInReview(t, asked.id)
    expectStatus(await owner.patch(`/api/v1/posts/${asked.id}`, { queue: 'next' }), 200)
    const approved = expectStatus(await owner.post(`/api/v1/posts/${asked.id}/approve`, {}), 200).body
    expect(approved).toMatchObject({ status: 'scheduled', held: 'queue_paused' })

    const [a, b] = posts
    await pass(await timeOf(a))
    expectStatus(await owner.post(`${queuePath(account)}/move`, { post_id: b, before: a }), 200)
    expect(await read(b)).toMatchObject({ held: 'queue_paused' })
    const { waiting, data } = await queueOf(account)
    expect(waiting).toBe(5)
    expect(data.slice(0, 2).map(({ post }: { post: { id: string } }) => post.id)).toEqual([b, a])
    await pass(approved.scheduled_at)
    expect(await sentOn(account)).toEqual([])
  })

  test('a waiting post can be published now, get a time of its own, become a draft, or be deleted and restored', async () => {
    const { account, posts } = await queuedPosts(owner, 4)
    const [a, b, c, d] = posts.map((id) => `/api/v1/posts/${id}`)
    await pause(account)
    const later = new Date(t.clock.now().getTime() + HOUR).toISOString()
    expectStatus(await owner.post(`${a}/publish`), 200)
    expect(expectStatus(await owner.patch(String(b), { scheduled_at: later }), 200).body.held).toBeNull()
    expect(expectStatus(await owner.patch(String(c), { scheduled_at: null }), 200).body.held).toBeNull()
    expectStatus(await owner.delete(String(d)), 204)
    expect(expectStatus(await owner.post(`${d}/restore`), 200).body.held).toBe('queue_paused')
    expectStatus(await owner.delete(String(d)), 204)
    await pass(later)
    expect((await sentOn(account)).sort()).toEqual(['Post 0', 'Post 1'])
    expect(await resume(account)).toMatchObject({ paused_at: null, waiting: 0 })
    expect(expectStatus(await owner.post(`${d}/restore`), 200).body).toMatchObject({ status: 'scheduled', held: null })
    await pass(await timeOf(posts[3]))
    expect((await sentOn(account)).length).toBe(3)
  })

  test('a post on several accounts waits while the queue of one of them is paused', async () => {
    const [first, second] = [await accountWithTimes(owner), await accountWithTimes(owner)]
    const post = await added([first, second])
    await pause(first)
    await pause(second)
    await resume(first)
    expect((await read(post.id)).held).toBe('queue_paused')
    expect(await queueOf(first)).toMatchObject({ paused_at: null, waiting: 1 })
    await resume(second)
    expect(await read(post.id)).toMatchObject({ held: null, scheduled_at: post.scheduled_at })
  })

  test('a waiting post that leaves the paused queue takes a slot that has not passed', async () => {
    const [first, second] = [await accountWithTimes(owner), await accountWithTimes(owner)]
    const post = await added([second, first])
    await pause(first)
    expect((await read(post.id)).held).toBe('queue_paused')
    await pass(post.scheduled_at)
    const changed = expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { account_ids: [second] }), 200).body
    expect(changed.held).toBeNull()
    expect(changed.scheduled_at > t.clock.now().toISOString()).toBe(true)
    const joined = expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { account_ids: [second, first] }), 200)
    expect(joined.body).toMatchObject({ held: 'queue_paused', scheduled_at: changed.scheduled_at })
  })

  test('a corrected post that waits keeps its place, also after its slot has passed', async () => {
    const { account, posts } = await queuedPosts(owner, 2)
    await pause(account)
    const scheduled_at = await timeOf(posts[0])
    await pass(scheduled_at)
    const body = { content: 'Corrected', targets: [{ account_id: account }] }
    const changed = expectStatus(await owner.patch(`/api/v1/posts/${posts[0]}`, body), 200).body
    expect(changed).toMatchObject({ content: 'Corrected', held: 'queue_paused', scheduled_at })
  })

  test('403 for authors, 404 for other workspaces', async () => {
    const account = await accountWithTimes(owner)
    const author = await memberOf(t, owner.workspace_id, 'author')
    const stranger = await withWorkspace(t)
    for (const action of ['pause', 'resume']) {
      expectProblem(await author.post(`${queuePath(account)}/${action}`), 403, 'forbidden_role')
      expectProblem(await stranger.post(`${queuePath(account)}/${action}`), 404, 'not_found')
    }
  })
})

describe('resuming a queue', () => {
  test('before a slot has passed, every post keeps its time', async () => {
    const { account, posts } = await queuedPosts(owner, 3)
    const times = await Promise.all(posts.map(timeOf))
    await pause(account)
    t.advance((Date.parse(times[0] ?? '') - t.clock.now().getTime()) / 2)
    await resume(account)
    expect(await Promise.all(posts.map(timeOf))).toEqual(times)
    for (const time of times) await pass(time)
    expect(await sentOn(account)).toEqual(['Post 0', 'Post 1', 'Post 2'])
  })

  test('posts whose slots have passed get the next free ones, in their order, and none moves to an earlier time', async () => {
    const { account, posts } = await queuedPosts(owner, 5)
    const times = await Promise.all(posts.map(timeOf))
    const [, second = '', third = '', fourth = ''] = times
    await pause(account)
    // Frees the fourth slot, and takes the one after the third with a post of its own time.
    expectStatus(await owner.delete(`/api/v1/posts/${posts[3]}`), 204)
    await pass(second)
    expectStatus(
      await owner.post('/api/v1/posts', { content: 'By hand', account_ids: [account], scheduled_at: fourth }),
      201,
    )
    await resume(account)
    const [a, b, c, e] = [posts[0], posts[1], posts[2], posts[4]]
    const after = await Promise.all([a, b, c, e].map(timeOf))
    expect(after[0]).toBe(third)
    expect(after.toSorted()).toEqual(after)
    expect(new Set([...after, fourth]).size).toBe(5)
    expect(after[1]).toBe(times[4])
    const released = (await eventsOf('post.updated')).filter(
      (event: { data: { change: string; post: { id: string } } }) =>
        event.data.change === 'released' && posts.includes(event.data.post.id),
    )
    expect(released.length).toBe(4)
    for (const time of [...after, fourth].toSorted()) await pass(time)
    expect(await sentOn(account)).toEqual(['Post 0', 'By hand', 'Post 1', 'Post 2', 'Post 4'])
  })

  test('409 while a post needs another slot and there are none, and the queue stays paused', async () => {
    const { account, posts } = await queuedPosts(owner, 1)
    await pause(account)
    await savePostingTimes(owner, account, { timezone: 'UTC', times: [] })
    await pass(await timeOf(posts[0]))
    expectProblem(await owner.post(`${queuePath(account)}/resume`), 409, 'no_posting_times')
    expect(await queueOf(account)).toMatchObject({ waiting: 1 })
    await savePostingTimes(owner, account, { timezone: 'UTC', times: [{ weekday: 'monday', time: '09:00' }] })
    expect(await resume(account)).toMatchObject({ waiting: 0, paused_at: null })
  })

  test('200 posts are moved together, each to its own slot', async () => {
    const account = await accountWithTimes(owner, { timezone: 'UTC', times: daily(...everyHour.slice(0, 14)) })
    const { id } = await added([account])
    await sql`
      with made as (
        insert into post (workspace_id, author_id, content, status, scheduled_at, queued_for)
        select workspace_id, author_id, content || n, status, time, time
        from post, generate_series(1, 199) as n, lateral (select scheduled_at + n * interval '1 minute' as time) as at
        where post.id = ${id}::uuid returning id)
      insert into post_target (post_id, account_id, position) select id, ${account}::uuid, 0 from made`.execute(
      t.deps.db,
    )
    expect(await pause(account)).toMatchObject({ waiting: 200 })
    t.advance(48 * HOUR)
    expect(await resume(account)).toMatchObject({ waiting: 0 })
    const moved = await t.deps.db
      .selectFrom('post')
      .innerJoin('post_target', 'post_target.post_id', 'post.id')
      .select('scheduled_at')
      .where('account_id', '=', account)
      .where('scheduled_at', '>', t.clock.now())
      .where('held', 'is', null)
      .execute()
    expect(new Set(moved.map(({ scheduled_at }) => scheduled_at?.getTime())).size).toBe(200)
  })
})

describe('a pause while posts are due', () => {
  test('nothing is sent once its response has come, and each post goes out once in the end, on two nodes', async () => {
    const other = await testApp({}, { beside: t })
    const account = await accountWithTimes(owner, { timezone: 'UTC', times: daily(...everyHour.slice(0, 14)) })
    const due: string[] = []
    for (let index = 0; index < 6; index++) due.push((await added([account], { content: `Due ${index}` })).id)
    const targets = await t.deps.db
      .selectFrom('post_target')
      .select('id')
      .where('post_id', 'in', due)
      .orderBy('id')
      .execute()
    t.advance(Date.parse(await timeOf(due.at(-1))) - t.clock.now().getTime() + 1000)
    other.advance(t.clock.now().getTime() - other.clock.now().getTime())
    let waiting: string[] = []
    await atOnce(targets.length * 2 + 1, async (index) => {
      const target = targets[index >> 1]
      if (target) return publishTargets(index % 2 ? t.deps : other.deps, { target_id: target.id })
      const { data } = await pause(account)
      waiting = data.flatMap(({ post }: { post: { excerpt: string } | null }) => (post ? [post.excerpt] : []))
    })
    expect((await sentOn(account)).filter((content) => waiting.includes(content))).toEqual([])
    expect((await queueOf(account)).waiting).toBe(waiting.length)
    await resume(account)
    for (const id of due) {
      const { status, scheduled_at } = await read(id)
      if (status === 'scheduled') await pass(scheduled_at)
    }
    expect((await sentOn(account)).toSorted()).toEqual(due.map((_, index) => `Due ${index}`).toSorted())
    await other.close()
  })

  test('pauses, additions and approvals at once leave no post of a paused queue that would go out', async () => {
    const account = await accountWithTimes(owner)
    const asked = await atOnce(7, async () => {
      const { id } = expectStatus(await owner.post('/api/v1/posts', { content: 'A', account_ids: [account] }), 201).body
      await putInReview(t, id)
      expectStatus(await owner.patch(`/api/v1/posts/${id}`, { queue: 'next' }), 200)
      return id
    })
    const responses = await atOnce(19, (index) => {
      if (index === 9) return owner.post(`${queuePath(account)}/pause`)
      return index % 3 === 0
        ? owner.post(`/api/v1/posts/${asked[index / 3]}/approve`, {})
        : addToQueue(owner, [account])
    })
    expect(responses.filter(({ status }) => status >= 300)).toEqual([])
    const unheld = await t.deps.db
      .selectFrom('post')
      .innerJoin('post_target', 'post_target.post_id', 'post.id')
      .select('post.id')
      .where('account_id', '=', account)
      .where('post.status', '=', 'scheduled')
      .where('held', 'is', null)
      .execute()
    expect(unheld).toEqual([])
  })

  test('an attempt that has begun and sent nothing sends nothing more', async () => {
    const { account, posts } = await queuedPosts(owner, 1)
    t.advance(Date.parse(await timeOf(posts[0])) - t.clock.now().getTime() + 1000)
    const [target] = (await read(posts[0])).targets
    const intent = await commitIntent(t.deps, target.id)
    if (!intent) throw new Error('The target is not due.')
    const { step } = createStepJournal(t.deps, intent, undefined)
    expect(await pause(account)).toMatchObject({ waiting: 1 })
    let sent = 0
    const sending = step('post 0', { run: async () => ({ sent: ++sent }), ifLost: 'repeat', part: 0 })
    await expect(sending).rejects.toBeInstanceOf(Superseded)
    expect(sent).toBe(0)
    await resume(account)
    await pass(await timeOf(posts[0]))
    expect(await sentOn(account)).toEqual(['Post 0'])
  })

  test('a post of which a step was sent is finished', async () => {
    const { account, posts } = await queuedPosts(owner, 1)
    t.advance(Date.parse(await timeOf(posts[0])) - t.clock.now().getTime() + 1000)
    const [target] = (await read(posts[0])).targets
    const intent = await commitIntent(t.deps, target.id)
    if (!intent) throw new Error('The target is not due.')
    const { step } = createStepJournal(t.deps, intent, undefined)
    const sending = step('post 0', {
      run: async () => ({ paused: await pause(account) }),
      ifLost: 'repeat',
      part: 0,
    })
    expect((await sending).paused.waiting).toBe(0)
    expect(await read(posts[0])).toMatchObject({ status: 'publishing', held: null })
  })
})

describe('a paused queue whose account is removed', () => {
  const remove = async (account: string) => expectStatus(await owner.delete(`/api/v1/accounts/${account}`), 204)

  test('posts with other accounts go on, those that missed their slot at the next free one', async () => {
    const [gone, other] = [await accountWithTimes(owner), await accountWithTimes(owner)]
    const missed = await added([gone, other], { content: 'Missed' })
    const later = await added([gone, other], { content: 'Later' })
    await pause(gone)
    t.advance(Date.parse(missed.scheduled_at) - t.clock.now().getTime() + 1000)
    await remove(gone)
    const { held, scheduled_at } = await read(missed.id)
    expect(held).toBeNull()
    expect(scheduled_at > t.clock.now().toISOString()).toBe(true)
    const after = await read(later.id)
    expect(after.held).toBeNull()
    expect(after.scheduled_at > scheduled_at).toBe(true)
    await pass(scheduled_at)
    expect(await sentOn(other)).toEqual(['Missed'])
  })

  test('posts of another paused queue go on waiting, and those without a free slot are held as late', async () => {
    const [gone, paused, other] = [
      await accountWithTimes(owner),
      await accountWithTimes(owner),
      await accountWithTimes(owner),
    ]
    const waiting = await added([gone, paused])
    const late = await added([gone, other])
    await pause(gone)
    await pause(paused)
    for (const account of [gone, other]) await savePostingTimes(owner, account, { timezone: 'UTC', times: [] })
    t.advance(Date.parse(late.scheduled_at) - t.clock.now().getTime() + 1000)
    await remove(gone)
    expect(await read(waiting.id)).toMatchObject({ held: 'queue_paused' })
    expect(await read(late.id)).toMatchObject({ held: 'late', status: 'scheduled' })
  })

  test('posts without another account fail at their times, and the account comes back without the pause', async () => {
    const bluesky = await blueskyServer()
    const fields = { network: 'bluesky', service: bluesky.url, ...bluesky.addAccount() }
    const connect = async () => expectStatus(await owner.post('/api/v1/accounts', fields), 201).body
    const { id: account } = await connect()
    await savePostingTimes(owner, account)
    const post = await added([account])
    await pause(account)
    await remove(account)
    expect(await read(post.id)).toMatchObject({ held: null, scheduled_at: post.scheduled_at })
    await pass(post.scheduled_at)
    expect(await read(post.id)).toMatchObject({ status: 'failed' })
    expect(await connect()).toMatchObject({ id: account, queue_paused: false })
    bluesky.close()
  })
})

test('changes of queued posts, moves and a pause at once all succeed', async () => {
  const { account, posts } = await queuedPosts(owner, 6)
  const responses = await atOnce(24, (index) => {
    const id = posts[index % 6]
    if (index % 8 === 7) return owner.post(`${queuePath(account)}/${index === 15 ? 'resume' : 'pause'}`)
    if (index % 3 === 0) return owner.post('/api/v1/posts/reschedule', { posts: [{ id, queue: 'next' }] })
    return owner.patch(`/api/v1/posts/${id}`, { queue: 'next' })
  })
  expect(responses.filter(({ status }) => status >= 300)).toEqual([])
})
