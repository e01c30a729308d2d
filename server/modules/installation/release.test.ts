import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { TestApp } from '../../../test/app.ts'
import { atOnce, countByStatus } from '../../../test/at-once.ts'
import { expectStatus, signedIn, withWorkspace } from '../../../test/factories.ts'
import { latePost, schedulePost } from '../../../test/outages.ts'
import { mailsTo } from '../../../test/people.ts'
import { expectProblem } from '../../../test/problem.ts'
import { until } from '../../../test/until.ts'
import { inTransaction } from '../../lib/db/database.ts'
import { agentOf, lastRun } from '../agents/runs/runs.fixture.ts'
import { startDueRuns } from '../agents/runs/start-due-runs.ts'
import {
  advanceTo,
  type Billing,
  billingApp,
  buyByHand,
  lastingOwner,
  settle,
  subscriptionOf,
} from '../billing/billing.fixture.ts'
import { holdInstallation } from './hold.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let billing: Billing
let t: TestApp

const everything = { posts: 'publish', deliveries: 'send', mails: 'send' }
const nothing = { ...everything, posts: 'unschedule', agents: 'skip', subscriptions: 'skip' }
/** A session ends within the days that the tests pass. */
const newAdmin = () => signedIn(t, { instanceAdmin: true })
const release = async (choices: object) => (await newAdmin()).post('/api/v1/admin/hold/release', choices)
const readHold = async () => expectStatus(await (await newAdmin()).get('/api/v1/admin/hold'), 200).body
const read = async (owner: Awaited<ReturnType<typeof withWorkspace>>, { id }: { id: string }) =>
  expectStatus(await owner.get(`/api/v1/posts/${id}`), 200).body

/** Holds the installation, as a restore does. */
const hold = () => inTransaction(t.deps.db, (tx) => holdInstallation(tx, t.clock.now()))
beforeEach(async () => {
  billing = await billingApp('manual')
  // After a lock that a test holds.
  onTestFinished(billing.close)
  t = billing.t
  await hold()
})

/** A due post that another transaction locks, so that a release that drops it waits. */
async function lockedPost() {
  const owner = await withWorkspace(t)
  const post = await schedulePost(t, owner, MINUTE)
  t.advance(2 * MINUTE)
  const { promise, resolve: unlock } = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const done = inTransaction(t.deps.db, async (tx) => {
    await sql`select from post where id = ${post.id} for update`.execute(tx)
    locked.resolve()
    await promise
  })
  await locked.promise
  const end = async () => {
    unlock()
    await done
  }
  onTestFinished(end)
  return { owner, post, unlock: end }
}

describe('two releases at the same time', () => {
  test('the second is refused while the first is under way, with the state', async () => {
    const { owner, post, unlock } = await lockedPost()
    const first = release(nothing)
    await until(async () => expect((await readHold()).release).toMatchObject(nothing))
    const refused = expectProblem(await release({ ...nothing, posts: 'publish' }), 409, 'invalid_transition')
    expect(refused).toMatchObject({ state: 'releasing' })
    expect(expectProblem(await release(everything), 409, 'invalid_transition')).toMatchObject({ state: 'releasing' })
    expect(expectProblem(await release(nothing), 409, 'invalid_transition')).toMatchObject({ state: 'releasing' })
    await unlock()
    expect(expectStatus(await first, 200).body).toMatchObject({ unscheduled_posts: 1 })
    expect(await read(owner, post)).toMatchObject({ status: 'draft' })
    expect(expectProblem(await release(nothing), 409, 'invalid_transition')).toMatchObject({ state: 'running' })
  })

  test('exactly one of many ends the hold, and only its choices count', async () => {
    const owner = await withWorkspace(t)
    const posts = [await schedulePost(t, owner, MINUTE), await schedulePost(t, owner, MINUTE)]
    t.advance(2 * MINUTE)
    const calls = await atOnce(8, (index) => release(index % 2 ? nothing : everything))
    expect(countByStatus(calls)).toEqual({ 200: 1, 409: 7 })
    const isPublished = calls.findIndex(({ status }) => status === 200) % 2 === 0
    for (const post of posts) expect((await read(owner, post)).status).toBe(isPublished ? 'scheduled' : 'draft')
    expect(await readHold()).toMatchObject({ held: false, release: null })
  })

  test('one that failed goes on with the same choices, although a post is no longer due', async () => {
    const owner = await withWorkspace(t)
    const post = await schedulePost(t, owner, MINUTE)
    t.advance(2 * MINUTE)
    const choices = { ...nothing, publish_post_ids: [post.id] }
    // As if the process had died after it began.
    await t.deps.db
      .updateTable('installation_hold')
      .set({ release: JSON.stringify(choices) })
      .execute()
    const scheduled_at = new Date(t.clock.now().getTime() + DAY).toISOString()
    expectStatus(await owner.patch(`/api/v1/posts/${post.id}`, { scheduled_at }), 200)
    expectProblem(await release(nothing), 409, 'invalid_transition')
    expectStatus(await release(choices), 200)
    expect(await read(owner, post)).toMatchObject({ status: 'scheduled', scheduled_at })
  })
})

describe('agents that were due', () => {
  const nextRunOf = async (id: string) => {
    const agent = await t.deps.db
      .selectFrom('agent')
      .select('next_run_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return agent.next_run_at?.getTime() ?? 0
  }
  const dueAgent = async () => {
    const id = await agentOf(t, await withWorkspace(t))
    t.advance((await nextRunOf(id)) + MINUTE - t.clock.now().getTime())
    expect((await readHold()).due_agents).toBe(1)
    return id
  }

  test('are skipped, and run at their next time', async () => {
    const id = await dueAgent()
    expect(expectStatus(await release(nothing), 200).body).toMatchObject({ skipped_runs: 1 })
    await startDueRuns(t.deps)
    expect(await lastRun(t, id)).toMatchObject({ status: 'skipped', reason: 'late' })
    expect(await nextRunOf(id)).toBeGreaterThan(t.clock.now().getTime())
  })

  test('run by default', async () => {
    const id = await dueAgent()
    expect(expectStatus(await release(everything), 200).body).toMatchObject({ skipped_runs: 0 })
    await startDueRuns(t.deps)
    expect(await lastRun(t, id)).toMatchObject({ status: 'queued' })
  })
})

describe('renewals that were due', () => {
  const dueRenewal = async () => {
    const owner = await lastingOwner(billing)
    await buyByHand(await newAdmin(), owner)
    const { current_period_end } = await subscriptionOf(owner)
    t.advance(Date.parse(current_period_end) - 6 * DAY - t.clock.now().getTime())
    expect((await readHold()).due_subscriptions).toBe(1)
    const renewals = async () => (await mailsTo(t, owner.email)).filter(({ key }) => key === 'billing-renewal').length
    return { owner, end: Date.parse(current_period_end), renewals }
  }

  test('can be paid without a mail when they are skipped, and the period ends nevertheless', async () => {
    const { owner, end, renewals } = await dueRenewal()
    expect(expectStatus(await release(nothing), 200).body).toMatchObject({ skipped_renewals: 1 })
    await settle(billing)
    expect(await renewals()).toBe(0)
    expect(await subscriptionOf(owner)).toMatchObject({ status: 'active' })
    await advanceTo(billing, new Date(end + MINUTE))
    expect(await subscriptionOf(owner)).toMatchObject({ status: 'past_due' })
  })

  test('are invoiced by default', async () => {
    const { renewals } = await dueRenewal()
    expect(expectStatus(await release(everything), 200).body).toMatchObject({ skipped_renewals: 0 })
    await settle(billing)
    expect(await renewals()).toBe(1)
  })
})

test('posts that were held as late stay so, and those that a release publishes are not', async () => {
  const owner = await withWorkspace(t)
  expectStatus(await release(everything), 200)
  const late = await latePost(t, owner)
  await hold()
  const due = await schedulePost(t, owner, MINUTE)
  t.advance(2 * HOUR)
  expect(await readHold()).toMatchObject({ due_posts: 1 })
  expectStatus(await release(everything), 200)
  await t.runJobs()
  expect(await read(owner, late)).toMatchObject({ held: 'late' })
  expect(await read(owner, due)).toMatchObject({ status: 'published' })
})
