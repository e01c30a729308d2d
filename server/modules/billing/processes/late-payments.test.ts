import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus, signedIn } from '../../../../test/factories.ts'
import {
  advanceTo,
  type Billing,
  billingApp,
  lastingOwner,
  payAtStripe,
  sellAtStripe,
  settle,
  subscriptionOf,
} from '../billing.fixture.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('stripe')
  await sellAtStripe(billing, 'team')
})
afterAll(() => billing?.close())

const HOUR = 3_600_000

test('a payment just before the end of a subscription that is read after the end is refunded', async () => {
  const { stripe, webhooks, journal } = billing.world
  const owner = await lastingOwner(billing)
  await payAtStripe(billing, owner)
  await settle(billing)
  const { provider_customer_id: customer, current_period_end: end } = await subscriptionOf(owner)
  stripe.setCard(customer, 'declined')
  await advanceTo(billing, new Date(new Date(end).getTime() + 2 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'past_due' })

  webhooks.hold()
  const open = stripe.invoices().find((each) => each.customer === customer && each.status === 'open')
  expect(stripe.payInvoice(String(open?.id)).paid).toBe(true)
  billing.t.advance(60_000)
  expectStatus(await owner.post('/api/v1/billing/cancel-subscription'), 200)
  await webhooks.release()
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  expect(journal.net(customer)).toBe(149_900n)
  const { data } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body
  expect(data).toMatchObject([{ status: 'paid', total: 1499, credited: 0 }])
})

test('a payment for time before the end that is read after it is kept, and one for later time is refunded', async () => {
  const { webhooks, journal } = billing.world
  const owner = await lastingOwner(billing)
  await payAtStripe(billing, owner)
  await settle(billing)
  const { id, provider_customer_id: customer, current_period_end: end } = await subscriptionOf(owner)
  // Stripe charges two more periods while Meydan stands still.
  webhooks.hold()
  billing.t.advance(new Date(end).getTime() + 40 * 24 * HOUR - billing.t.clock.now().getTime())
  billing.world.tick()
  expect(journal.net(customer)).toBe(3n * 149_900n)
  const admin = await signedIn(billing.t, { instanceAdmin: true })
  expectStatus(await admin.post(`/api/v1/admin/subscriptions/${id}/expire`), 200)
  await webhooks.release()
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'expired' })
  expect(journal.net(customer)).toBe(2n * 149_900n)
  const { data } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body
  expect(data).toMatchObject([
    { status: 'paid', total: 1499 },
    { status: 'paid', total: 1499 },
  ])
})

test('a checkout that is first read after its subscription ended at Stripe starts nothing and is refunded', async () => {
  const { stripe, webhooks, journal } = billing.world
  const owner = await lastingOwner(billing)
  webhooks.hold()
  const { session } = await payAtStripe(billing, owner)
  const paid = stripe.sessions().find(({ id }) => id === session)
  stripe.cancelInDashboard(String(paid?.subscription))
  await webhooks.release('reversed')
  await settle(billing)
  expect((await owner.get('/api/v1/billing/subscription')).body.code).toBe('subscription_not_found')
  expect(journal.net(String(paid?.customer))).toBe(0n)
})
