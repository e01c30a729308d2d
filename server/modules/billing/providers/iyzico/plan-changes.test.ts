import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../../../test/client.ts'
import { expectStatus } from '../../../../../test/factories.ts'
import { expectProblem } from '../../../../../test/problem.ts'
import {
  advanceTo,
  type Billing,
  billingApp,
  pro,
  settle,
  subscriptionOf,
  team,
  tokenOf,
} from '../../billing.fixture.ts'
import { enqueueReconciliation } from '../../processes/reconciliation.ts'
import { adminNow, buy, buyer, buyerOfIyzico, change, pastTrial, renew, sell } from './iyzico.fixture.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('iyzico')
  await sell(billing, 'pro', 14)
  await sell(billing, 'team')
})
afterAll(() => billing?.close())

const HOUR = 3_600_000
const DAY = 24 * HOUR

const cancel = async (owner: Client) => expectStatus(await owner.post('/api/v1/billing/cancel-subscription'), 200)

test('a larger plan costs the difference now and its own price at each renewal, by the new reference of iyzico', async () => {
  const { iyzico, journal } = billing.world
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, pro)
  const before = await pastTrial(billing, owner)
  await advanceTo(billing, new Date(billing.t.clock.now().getTime() + 15 * DAY))
  const left = new Date(before.current_period_end).getTime() - billing.t.clock.now().getTime()
  const whole = new Date(before.current_period_end).getTime() - new Date(before.current_period_start).getTime()

  const checkout = await change(billing, owner, { plan_code: 'team' })
  expect(checkout).toMatchObject({ purpose: 'change', kind: 'hosted' })
  expect(checkout.amount).toBeCloseTo((1000 * left) / whole, 1)
  const { charges } = journal
  expect(charges(checkout.id)).toMatchObject([{ amount: BigInt(Math.round(checkout.amount * 100)) }])
  const changed = await subscriptionOf(owner)
  expect(changed).toMatchObject({
    status: 'active',
    plan_code: 'team',
    amount: 1499,
    current_period_end: before.current_period_end,
  })
  const { provider_subscription_id: former } = before
  const { provider_subscription_id: present } = changed
  expect(present).not.toBe(former)
  expect(iyzico.subscription(present)).toMatchObject({ parentRef: former, status: 'ACTIVE' })
  expect(journal.net(present)).toBe(0n)

  // Before the timer that reads the subscription: the event of the charge must find it.
  await advanceTo(billing, new Date(new Date(changed.current_period_end).getTime() + 60_000))
  const renewed = await subscriptionOf(owner)
  expect(renewed).toMatchObject({
    status: 'active',
    plan_code: 'team',
    current_period_start: changed.current_period_end,
  })
  expect(charges(present)).toMatchObject([{ amount: 149_900n }])

  await cancel(owner)
  await renew(billing, owner)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  expect(iyzico.subscription(present)?.status).toBe('CANCELED')
  expect(charges(present)).toHaveLength(1)
})

/** Changes the monthly price of the plan team, and tells iyzico of it only if asked. */
async function reprice(monthly: number, { atIyzico = false } = {}) {
  const admin = await adminNow(billing)
  const path = '/api/v1/admin/plans/team'
  const { prices } = expectStatus(await admin.get(path), 200).body
  expectStatus(await admin.patch(path, { prices: { ...prices, try: { ...prices.try, monthly } } }), 200)
  if (atIyzico) await sell(billing, 'team')
}

test('a subscriber keeps the price that was agreed when the plan gets another', async () => {
  const { iyzico, journal } = billing.world
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, team)
  const agreed = await subscriptionOf(owner)
  const { provider_subscription_id: reference } = agreed
  await reprice(1999, { atIyzico: true })
  await advanceTo(billing, new Date(new Date(agreed.current_period_end).getTime() + 2 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ amount: 1499, provider_subscription_id: reference })
  expect(iyzico.subscription(reference)).toMatchObject({ status: 'ACTIVE' })
  expect(journal.charges(reference).map(({ amount }) => amount)).toEqual([149_900n, 149_900n])

  const later = await buyerOfIyzico(billing)
  await buy(billing, later, team)
  expect(await subscriptionOf(later)).toMatchObject({ amount: 1999 })
  await reprice(1499, { atIyzico: true })
})

test('a smaller plan applies with the next period, at the price that was agreed when it was chosen', async () => {
  const { journal } = billing.world
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, team)
  const { body } = expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'pro' }), 200)
  expect(body).toMatchObject({ checkout: null, subscription: { plan_code: 'team', pending_plan_code: 'pro' } })
  await sell(billing, 'pro', 14)
  await renew(billing, owner)
  const smaller = await subscriptionOf(owner)
  expect(smaller).toMatchObject({ status: 'active', plan_code: 'pro', amount: 499, pending_plan_code: null })
  expect(journal.charges(smaller.provider_subscription_id)).toMatchObject([{ amount: 49_900n }])
  const { data } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body
  const { lines } = expectStatus(await owner.get(`/api/v1/billing/invoices/${data[0].id}`), 200).body
  expect(lines).toMatchObject([{ plan_name: 'Pro', amount: 499 }])

  await renew(billing, owner)
  expect(journal.net(smaller.provider_subscription_id)).toBe(2n * 49_900n)
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'pro', amount: 499 })
})

test('a smaller plan waits for another period when the next one was charged before iyzico learned of it', async () => {
  const { journal } = billing.world
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, team)
  const { current_period_end: end, provider_subscription_id: reference } = await subscriptionOf(owner)
  expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'pro' }), 200)
  // Meydan stands still for the last hours of the period.
  await advanceTo(billing, new Date(new Date(end).getTime() - 8 * HOUR))
  await advanceTo(billing, new Date(new Date(end).getTime() + 2 * HOUR))
  expect(journal.net(reference)).toBe(2n * 149_900n)
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'team', amount: 1499, pending_plan_code: 'pro' })
  await renew(billing, owner)
  const smaller = await subscriptionOf(owner)
  expect(smaller).toMatchObject({ plan_code: 'pro', amount: 499, pending_plan_code: null })
  expect(journal.charges(smaller.provider_subscription_id)).toMatchObject([{ amount: 49_900n }])
})

test('a plan whose price differs from its pricing plan at iyzico can be neither bought nor changed to', async () => {
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, pro)
  await pastTrial(billing, owner)
  await reprice(1599)
  const refusal = {
    code: 'billing_refused',
    detail: expect.stringContaining('is 1499.00 TRY per month, but the plan is 1599.00'),
  }
  const change = { plan_code: 'team', buyer }
  expect(expectStatus(await owner.post('/api/v1/billing/change-plan', change), 409).body).toMatchObject(refusal)
  const other = await buyerOfIyzico(billing)
  expect(expectStatus(await other.post('/api/v1/billing/checkout', { ...team, buyer }), 409).body).toMatchObject(
    refusal,
  )
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'pro', pending_plan_code: null })
  await reprice(1499)

  const product = billing.world.iyzico.createProduct('Another')
  const elsewhere = billing.world.iyzico.createPlan({ price: 149_900n, product, name: 'team elsewhere' })
  const metadata = { iyzico_pricing_plan_ref_monthly_try: elsewhere }
  expectStatus(await (await adminNow(billing)).patch('/api/v1/admin/plans/team', { metadata }), 200)
  const { body } = expectStatus(await owner.post('/api/v1/billing/change-plan', change), 409)
  expect(body.detail).toContain('is not of the same product')
  await sell(billing, 'team')
})

test('a yearly plan is paid whole, and the unused part of the month is refunded from what was paid for it', async () => {
  const { iyzico, journal } = billing.world
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, pro)
  await pastTrial(billing, owner)
  await advanceTo(billing, new Date(billing.t.clock.now().getTime() + 20 * DAY))
  const difference = await change(billing, owner, { plan_code: 'team' })
  await advanceTo(billing, new Date(billing.t.clock.now().getTime() + 2 * DAY))
  const month = await subscriptionOf(owner)
  const [start, end] = [Date.parse(month.current_period_start), Date.parse(month.current_period_end)]
  const unused = Math.round(149_900 * (1 - (billing.t.clock.now().getTime() - start) / (end - start)))

  const checkout = await change(billing, owner, { plan_code: 'team', period: 'yearly' })
  expect(checkout).toMatchObject({ amount: 14_990, period: 'yearly' })
  const year = await subscriptionOf(owner)
  expect(year).toMatchObject({ status: 'active', plan_code: 'team', billing_period: 'yearly', amount: 14_990 })
  const { provider_subscription_id: reference, provider_customer_id: customer } = year
  expect(new Date(year.current_period_start)).toEqual(billing.t.clock.now())
  expect(journal.charges(reference)).toMatchObject([{ amount: 1_499_000n }])
  expect(iyzico.subscription(month.provider_subscription_id)?.status).toBe('CANCELED')
  // More than the difference that was paid in this month, so a part of the month's own payment is returned too.
  const refunds = [...journal.refunds(difference.id), ...journal.refunds(customer)]
  expect(refunds).toHaveLength(2)
  expect(refunds.reduce((sum, { amount }) => sum + amount, 0n)).toBe(BigInt(unused))

  const { data } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body
  const invoiced = data.reduce((sum: number, { total }: { total: number }) => sum + Math.round(total * 100), 0)
  expect(BigInt(invoiced)).toBe(journal.net(customer) + journal.net(difference.id))

  // The way back would be another subscription too, and nothing of a year is refunded.
  const back = await owner.post('/api/v1/billing/change-plan', { plan_code: 'team', period: 'monthly' })
  expect(expectProblem(back, 409, 'period_not_changed').detail).toContain('start another when it has ended')
  expect(await subscriptionOf(owner)).toMatchObject({ billing_period: 'yearly', pending_plan_code: null })
})

test('a difference that is paid after the period it was for has ended is returned', async () => {
  const { iyzico, journal } = billing.world
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, pro)
  const { current_period_end } = await pastTrial(billing, owner)
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() - 10 * 60_000))
  const wish = { plan_code: 'team', buyer: { name: 'Ada' } }
  expectProblem(await owner.post('/api/v1/billing/change-plan', wish), 400, 'validation_failed', '/buyer/phone')
  const { checkout } = expectStatus(await owner.post('/api/v1/billing/change-plan', { ...wish, buyer }), 200).body
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() + 60_000))
  const renewed = await subscriptionOf(owner)
  expect(renewed).toMatchObject({ plan_code: 'pro', current_period_start: current_period_end })
  iyzico.payForm(new URL(checkout.url, billing.t.url).searchParams.get('token') ?? tokenOf(checkout.url))
  await settle(billing)
  await enqueueReconciliation(billing.t.deps)
  await advanceTo(billing, new Date(billing.t.clock.now().getTime() + 3 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'pro', amount: 499 })
  expect(journal.charges(checkout.id)).toHaveLength(1)
  expect(journal.net(checkout.id)).toBe(0n)
})

test('a larger plan in the trial costs nothing until the trial ends', async () => {
  const { journal } = billing.world
  const owner = await buyerOfIyzico(billing)
  await buy(billing, owner, pro)
  const { body } = expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'team' }), 200)
  expect(body).toMatchObject({ checkout: null, subscription: { plan_code: 'team', status: 'trialing' } })
  await settle(billing)
  const { provider_subscription_id: reference } = await subscriptionOf(owner)
  expect(journal.charges(reference)).toEqual([])
  expect(await pastTrial(billing, owner)).toMatchObject({ status: 'active', plan_code: 'team', amount: 1499 })
  expect(journal.charges(reference)).toMatchObject([{ amount: 149_900n }])
})
