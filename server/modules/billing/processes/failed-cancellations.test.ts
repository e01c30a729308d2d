import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/factories.ts'
import {
  type Billing,
  billingApp,
  lastingOwner,
  openAtStripe,
  payAtStripe,
  sellAtStripe,
  settle,
  subscriptionOf,
  team,
} from '../billing.fixture.ts'
import { enqueueReconciliation } from './reconciliation.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('stripe')
  await sellAtStripe(billing, 'team')
})
afterAll(() => billing?.close())

const shown = async () => expectStatus(await billing.admin.get('/api/v1/admin/billing/overview'), 200).body.failed_ends
const statusAtStripe = (subscription: string) =>
  billing.world.stripe.subscriptions().find(({ id }) => id === subscription)?.status
/** The last of its attempts. */
const giveUp = (key: string) =>
  sql`update graphile_worker._private_jobs set attempts = max_attempts where key = ${key}`.execute(billing.t.deps.db)

test('a subscription that ended here is ended at Stripe at night, after its job gave up, and shown until then', async () => {
  const { t, world, admin } = billing
  const owner = await lastingOwner(billing)
  await payAtStripe(billing, owner)
  await settle(billing)
  const { id, provider_subscription_id } = await subscriptionOf(owner)
  world.stripe.failNext({ kind: 'error', status: 500, works: false }, { method: 'DELETE' })
  expectStatus(await admin.post(`/api/v1/admin/subscriptions/${id}/expire`), 200)
  await t.runJobs().catch(() => undefined)
  await giveUp(`sync-subscription ${id}`)
  await settle(billing)
  expect(statusAtStripe(provider_subscription_id)).toBe('active')
  expect(await shown()).toMatchObject([{ subscription_id: id, error: expect.stringContaining('500') }])

  await enqueueReconciliation(t.deps)
  await settle(billing)
  expect(statusAtStripe(provider_subscription_id)).toBe('canceled')
  expect(await shown()).toEqual([])
})

test('an end that Stripe took for done and did not carry out is tried again, and shown until then', async () => {
  const { t, world, admin } = billing
  const owner = await lastingOwner(billing)
  await payAtStripe(billing, owner)
  await settle(billing)
  const { id, provider_subscription_id } = await subscriptionOf(owner)
  // The read before the end finds nothing.
  const path = `/v1/subscriptions/${provider_subscription_id}`
  world.stripe.failNext({ kind: 'delay', until: Promise.resolve() }, { path })
  world.stripe.failNext({ kind: 'error', status: 404, works: false }, { path })
  expectStatus(await admin.post(`/api/v1/admin/subscriptions/${id}/expire`), 200)
  await t.runJobs()
  expect(await shown()).toEqual([
    { subscription_id: id, provider_subscription_id: null, error: 'The provider has not ended it.' },
  ])
  // One that is still being tried is not enqueued again.
  await enqueueReconciliation(t.deps)
  const jobs = await sql<{ attempts: number }>`select attempts from graphile_worker._private_jobs
    where key = ${`sync-subscription ${id}`}`.execute(t.deps.db)
  expect(jobs.rows).toEqual([{ attempts: 1 }])
  await settle(billing)
  expect(statusAtStripe(provider_subscription_id)).toBe('canceled')
  expect(await shown()).toEqual([])
})

test('a refused subscription whose end failed at Stripe is ended at night, and shown until then', async () => {
  const { t, world } = billing
  const owner = await lastingOwner(billing)
  const sessions = [
    await openAtStripe(billing, owner),
    await openAtStripe(billing, owner, { ...team, period: 'yearly' }),
  ]
  for (const { session } of sessions) expect(world.stripe.payCheckout(session).paid).toBe(true)
  world.stripe.failAlways({ kind: 'error', status: 500, works: false }, { method: 'DELETE' })
  await settle(billing)
  const [failed, ...others] = await shown()
  expect(others).toEqual([])
  expect(failed).toMatchObject({ subscription_id: null, error: expect.stringContaining('500') })
  const { provider_subscription_id: refused } = failed
  expect(refused).not.toBe((await subscriptionOf(owner)).provider_subscription_id)
  await giveUp(`end stripe ${refused}`)
  world.stripe.mend()
  await settle(billing)
  expect(statusAtStripe(refused)).toBe('active')
  await enqueueReconciliation(t.deps)
  await settle(billing)
  expect(statusAtStripe(refused)).toBe('canceled')
  expect(await shown()).toEqual([])
})
