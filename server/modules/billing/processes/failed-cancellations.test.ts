import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../../../test/factories.ts'
import {
  type Billing,
  billingApp,
  lastingOwner,
  payAtStripe,
  sellAtStripe,
  settle,
  subscriptionOf,
} from '../billing.fixture.ts'
import { enqueueReconciliation } from './reconciliation.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('stripe')
  await sellAtStripe(billing, 'team')
})
afterAll(() => billing?.close())

test('a subscription that ended here is ended at Stripe at night, after its job gave up, and shown until then', async () => {
  const { t, world, admin } = billing
  const owner = await lastingOwner(billing)
  await payAtStripe(billing, owner)
  await settle(billing)
  const { id, provider_subscription_id } = await subscriptionOf(owner)
  const shown = async () => expectStatus(await admin.get('/api/v1/admin/billing/overview'), 200).body.failed_ends
  const statusAtStripe = () => world.stripe.subscriptions().find((each) => each.id === provider_subscription_id)?.status
  world.stripe.failNext({ kind: 'error', status: 500, works: false }, { method: 'DELETE' })
  expectStatus(await admin.post(`/api/v1/admin/subscriptions/${id}/expire`), 200)
  await t.runJobs().catch(() => undefined)
  // The last of its attempts.
  await sql`update graphile_worker._private_jobs set attempts = max_attempts where key = ${`sync-subscription ${id}`}`.execute(
    t.deps.db,
  )
  await settle(billing)
  expect(statusAtStripe()).toBe('active')
  expect(await shown()).toMatchObject([{ subscription_id: id, error: expect.stringContaining('500') }])

  await enqueueReconciliation(t.deps)
  await settle(billing)
  expect(statusAtStripe()).toBe('canceled')
  expect(await shown()).toEqual([])
})
