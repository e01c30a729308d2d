import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { atOnce, countByStatus } from '../../../../test/at-once.ts'
import { expectStatus, memberOf, playgroundAccount, withToken, withWorkspace } from '../../../../test/factories.ts'
import { putInReview, writeForReview } from '../../../../test/posts.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { accountWithTimes, addToQueue, daily, postingTimes, savePostingTimes } from '../../../../test/queue.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const hourly = { timezone: 'UTC', times: daily('00:00', '06:00', '12:00', '18:00') }
const added = async (account_ids: string[], body: object = {}) =>
  expectStatus(await addToQueue(owner, account_ids, body), 201).body
const queueOf = async (account: string, query = '') =>
  expectStatus(await owner.get(`/api/v1/accounts/${account}/queue${query}`), 200).body
const freeOf = async (account: string): Promise<string> => (await queueOf(account)).next_slot_at

describe('posting times', () => {
  test('an account has none in the zone of its workspace, and keeps those that are set in the order of the week', async () => {
    const account = await playgroundAccount(owner)
    const { timezone } = (await owner.get('/api/v1/workspace')).body
    const path = `/api/v1/accounts/${account}/posting-times`
    expect((await owner.get(path)).body).toEqual({ timezone, times: [] })
    const times = [
      { weekday: 'friday', time: '09:00' },
      { weekday: 'monday', time: '18:00' },
      { weekday: 'monday', time: '09:00' },
    ]
    expect(await savePostingTimes(owner, account, { timezone: 'Asia/Tokyo', times })).toEqual({
      timezone: 'Asia/Tokyo',
      times: times.toReversed(),
    })
    const { data } = (await owner.get('/api/v1/workspace/audit-log?action=account.posting_times_changed')).body
    expect(data[0]).toMatchObject({ target_id: account, details: { after: { timezone: 'Asia/Tokyo' } } })
  })

  test('400 for a zone, a weekday, a time or a repetition that cannot be', async () => {
    const path = `/api/v1/accounts/${await playgroundAccount(owner)}/posting-times`
    const put = (body: object) => owner.put(path, { ...postingTimes, ...body })
    expectProblem(await put({ timezone: 'Mars/Olympus' }), 400, 'validation_failed', '/timezone')
    expectProblem(await put({ times: [{ weekday: 'monday', time: '24:00' }] }), 400, 'validation_failed')
    expectProblem(await put({ times: [{ weekday: 'someday', time: '09:00' }] }), 400, 'validation_failed')
    expectProblem(await put({ times: [...daily('09:00'), ...daily('09:00')] }), 400, 'validation_failed', '/times')
  })

  test('412 refuses a change of an older version, also of the first', async () => {
    const path = `/api/v1/accounts/${await playgroundAccount(owner)}/posting-times`
    const etag = (await owner.get(path)).headers.get('etag') ?? ''
    const change = () => owner.put(path, postingTimes, { 'if-match': etag })
    const second = expectStatus(await change(), 200).headers.get('etag')
    expect(second).not.toBe(etag)
    expectProblem(await change(), 412, 'version_conflict')
    expectStatus(await owner.put(path, postingTimes, { 'if-match': second ?? '' }), 200)
  })

  test('403 for authors and tokens without accounts:write, 404 for other workspaces', async () => {
    const account = await playgroundAccount(owner)
    const path = `/api/v1/accounts/${account}/posting-times`
    const author = await memberOf(t, owner.workspace_id, 'author')
    expectProblem(await author.put(path, postingTimes), 403, 'forbidden_role')
    const reader = await withToken(t, owner, ['accounts:read'])
    const path2 = path.replace('/api/v1', '/api/v1/public')
    expectStatus(await reader.get(path2), 200)
    expectProblem(await reader.put(path2, postingTimes), 403, 'insufficient_scope')
    const stranger = await withWorkspace(t)
    expectProblem(await stranger.get(path), 404, 'not_found')
    expectProblem(await stranger.put(path, postingTimes), 404, 'not_found')
    expectProblem(await stranger.get(`/api/v1/accounts/${account}/queue`), 404, 'not_found')
  })
})

describe('adding to the queue', () => {
  test('50 posts at once get 50 different slots, the next ones', async () => {
    const account = await accountWithTimes(owner, hourly)
    const responses = await atOnce(50, () => addToQueue(owner, [account]))
    expect(countByStatus(responses)).toEqual({ 201: 50 })
    const times = responses.map(({ body }) => body.scheduled_at).sort()
    expect(new Set(times).size).toBe(50)
    const [first = '', last = ''] = [times[0], times.at(-1)]
    expect(Date.parse(last) - Date.parse(first)).toBe(49 * 6 * 3600_000)
  })

  test('a post is scheduled for its slot, and published then', async () => {
    const account = await accountWithTimes(owner, hourly)
    const next = await freeOf(account)
    const post = await added([account])
    expect(post).toMatchObject({ status: 'scheduled', scheduled_at: next })
    await t.advance(Date.parse(next) - t.clock.now().getTime() + 1000)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('published')
  })

  test('a draft is added as well, and a post in review is planned for the slot and keeps it when approved', async () => {
    const account = await accountWithTimes(owner, hourly)
    const draft = expectStatus(await owner.post('/api/v1/posts', { content: 'Hi', account_ids: [account] }), 201).body
    const next = await freeOf(account)
    const queued = expectStatus(await owner.patch(`/api/v1/posts/${draft.id}`, { queue: 'next' }), 200).body
    expect(queued).toMatchObject({ status: 'scheduled', scheduled_at: next })

    const { id } = await writeForReview(t, owner, 'Written')
    const planned = { queue: 'next', account_ids: [account] }
    const waiting = expectStatus(await owner.patch(`/api/v1/posts/${id}`, planned), 200).body
    expect(waiting).toMatchObject({ status: 'draft', review: 'pending', scheduled_at: null })
    expect(waiting.review_scheduled_at > next).toBe(true)
    expect((await freeOf(account)) > waiting.review_scheduled_at).toBe(true)
    const approved = expectStatus(await owner.post(`/api/v1/posts/${id}/approve`, {}), 200).body
    expect(approved).toMatchObject({ status: 'scheduled', scheduled_at: waiting.review_scheduled_at })
    const { data } = await queueOf(account)
    expect(data.filter(({ queued }: { queued: boolean }) => queued).length).toBe(2)
  })

  test('a post on several accounts gets a slot of the first at which all of them are free', async () => {
    const first = await accountWithTimes(owner, hourly)
    const second = await playgroundAccount(owner)
    const taken = await freeOf(first)
    expectStatus(await owner.post('/api/v1/posts', { content: 'Hi', account_ids: [second], scheduled_at: taken }), 201)
    const { scheduled_at } = await added([first, second])
    expect(Date.parse(scheduled_at)).toBe(Date.parse(taken) + 6 * 3600_000)
    expectProblem(await addToQueue(owner, [second, first]), 409, 'no_posting_times')
  })

  test('a slot is free again when its post is deleted, moved by hand, published now or made a draft', async () => {
    const account = await accountWithTimes(owner, hourly)
    const next = await freeOf(account)
    const other = new Date(Date.parse(next) + 60_000).toISOString()
    const leave = [
      (path: string) => owner.delete(path),
      (path: string) => owner.patch(path, { scheduled_at: other }),
      (path: string) => owner.post(`${path}/publish`),
      (path: string) => owner.patch(path, { scheduled_at: null }),
    ]
    for (const free of leave) {
      const { id, scheduled_at } = await added([account])
      expect(scheduled_at).toBe(next)
      expect(await freeOf(account)).not.toBe(next)
      expect((await free(`/api/v1/posts/${id}`)).status).toBeLessThan(300)
      expect(await freeOf(account)).toBe(next)
    }
  })

  test('a post that is rejected in review frees its slot', async () => {
    const account = await accountWithTimes(owner, hourly)
    const next = await freeOf(account)
    const draft = expectStatus(await owner.post('/api/v1/posts', { content: 'Hi', account_ids: [account] }), 201).body
    await putInReview(t, draft.id, next)
    expect(await freeOf(account)).not.toBe(next)
    expectStatus(await owner.post(`/api/v1/posts/${draft.id}/reject`, { reason: 'No.' }), 200)
    expect(await freeOf(account)).toBe(next)
  })

  test('400 when the first account does not exist', async () => {
    expectProblem(await addToQueue(owner, [randomUUID()]), 400, 'validation_failed', '/account_ids/0')
  })

  test('409 without posting times, and when every slot of a year is taken', async () => {
    const account = await playgroundAccount(owner)
    expectProblem(await addToQueue(owner, [account]), 409, 'no_posting_times')
    await savePostingTimes(owner, account, { timezone: 'UTC', times: [{ weekday: 'monday', time: '09:00' }] })
    const responses = await atOnce(54, () => addToQueue(owner, [account]))
    const full = responses.filter(({ status }) => status !== 201)
    expect(full.length).toBeGreaterThan(0)
    for (const response of full) expectProblem(response, 409, 'queue_full')
    expect((await queueOf(account)).next_slot_at).toBeNull()
  })

  test('400 with another time, and without an account', async () => {
    const account = await accountWithTimes(owner)
    const time = t.clock.now().toISOString()
    const refused = async (body: object) =>
      expectProblem(await addToQueue(owner, [account], body), 400, 'validation_failed', '/queue')
    await refused({ scheduled_at: time })
    await refused({ publish_now: true })
    await refused({ account_ids: [] })
    const { id } = await added([account])
    const path = `/api/v1/posts/${id}`
    const change = { queue: 'next', scheduled_at: time }
    expectProblem(await owner.patch(path, change), 400, 'validation_failed', '/queue')
  })

  test('a validation returns the slot, or why there is none, and takes nothing', async () => {
    const account = await accountWithTimes(owner)
    const validate = async (account_id: string) =>
      expectStatus(
        await owner.post('/api/v1/posts/validate', { content: 'Hi', account_ids: [account_id], queue: 'next' }),
        200,
      ).body
    const next = await freeOf(account)
    expect(await validate(account)).toMatchObject({ problems: [], next_slot_at: next })
    expect((await added([account])).scheduled_at).toBe(next)
    expect(await validate(await playgroundAccount(owner))).toMatchObject({
      problems: [{ pointer: '/queue', code: 'no_posting_times' }],
      next_slot_at: null,
    })
  })
})

describe('reading the queue', () => {
  test('it has the free slots, the queued posts and those that were scheduled by hand for a slot', async () => {
    const account = await accountWithTimes(owner, hourly)
    const next = await freeOf(account)
    const queued = await added([account], { content: 'Queued' })
    const [second, between] = [6 * 3600_000, 3600_000].map((ms) => new Date(Date.parse(next) + ms).toISOString())
    for (const scheduled_at of [second, between])
      expectStatus(await owner.post('/api/v1/posts', { content: 'By hand', account_ids: [account], scheduled_at }), 201)
    const { data, next_slot_at } = await queueOf(account)
    expect(data.slice(0, 3)).toMatchObject([
      { time: next, is_posting_time: true, queued: true, post: { id: queued.id, excerpt: 'Queued' } },
      { time: second, is_posting_time: true, queued: false, post: { excerpt: 'By hand' } },
      { time: next_slot_at, is_posting_time: true, queued: false, post: null },
    ])
    await savePostingTimes(owner, account, { timezone: 'UTC', times: [] })
    expect((await queueOf(account)).data).toMatchObject([{ time: next, is_posting_time: false, queued: true }])
  })

  test('400 for more than 62 days, and nothing of the past', async () => {
    const account = await accountWithTimes(owner)
    const at = (days: number) => new Date(t.clock.now().getTime() + days * 86_400_000).toISOString()
    const path = `/api/v1/accounts/${account}/queue`
    expectProblem(await owner.get(`${path}?from=${at(0)}&to=${at(63)}`), 400, 'validation_failed', '/to')
    expect((await queueOf(account, `?from=${at(-9)}&to=${at(0)}`)).data).toEqual([])
    expect((await queueOf(account, `?from=${at(5)}&to=${at(10)}`)).data.length).toBe(10)
  })
})
