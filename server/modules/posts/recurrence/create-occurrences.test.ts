import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { atOnce } from '../../../../test/at-once.ts'
import {
  changeRole,
  expectStatus,
  memberOf,
  playgroundAccount,
  signedIn,
  type WorkspaceOwner,
  withToken,
  withWorkspace,
} from '../../../../test/factories.ts'
import { recordOutage } from '../../../../test/outages.ts'
import {
  localIn,
  newRecurringPost,
  occurrencesOf,
  postsOf,
  readRecurringPost,
  recurringPost,
} from '../../../../test/recurring-posts.ts'
import { planCalls } from '../../usage/quotas.fixture.ts'
import { createOccurrences } from './create-occurrences.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR

let t: TestApp
let owner: WorkspaceOwner
let account: string
beforeEach(async () => {
  t = await testApp()
  const person = await withWorkspace(t)
  // A session ends within the days that the tests pass.
  owner = { ...person, ...(await withToken(t, person)), id: person.id }
  account = await playgroundAccount(owner)
})
afterEach(() => t.close())

const make = (more: object = {}) => recurringPost(t, owner, { account_ids: [account], ...more })
const disconnect = (id: string) =>
  t.deps.db.updateTable('account').set({ status: 'disconnected' }).where('id', '=', id).execute()
/** Moves the clock without running any job, as if Meydan was down. */
const until = (day: number, time = '12:00') =>
  t.advance(Date.parse(`${localIn(t, 0)}:00Z`.replace(/T.*/, `T${time}:00Z`)) + day * DAY - t.clock.now().getTime())
const skippedOf = async (id: string, person = owner) =>
  (await occurrencesOf(person, id)).filter(({ status }: { status: string }) => status === 'skipped')

describe('occurrences', () => {
  test('fifty runs of the job at once on two nodes create each once', async () => {
    const other = await testApp({}, { beside: t })
    const ids: string[] = []
    for (let index = 0; index < 3; index++) {
      const body = await newRecurringPost(t, owner, { account_ids: [account], contents: ['A', 'B'] })
      ids.push(expectStatus(await owner.post('/api/v1/recurring-posts', body), 201).body.id)
    }
    await atOnce(50, (index) => createOccurrences(index % 2 ? t.deps : other.deps))
    for (const id of ids) {
      const posts = await postsOf(owner, id)
      expect(posts.length).toBeGreaterThanOrEqual(6)
      expect(new Set(posts.map(({ scheduled_at }) => scheduled_at)).size).toBe(posts.length)
      expect(posts.map(({ content }) => content)).toEqual(posts.map((_, index) => (index % 2 ? 'B' : 'A')))
      const occurrences = await occurrencesOf(owner, id)
      expect(occurrences.map(({ post_id }: { post_id: string }) => post_id).sort()).toEqual(
        posts.map((post) => post.id).sort(),
      )
    }
    await other.close()
  })

  test('changes and runs of the job at once leave no time with two posts', async () => {
    const { id } = await make()
    await atOnce(
      16,
      (index): Promise<unknown> =>
        index % 4 === 0
          ? owner.patch(`/api/v1/recurring-posts/${id}`, { labels: [`label ${index}`] })
          : createOccurrences(t.deps),
    )
    await createOccurrences(t.deps)
    const times = (await postsOf(owner, id)).map(({ scheduled_at }) => scheduled_at)
    expect(times.length).toBeGreaterThanOrEqual(6)
    expect(new Set(times).size).toBe(times.length)
  })

  test('they are published at their times, and further ones are created', async () => {
    const { id } = await make()
    until(1, '12:01')
    await createOccurrences(t.deps)
    await t.runJobs()
    const posts = await postsOf(owner, id)
    expect(posts.map(({ status }) => status).slice(0, 2)).toEqual(['published', 'scheduled'])
    expect(posts.at(-1)?.scheduled_at.slice(0, 10)).toBe(localIn(t, 7).slice(0, 10))
  })

  test('after a downtime, what was missed is held or skipped, and the series goes on', async () => {
    const { id } = await make()
    const began_at = t.clock.now()
    until(20, '15:00')
    await recordOutage(t, began_at)
    await createOccurrences(t.deps)
    await t.runJobs()
    const posts = await postsOf(owner, id)
    expect(posts.filter(({ status }) => status === 'published')).toEqual([])
    const held = posts.filter(({ held }) => held === 'late')
    expect(held.length).toBeGreaterThanOrEqual(6)
    const skipped = await skippedOf(id)
    expect(skipped.length + held.length).toBe(20)
    expect(new Set(skipped.map(({ reason }: { reason: string }) => reason))).toEqual(new Set(['missed']))
    expect(posts.filter(({ status, held }) => status === 'scheduled' && !held).length).toBe(7)
    expectStatus(await owner.post(`/api/v1/posts/${held[0]?.id}/publish`), 200)
    await t.runJobs()
    expect((await owner.get(`/api/v1/posts/${held[0]?.id}`)).body.status).toBe('published')
  })

  test('after a long downtime, the last fifty that were missed are recorded', async () => {
    const { id } = await make()
    t.advance(400 * DAY)
    await createOccurrences(t.deps)
    expect((await skippedOf(id)).length).toBe(50)
    expect((await readRecurringPost(owner, id)).next_occurrences.length).toBe(10)
  })

  test('at the limit of the plan they wait, and are created when there is room', async () => {
    const boss = await signedIn(t, { instanceAdmin: true })
    expectStatus(await boss.put('/api/v1/options/billing.enabled', { value: true }), 200)
    const { withPlan } = planCalls(() => ({ t, boss }))
    const limited = await withPlan({ scheduled_posts_max: 2 })
    const { id } = await recurringPost(t, limited)
    expect((await postsOf(limited, id)).length).toBe(2)
    const waiting = await readRecurringPost(limited, id)
    expect(waiting).toMatchObject({ status: 'active', waiting_reason: 'limit_reached' })
    expect(waiting.waiting_detail).toContain('2 scheduled posts')
    until(1, '12:01')
    await t.runJobs()
    await createOccurrences(t.deps)
    expect((await postsOf(limited, id)).map(({ status }) => status)).toEqual(['published', 'scheduled', 'scheduled'])
    expect(await skippedOf(id, limited)).toEqual([])
  })

  test('an occurrence without room until its time is skipped, with the reason of the plan', async () => {
    const boss = await signedIn(t, { instanceAdmin: true })
    expectStatus(await boss.put('/api/v1/options/billing.enabled', { value: true }), 200)
    const { withPlan } = planCalls(() => ({ t, boss }))
    const limited = await withPlan({ scheduled_posts_max: 0 })
    const { id } = await recurringPost(t, limited)
    until(1, '12:01')
    await createOccurrences(t.deps)
    const [skipped] = await skippedOf(id, limited)
    expect(skipped).toMatchObject({ reason: 'limit_reached', occurs_at: `${localIn(t, 0)}:00.000Z` })
    expect(skipped.detail).toContain('switch to the plan')
    expect(await readRecurringPost(limited, id)).toMatchObject({ waiting_reason: 'limit_reached' })
  })

  test('a disconnected account is waited for until an hour before; then the post goes to the others', async () => {
    const second = await playgroundAccount(owner)
    await disconnect(second)
    const body = await newRecurringPost(t, owner, { account_ids: [account] })
    const made = expectStatus(await owner.post('/api/v1/recurring-posts', body), 201).body
    await t.deps.db
      .updateTable('recurring_post')
      .set({
        variants: JSON.stringify([
          {
            ...made.variants[0],
            targets: [account, second].map((account_id) => ({ ...made.variants[0].targets[0], account_id })),
          },
        ]),
      })
      .where('id', '=', made.id)
      .execute()
    await createOccurrences(t.deps)
    expect(await postsOf(owner, made.id)).toEqual([])
    expect(await readRecurringPost(owner, made.id)).toMatchObject({ waiting_reason: 'account_unavailable' })
    until(1, '11:30')
    await createOccurrences(t.deps)
    const [post] = await postsOf(owner, made.id)
    expect((await owner.get(`/api/v1/posts/${post?.id}`)).body.targets.length).toBe(1)
    const [occurrence] = (await occurrencesOf(owner, made.id)).slice(-1)
    expect(occurrence).toMatchObject({ status: 'created', reason: 'accounts_left_out', post_id: post?.id })
  })

  test('without any connected account an occurrence is skipped at its time, with the reason and an event', async () => {
    const { id } = await make({ rule: 'FREQ=DAILY;INTERVAL=10', starts_at: localIn(t, 8) })
    const time = `${localIn(t, 8)}:00.000Z`
    await disconnect(account)
    until(5)
    await createOccurrences(t.deps)
    expect(await readRecurringPost(owner, id)).toMatchObject({ waiting_reason: 'account_unavailable' })
    until(3, '12:01')
    await createOccurrences(t.deps)
    const skipped = await skippedOf(id)
    expect(skipped).toMatchObject([{ occurs_at: time, reason: 'account_unavailable', post_id: null }])
    expect(skipped[0].detail).toContain('disconnected')
    const { data } = (await owner.get('/api/v1/events?type=recurring_post.occurrence_skipped')).body
    expect(data).toMatchObject([{ data: { recurring_post_id: id, occurs_at: time, reason: 'account_unavailable' } }])
    expect(await postsOf(owner, id)).toEqual([])
  })

  describe('created ahead', () => {
    const contentsOf = async (id: string) => (await postsOf(owner, id)).map(({ content }) => content).join('')
    /** Every eighth day from tomorrow: the first has a post. */
    const rare = () => make({ rule: 'FREQ=DAILY;INTERVAL=8', contents: ['A', 'B', 'C'] })
    const on = (days: number) => ({ occurs_at: `${localIn(t, days)}:00.000Z` })

    test.each([
      { ahead: [9], missed: 0, contents: 'ABC' },
      { ahead: [17], missed: 1, contents: 'ACA' },
      { ahead: [9, 33], missed: 2, contents: 'ABBC' },
    ])('they keep their turns when they pass while Meydan is down: $contents', async ({ ahead, missed, contents }) => {
      const { id } = await rare()
      for (const days of ahead) expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/posts`, on(days)), 200)
      until(ahead.at(-1) ?? 0, '15:00')
      await createOccurrences(t.deps)
      until(2)
      await createOccurrences(t.deps)
      expect(await contentsOf(id)).toBe(contents)
      expect(await skippedOf(id)).toHaveLength(missed)
    })

    test('they wait for no account, and neither does one that a member skipped', async () => {
      const { id } = await rare()
      expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/posts`, on(9)), 200)
      expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/skip`, on(17)), 200)
      await disconnect(account)
      for (const days of [3, 8]) {
        until(days)
        await createOccurrences(t.deps)
        expect(await readRecurringPost(owner, id)).toMatchObject({ waiting_reason: null })
      }
      until(8)
      await createOccurrences(t.deps)
      expect(await readRecurringPost(owner, id)).toMatchObject({ waiting_reason: 'account_unavailable' })
      await t.deps.db.updateTable('account').set({ status: 'connected' }).where('id', '=', account).execute()
      t.advance(HOUR)
      await createOccurrences(t.deps)
      expect(await readRecurringPost(owner, id)).toMatchObject({ waiting_reason: null })
      expect(await contentsOf(id)).toBe('ABC')
    })
  })

  test('when its author may write no more posts, it pauses; who resumes it becomes its author', async () => {
    const author = await memberOf(t, owner.workspace_id, 'author')
    const body = await newRecurringPost(t, owner, { account_ids: [account] })
    const { id } = expectStatus(await author.post('/api/v1/recurring-posts', body), 201).body
    await changeRole(t, author, 'viewer')
    await createOccurrences(t.deps)
    expect(await readRecurringPost(owner, id)).toMatchObject({ status: 'paused', pause_reason: 'author_gone' })
    const resumed = expectStatus(await owner.post(`/api/v1/recurring-posts/${id}/resume`), 200).body
    expect(resumed).toMatchObject({ status: 'active', author_id: owner.id })
    await createOccurrences(t.deps)
    expect((await postsOf(owner, id)).length).toBeGreaterThanOrEqual(6)
  })

  test('a deleted workspace creates none', async () => {
    const person = await withWorkspace(t)
    const body = await newRecurringPost(t, person)
    const { id } = expectStatus(await person.post('/api/v1/recurring-posts', body), 201).body
    const { name } = (await person.get('/api/v1/workspace')).body
    expectStatus(await person.call('DELETE', '/api/v1/workspace', { body: { name } }), 204)
    await createOccurrences(t.deps)
    const rows = await t.deps.db
      .selectFrom('post_occurrence')
      .select('id')
      .where('recurring_post_id', '=', id)
      .execute()
    expect(rows).toEqual([])
  })
})
