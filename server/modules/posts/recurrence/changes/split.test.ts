import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../../test/app.ts'
import { atOnce } from '../../../../../test/at-once.ts'
import { expectStatus, memberOf, playgroundAccount, withWorkspace } from '../../../../../test/factories.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import {
  localIn,
  newRecurringPost,
  postsOf,
  readRecurringPost,
  recurringPost,
} from '../../../../../test/recurring-posts.ts'
import { createOccurrences } from '../create-occurrences.ts'
import { firstOccurrences, splitAt } from '../occurrences.ts'

const t = await testApp()
const owner = await withWorkspace(t)
const account = await playgroundAccount(owner)

const make = (more: object = {}) => recurringPost(t, owner, { account_ids: [account], ...more })
const at = (days: number, time = '12:00') => `${localIn(t, days, time)}:00.000Z`
const variants = [{ content: 'New', account_ids: [account] }]
const split = (id: string, days: number, body: object, person = owner) =>
  person.post(`/api/v1/recurring-posts/${id}/split`, { from: at(days), ...body })
const impact = async (id: string, days?: number) =>
  expectStatus(await owner.get(`/api/v1/recurring-posts/${id}/impact${days ? `?from=${at(days)}` : ''}`), 200).body
const shown = ({ scheduled_at, content }: { scheduled_at: string; content: string }) => [scheduled_at, content]

describe('a change of an occurrence and those that follow', () => {
  test('ends the recurring post before it, and begins a new one that has the change', async () => {
    const { id } = await make({ contents: ['A', 'B'], labels: ['menu'] })
    const made = expectStatus(await split(id, 3, { variants }), 201).body
    expect(made).toMatchObject({ split_from: id, rule: 'FREQ=DAILY', starts_at: localIn(t, 3), labels: ['menu'] })
    await createOccurrences(t.deps)
    expect((await postsOf(owner, id)).map(shown)).toEqual([
      [at(1), 'A'],
      [at(2), 'B'],
    ])
    expect((await postsOf(owner, made.id)).map(shown).slice(0, 2)).toEqual([
      [at(3), 'New'],
      [at(4), 'New'],
    ])
    expect(await readRecurringPost(owner, id)).toMatchObject({ last_occurs_at: at(2), status: 'active' })
  })

  test('a new time replaces the posts that nobody edited; edited and skipped ones keep their place', async () => {
    const { id } = await make()
    const posts = await postsOf(owner, id)
    expectStatus(await owner.patch(`/api/v1/posts/${posts[3]?.id}`, { content: 'Edited' }), 200)
    const edited = (await owner.get(`/api/v1/posts/${posts[3]?.id}`)).body
    expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/skip`, { occurs_at: at(5) }), 200)
    expect(await impact(id)).toMatchObject({ replaced: posts.length - 2, edited: 1, published: 0, is_first: false })
    expect(await impact(id, 3)).toMatchObject({ replaced: posts.length - 4, edited: 1, starts_at: localIn(t, 3) })
    const { id: into } = expectStatus(await split(id, 3, { variants }), 201).body
    const moved = (await owner.get(`/api/v1/posts/${edited.id}`)).body
    expect(moved.recurring_post_id).toBe(into)
    expect(moved.updated_at > edited.updated_at).toBe(true)
    const { data: events } = (await owner.get('/api/v1/events?type=post.updated&limit=100')).body
    const ofPost = events.filter((event: { data: { post: { id: string } } }) => event.data.post.id === edited.id)
    expect(ofPost.at(-1).data).toMatchObject({ change: 'edited', post: { recurring_post_id: into } })
    await createOccurrences(t.deps)
    expect((await postsOf(owner, into)).map(shown).slice(0, 3)).toEqual([
      [at(3), 'New'],
      [at(4), 'Edited'],
      [at(6), 'New'],
    ])
    const { id: later } = expectStatus(await split(into, 6, { starts_at: localIn(t, 6, '15:00') }), 201).body
    await createOccurrences(t.deps)
    expect((await postsOf(owner, later))[0]?.scheduled_at).toBe(at(6, '15:00'))
    expect((await postsOf(owner, into)).length).toBe(2)
  })

  test('COUNT goes on counting, and published posts are counted as untouched', async () => {
    const { id } = await make({ rule: 'FREQ=DAILY;COUNT=9' })
    const [first] = await postsOf(owner, id)
    expectStatus(await owner.post(`/api/v1/posts/${first?.id}/publish`), 200)
    await t.runJobs()
    expect(await impact(id, 4)).toMatchObject({ rule: 'FREQ=DAILY;COUNT=6', published: 1 })
    const made = expectStatus(await split(id, 4, { labels: ['new'] }), 201).body
    expect(made).toMatchObject({ rule: 'FREQ=DAILY;COUNT=6', last_occurs_at: at(9) })
  })

  test('a paused one stays paused in both parts', async () => {
    const { id } = await make()
    expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/pause`), 200)
    const made = expectStatus(await split(id, 3, { variants }), 201).body
    expect(made).toMatchObject({ status: 'paused', pause_reason: 'by_member' })
    await createOccurrences(t.deps)
    expect(await postsOf(owner, made.id)).toEqual([])
  })

  test('400 for the first occurrence, another time, an earlier start and no change', async () => {
    const { id } = await make()
    expect(await impact(id, 1)).toMatchObject({ is_first: true })
    const refuse = async (days: number, body: object, pointer: string) =>
      expectProblem(await split(id, days, body), 400, 'validation_failed', pointer)
    await refuse(1, { variants }, '/from')
    await refuse(-1, { variants }, '/from')
    await refuse(3, { variants, from: at(3, '12:01') }, '/from')
    await refuse(3, { starts_at: localIn(t, 2) }, '/starts_at')
    await refuse(3, { rule: 'FREQ=HOURLY' }, '/rule')
    await refuse(3, {}, '')
    const bad = await owner.get(`/api/v1/recurring-posts/${id}/impact?from=${at(3, '12:01')}`)
    expectProblem(bad, 400, 'validation_failed', '/from')
  })

  test('412 for a version that somebody changed since, which keeps both as they are', async () => {
    const { id } = await make()
    const etag = (await owner.get(`/api/v1/recurring-posts/${id}`)).headers.get('etag') ?? ''
    expectStatus(await owner.patch(`/api/v1/recurring-posts/${id}`, { labels: ['theirs'] }), 200)
    const body = { from: at(3), variants }
    const path = `/api/v1/recurring-posts/${id}/split`
    expectProblem(await owner.post(path, body, { 'if-match': etag }), 412, 'version_conflict')
    expect(await readRecurringPost(owner, id)).toMatchObject({ last_occurs_at: null, labels: ['theirs'] })
    const current = (await owner.get(`/api/v1/recurring-posts/${id}`)).headers.get('etag') ?? ''
    expectStatus(await owner.post(path, body, { 'if-match': current }), 201)
  })

  test('authors split only their own, and others see nothing', async () => {
    const { id } = await make()
    const author = await memberOf(t, owner.workspace_id, 'author')
    expectProblem(await split(id, 3, { variants }, author), 403, 'forbidden_role')
    const stranger = await withWorkspace(t)
    expectProblem(await split(id, 3, { labels: ['x'] }, stranger), 404, 'not_found')
    expectProblem(await stranger.get(`/api/v1/recurring-posts/${id}/impact`), 404, 'not_found')
  })

  test('splits, changes, skips and runs of the job at once leave no time with two posts', async () => {
    const other = await testApp({}, { beside: t })
    const body = await newRecurringPost(t, owner, { account_ids: [account], contents: ['A', 'B'] })
    const { id } = expectStatus(await owner.post('/api/v1/recurring-posts', body), 201).body
    const calls = [
      () => split(id, 4, { labels: ['split'] }),
      () => owner.patch(`/api/v1/recurring-posts/${id}`, { labels: ['changed'] }),
      () => owner.post(`/api/v1/recurring-posts/${id}/skip`, { occurs_at: at(2) }),
      () => owner.post(`/api/v1/recurring-posts/${id}/unskip`, { occurs_at: at(2) }),
      () => createOccurrences(t.deps),
      () => createOccurrences(other.deps),
    ]
    await atOnce(50, async (index): Promise<unknown> => calls[index % calls.length]?.())
    await createOccurrences(t.deps)
    const { data } = expectStatus(await owner.get('/api/v1/recurring-posts?limit=100'), 200).body
    const ids: string[] = data
      .filter((one: { id: string; split_from: string | null }) => one.id === id || one.split_from === id)
      .map((one: { id: string }) => one.id)
    const times = (await Promise.all(ids.map((one) => postsOf(owner, one))))
      .flat()
      .map(({ scheduled_at }) => scheduled_at)
    expect(ids.length).toBe(2)
    expect(times.length).toBeGreaterThanOrEqual(5)
    expect(new Set(times).size).toBe(times.length)
    await other.close()
  })
})

test('both parts of any rule have its occurrences together, in five zones', () => {
  const rules = [
    ...['FREQ=DAILY', 'FREQ=DAILY;INTERVAL=3', 'FREQ=DAILY;COUNT=20', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH,SU'],
    ...[
      'FREQ=WEEKLY;BYDAY=SA;COUNT=15',
      'FREQ=WEEKLY;INTERVAL=2',
      'FREQ=MONTHLY',
      'FREQ=MONTHLY;INTERVAL=2;BYDAY=-1SU',
    ],
    ...['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=18', 'FREQ=YEARLY', 'FREQ=DAILY;UNTIL=20270501'],
    ...['FREQ=MONTHLY;BYMONTHDAY=1,15,31', 'FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,MO;WKST=SU'],
  ]
  const zones = ['Europe/Istanbul', 'Europe/Berlin', 'America/Nuuk', 'Australia/Lord_Howe', 'Africa/Cairo']
  const start = fc.constantFrom('2027-03-26', '2027-01-31', '2027-04-28', '2027-10-29')
  const time = fc.constantFrom('00:00', '00:30', '01:30', '02:15', '02:30', '09:00', '23:30')
  fc.assert(
    fc.property(
      fc.constantFrom(...rules),
      fc.constantFrom(...zones),
      start,
      time,
      fc.nat(14),
      (rule, timezone, day, clock, index) => {
        const recurrence = { rule, starts_at: `${day}T${clock}`, timezone }
        const all = firstOccurrences(recurrence, new Date('2027-01-01'), 40)
        const from = all[index]
        if (!from) return
        const parts = splitAt(recurrence, from)
        const former = parts?.former ? firstOccurrences(parts.former, new Date('2027-01-01'), 40) : []
        expect(former).toEqual(all.slice(0, index))
        const following = parts ? firstOccurrences(parts.following, new Date('2027-01-01'), 40 - index) : []
        expect(following).toEqual(all.slice(index))
      },
    ),
    // Clocks of Greenland skip the end of March 27, so that time of the first part comes on the next day.
    { numRuns: 150, examples: [['FREQ=DAILY', 'America/Nuuk', '2027-03-26', '23:30', 2]] },
  )
})
