import { afterAll, beforeAll, expect, test } from 'vitest'
import { planWithoutLimits } from '../../../../../test/billing.ts'
import { expectStatus, signedIn } from '../../../../../test/factories.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import {
  type Billing,
  billingApp,
  lastingOwner,
  payAtStripe,
  sellAtStripe,
  settle,
  subscriptionOf,
} from '../../billing.fixture.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('stripe')
  await planWithoutLimits(billing.admin, { code: 'large', monthly: 3000 })
  const prices = { try: { monthly: 3000, yearly: 30_000 }, usd: { monthly: 90, yearly: 900 } }
  expectStatus(await billing.admin.patch('/api/v1/admin/plans/large', { prices }), 200)
  for (const code of ['team', 'large']) await sellAtStripe(billing, code)
})
afterAll(() => billing?.close())

const CHANGE = '/api/v1/billing/change-plan'
const targets = [
  { plan_code: 'team', period: 'yearly' },
  { plan_code: 'large', period: 'monthly' },
]

async function subscribed() {
  const owner = await lastingOwner(billing)
  await payAtStripe(billing, owner)
  await settle(billing)
  billing.t.advance(3 * 86_400_000)
  await settle(billing)
  return owner
}

test('of two changes at once one is made, for the amount that was shown, and the other is refused', async () => {
  const owner = await subscribed()
  const wishes = await Promise.all(
    targets.map(async (target) => {
      const { body } = expectStatus(await owner.get(`${CHANGE}?${new URLSearchParams(target)}`), 200)
      const { amount_due, renewal_amount, priced_at } = body
      return { ...target, shown: { amount_due, renewal_amount, priced_at } }
    }),
  )
  const before = billing.world.journal.net(owner.workspace_id)
  const { stripe } = billing.world
  const preview = '/v1/invoices/create_preview'
  const previews = stripe.calls.filter(({ path }) => path === preview).length
  const { promise: secondEnded, resolve: endSecond } = Promise.withResolvers<void>()
  stripe.failNext({ kind: 'delay', until: secondEnded }, { path: preview })
  const first = owner.post(CHANGE, wishes[0])
  await stripe.called(preview, previews + 1)
  const second = await owner.post(CHANGE, wishes[1])
  endSecond()
  billing.t.advance(1000)
  const results = [await first, second]
  expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const made = wishes[results.findIndex(({ status }) => status === 200)]
  const charged = billing.world.journal.net(owner.workspace_id) - before
  expect(charged).toBe(BigInt(Math.round((made?.shown.amount_due ?? 0) * 100)))
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: made?.plan_code, billing_period: made?.period })
})

test('a change is refused when the period was extended while Stripe was asked for its amount', async () => {
  const owner = await subscribed()
  const { amount_due, renewal_amount, priced_at } = expectStatus(await owner.get(`${CHANGE}?plan_code=large`), 200).body
  const { stripe } = billing.world
  const path = '/v1/invoices/create_preview'
  const previews = stripe.calls.filter((call) => call.path === path).length
  const { promise: until, resolve: respond } = Promise.withResolvers<void>()
  stripe.failNext({ kind: 'delay', until }, { path })
  const changed = owner.post(CHANGE, { plan_code: 'large', shown: { amount_due, renewal_amount, priced_at } })
  await stripe.called(path, previews + 1)
  const { id } = await subscriptionOf(owner)
  const admin = await signedIn(billing.t, { instanceAdmin: true })
  expectStatus(await admin.post(`/api/v1/admin/subscriptions/${id}/extend`, { days: 7 }), 200)
  respond()
  expectProblem(await changed, 409, 'price_changed')
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'team' })
})

test('a change whose response was lost is read from Stripe before another is made', async () => {
  const owner = await subscribed()
  const { stripe } = billing.world
  stripe.failNext({ kind: 'lost', works: true }, { method: 'POST', path: '/v1/subscriptions/' })
  expectStatus(await owner.post(CHANGE, { plan_code: 'large' }), 503)
  billing.t.advance(1000)
  const { detail, state } = expectProblem(await owner.post(CHANGE, targets[0]), 409, 'invalid_transition')
  expect([detail, state]).toEqual(['Another change is being carried out. Try again in a minute.', 'active'])
  billing.t.advance(61_000)
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'large', billing_period: 'monthly' })
  expectStatus(await owner.post(CHANGE, { plan_code: 'team', period: 'yearly' }), 200)
})

test('a change that Stripe refused can be tried again at once', async () => {
  const owner = await subscribed()
  billing.world.stripe.declineNext()
  expectStatus(await owner.post(CHANGE, { plan_code: 'large' }), 402)
  billing.t.advance(1000)
  expectStatus(await owner.post(CHANGE, { plan_code: 'large' }), 200)
})
