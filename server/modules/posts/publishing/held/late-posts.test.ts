import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../../test/app.ts'
import { atOnce } from '../../../../../test/at-once.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../../../test/factories.ts'
import { latePost, passOutage, schedulePost } from '../../../../../test/outages.ts'
import { mailsTo } from '../../../../../test/people.ts'
import { addToQueue, savePostingTimes } from '../../../../../test/queue.ts'
import { blueskyServer } from '../../../../../test/stand-ins/bluesky.ts'
import { eventsOf, HOUR, read, SECOND, withBluesky } from '../publishing.fixture.ts'
import { requeueStuckTargets } from '../publishing.ts'

const MINUTE = 60 * SECOND

const t = await testApp()
const admin = await signedIn(t, { instanceAdmin: true })

const later = () => new Date(t.clock.now().getTime() + HOUR).toISOString()
const allow = async (minutes: number) =>
  expectStatus(await admin.put('/api/v1/options/posts.publish_late_minutes', { value: minutes }), 200)

describe('a post that was due while no node ran', () => {
  test('is published when no node ran for as long as allowed at most', async () => {
    const owner = await withWorkspace(t)
    const post = await schedulePost(t, owner, MINUTE)
    await passOutage(t, 61 * MINUTE)
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({ status: 'published', held: null })
  })

  test('is held when none ran for longer, with an event and an audit entry', async () => {
    const owner = await withWorkspace(t)
    const post = await latePost(t, owner)
    expect(await read(owner, post)).toMatchObject({
      status: 'scheduled',
      held: 'late',
      scheduled_at: post.scheduled_at,
    })
    const held = (await eventsOf(t, owner)).filter(({ type }) => type === 'post.held')
    expect(held).toMatchObject([{ data: { post: { id: post.id, status: 'scheduled', held: 'late' } } }])
    const log = '/api/v1/workspace/audit-log?action=post.held'
    expect(expectStatus(await owner.get(log), 200).body.data).toMatchObject([
      { target_id: post.id, actor: null, details: { reason: 'late', scheduled_at: post.scheduled_at } },
    ])
    // Nothing begins an attempt at it.
    t.advance(HOUR)
    expect(await requeueStuckTargets(t.deps.db, t.clock.now())).toBe(0)
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({ held: 'late', targets: [{ attempts: 0 }] })
  })

  test('is held after several short outages that are too long together', async () => {
    const owner = await withWorkspace(t)
    const post = await schedulePost(t, owner, MINUTE)
    await passOutage(t, 41 * MINUTE)
    t.advance(MINUTE)
    await passOutage(t, 30 * MINUTE)
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({ held: 'late' })
  })

  test('is held or not by the option', async () => {
    const owner = await withWorkspace(t)
    await allow(300)
    const [patient, strict] = [await latePost(t, owner), await schedulePost(t, owner, MINUTE)]
    expect(await read(owner, patient)).toMatchObject({ status: 'published' })
    await allow(0)
    await passOutage(t, 2 * MINUTE)
    await t.runJobs()
    expect(await read(owner, strict)).toMatchObject({ held: 'late' })
    const option = '/api/v1/options/posts.publish_late_minutes'
    expectStatus(await admin.put(option, { value: 10_081 }), 400)
    expectStatus(await admin.delete(option), 204)
  })

  test('is held like any other when the queue or a recurring post chose its time', async () => {
    const owner = await withWorkspace(t)
    const account = await playgroundAccount(owner)
    const weekday = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ')
    const times = weekday.map((weekday) => ({ weekday, time: '09:30' }))
    await savePostingTimes(owner, account, { timezone: 'UTC', times })
    const queued = expectStatus(await addToQueue(owner, [account]), 201).body
    t.advance(Date.parse(queued.scheduled_at) - t.clock.now().getTime() - MINUTE)
    await passOutage(t, 2 * HOUR)
    await t.runJobs()
    expect(await read(owner, queued)).toMatchObject({ held: 'late' })
  })
})

describe('is not held', () => {
  test('a post that waits long while nodes run: behind other posts, or until a network allows it', async () => {
    const owner = await withWorkspace(t)
    const account = await playgroundAccount(owner)
    const slow = await schedulePost(t, owner, MINUTE, { account_ids: [account] })
    t.advance(10 * HOUR)
    await t.runJobs()
    expect(await read(owner, slow)).toMatchObject({ status: 'published' })

    const limited = await schedulePost(t, owner, MINUTE, { account_ids: [account] })
    const held_until = new Date(t.clock.now().getTime() + 5 * HOUR)
    await t.deps.db.updateTable('account').set({ held_until }).where('id', '=', account).execute()
    t.advance(2 * MINUTE)
    await t.runJobs()
    await passOutage(t, 3 * HOUR)
    t.advance(3 * HOUR)
    await t.runJobs()
    expect(await read(owner, limited)).toMatchObject({ status: 'published' })
  })

  test('a post whose attempts began in time, however long its network is away', async () => {
    const bluesky = await blueskyServer()
    const { owner, account } = await withBluesky(t, bluesky)
    bluesky.failNext({ kind: 'response', status: 503 }, { kind: 'response', status: 503 })
    const post = await schedulePost(t, owner, MINUTE, { account_ids: [account] })
    t.advance(2 * MINUTE)
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({ status: 'publishing' })
    t.advance(90 * MINUTE)
    await t.runJobs()
    await passOutage(t, 50 * MINUTE)
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({ status: 'published', held: null })
    bluesky.close()
  })
})

test('a post that was to be published at once is held as well', async () => {
  const owner = await withWorkspace(t)
  const account_ids = [await playgroundAccount(owner)]
  const now = { content: 'Now', account_ids, publish_now: true }
  const created = expectStatus(await owner.post('/api/v1/posts', now), 201).body
  const draft = expectStatus(await owner.post('/api/v1/posts', { content: 'Now', account_ids }), 201).body
  expectStatus(await owner.post(`/api/v1/posts/${draft.id}/publish`), 200)
  await passOutage(t, 3 * HOUR)
  await t.runJobs()
  for (const post of [created, draft])
    expect(await read(owner, post)).toMatchObject({ status: 'scheduled', held: 'late' })
})

test('an attempt that an outage cut off fails as late, and is not repeated before a person retries', async () => {
  const bluesky = await blueskyServer()
  const { owner, account } = await withBluesky(t, bluesky)
  bluesky.failNext({ kind: 'response', status: 503 })
  const post = await schedulePost(t, owner, MINUTE, { account_ids: [account] })
  t.advance(2 * MINUTE)
  await t.runJobs()
  const calls = bluesky.count('putRecord')
  await passOutage(t, 3 * HOUR)
  await t.runJobs()
  expect(await read(owner, post)).toMatchObject({ status: 'failed', targets: [{ error_code: 'late' }] })
  expect(bluesky.count('putRecord')).toBe(calls)
  expectStatus(await owner.post(`/api/v1/posts/${post.id}/retry`), 200)
  await t.runJobs()
  expect(await read(owner, post)).toMatchObject({ status: 'published' })
  bluesky.close()
})

describe('a held post', () => {
  const changes: Record<string, [(owner: WorkspaceOwner, path: string) => Promise<{ status: number }>, object]> = {
    'is published by `publish`': [(owner, path) => owner.post(`${path}/publish`), { status: 'published' }],
    'is scheduled for another time': [
      (owner, path) => owner.patch(path, { scheduled_at: later() }),
      { status: 'scheduled' },
    ],
    'becomes a draft': [
      (owner, path) => owner.patch(path, { scheduled_at: null }),
      { status: 'draft', scheduled_at: null },
    ],
  }
  test.each(Object.entries(changes))('%s', async (_, [change, expected]) => {
    const owner = await withWorkspace(t)
    const post = await latePost(t, owner)
    expect((await change(owner, `/api/v1/posts/${post.id}`)).status).toBe(200)
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({ ...expected, held: null })
  })

  test('stays held while only its content changes, and is published once when its time is changed', async () => {
    const owner = await withWorkspace(t)
    const post = await latePost(t, owner)
    const path = `/api/v1/posts/${post.id}`
    expect(expectStatus(await owner.patch(path, { content: 'Still late' }), 200).body).toMatchObject({ held: 'late' })
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({ status: 'scheduled', held: 'late' })
    expectStatus(await owner.patch(path, { scheduled_at: later() }), 200)
    t.advance(HOUR)
    await t.runJobs()
    expect(await read(owner, post)).toMatchObject({ status: 'published', targets: [{ attempts: 1 }] })
  })

  test('is deleted, and restored as a draft', async () => {
    const owner = await withWorkspace(t)
    const post = await latePost(t, owner)
    expectStatus(await owner.delete(`/api/v1/posts/${post.id}`), 204)
    const { body } = expectStatus(await owner.post(`/api/v1/posts/${post.id}/restore`), 200)
    expect(body).toMatchObject({ status: 'draft', held: null })
  })

  test('is listed and counted, in one workspace alone', async () => {
    const [owner, other] = [await withWorkspace(t), await withWorkspace(t)]
    const account_ids = [await playgroundAccount(owner)]
    const early = await schedulePost(t, owner, MINUTE, { account_ids })
    const post = await latePost(t, owner, { account_ids, labels: ['spring'] })
    const idsOf = async (query: string) =>
      expectStatus(await owner.get(`/api/v1/posts${query}`), 200).body.data.map(({ id }: { id: string }) => id)
    expect(await idsOf('?held=late')).toEqual([post.id, early.id])
    expect(await idsOf('?held=late&label=spring')).toEqual([post.id])
    expect(await idsOf(`?held=late&account_id=${account_ids[0]}&limit=1`)).toEqual([post.id])
    expect(await idsOf('?held=late&review=pending')).toEqual([])
    expect(await idsOf('?held=late&status=draft')).toEqual([])
    expect(await idsOf('/summaries?held=late')).toEqual([post.id, early.id])
    expectStatus(await owner.get('/api/v1/posts?held=early'), 400)
    expect((await owner.get('/api/v1/posts/counts')).body).toMatchObject({ held: 2 })
    expect((await other.get('/api/v1/posts?held=late')).body.data).toEqual([])
    expect((await other.get('/api/v1/posts/counts')).body).toMatchObject({ held: 0 })
  })
})

test('all late posts of a workspace are held together, and its editors get one mail', async () => {
  const owner = await withWorkspace(t)
  const editor = await memberOf(t, owner.workspace_id, 'editor')
  const author = await memberOf(t, owner.workspace_id, 'author')
  const account_ids = [await playgroundAccount(owner), await playgroundAccount(owner)]
  for (let index = 0; index < 7; index++)
    await schedulePost(t, owner, MINUTE, { account_ids: [account_ids[index % 2]], content: `Post ${index}` })
  await passOutage(t, 3 * HOUR)
  await t.runJobs()
  t.advance(2 * MINUTE)
  await t.runJobs()
  const heldMails = async (to: { email: string }) =>
    (await mailsTo(t, to.email)).filter(({ key }) => key === 'posts-held')
  for (const reader of [owner, editor]) {
    const [mail, ...more] = await heldMails(reader)
    expect(more).toEqual([])
    expect(mail?.body_text).toMatch(/“Post 0” .*\+2/s)
    expect(mail?.body_text).toContain('/posts?held=late')
  }
  expect(await heldMails(author)).toEqual([])
})

test('a post that gets another time while nodes find it late is published at that time, or held, and never twice', async () => {
  const owner = await withWorkspace(t)
  const account_ids = [await playgroundAccount(owner)]
  const posts: { id: string }[] = []
  for (let index = 0; index < 8; index++) posts.push(await schedulePost(t, owner, MINUTE, { account_ids }))
  await passOutage(t, 3 * HOUR)
  const scheduled_at = later()
  await Promise.all([
    t.runJobs(),
    atOnce(posts.length, async (index) =>
      expectStatus(await owner.patch(`/api/v1/posts/${posts[index]?.id}`, { scheduled_at }), 200),
    ),
  ])
  for (const post of posts) expect(await read(owner, post)).toMatchObject({ status: 'scheduled', held: null })
  t.advance(2 * HOUR)
  await t.runJobs()
  for (const post of posts)
    expect(await read(owner, post)).toMatchObject({ status: 'published', targets: [{ attempts: 1 }] })
})
