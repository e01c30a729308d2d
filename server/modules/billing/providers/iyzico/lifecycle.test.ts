import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../../../test/client.ts'
import { expectStatus, signedIn } from '../../../../../test/factories.ts'
import {
  advanceTo,
  type Billing,
  billingApp,
  lastingOwner,
  pro,
  settle,
  subscriptionOf,
  team,
  tokenOf,
} from '../../billing.fixture.ts'
import { enqueueReconciliation } from '../../reconciliation.ts'

let billing: Billing
beforeAll(async () => {
  billing = await billingApp('iyzico')
  await sell('pro', 14)
  await sell('team')
})
afterAll(() => billing?.close())

const HOUR = 3_600_000
const DAY = 24 * HOUR
const buyer = { name: 'Ada', surname: 'Yılmaz', phone: '+905350000000', identity_number: '10000000146' }

/** Sessions do not last as long as a subscription. */
const adminNow = () => signedIn(billing.t, { instanceAdmin: true })

/** Gives a plan pricing plans at iyzico, equal to its own prices. */
async function sell(code: string, trialDays = 0) {
  const { iyzico } = billing.world
  const admin = await adminNow()
  const name = (kind: string) => `${code} ${kind} ${crypto.randomUUID()}`
  const { body: plan } = expectStatus(await admin.get(`/api/v1/admin/plans/${code}`), 200)
  const price = BigInt(Math.round(plan.prices.try.monthly * 100))
  const yearly = BigInt(Math.round(plan.prices.try.yearly * 100))
  const metadata = {
    iyzico_pricing_plan_ref_monthly: iyzico.createPlan({ price, name: name('monthly') }),
    iyzico_pricing_plan_ref_yearly: iyzico.createPlan({ price: yearly, interval: 'YEARLY', name: name('yearly') }),
    ...(trialDays && {
      iyzico_pricing_plan_ref_monthly_trial: iyzico.createPlan({ price, trialDays, name: name('trial') }),
    }),
  }
  expectStatus(await admin.patch(`/api/v1/admin/plans/${code}`, { metadata }), 200)
}

/** iyzico requires an address. */
async function buyerOfIyzico() {
  const owner = await lastingOwner(billing)
  const billing_address = { name: 'Fırın', line1: 'Moda Caddesi 5', city: 'İstanbul', country: 'TR', postal: '34710' }
  expectStatus(await owner.patch('/api/v1/workspace', { billing_address }), 200)
  return owner
}

async function buy(owner: Client, terms: object, { returns = true } = {}) {
  const { body } = expectStatus(await owner.post('/api/v1/billing/checkout', { ...terms, buyer }), 201)
  await pay(tokenOf(body.url), { returns })
  return body
}

/** Fills in a form of iyzico. */
async function pay(token: string, { returns = true } = {}) {
  const paid = billing.world.iyzico.payForm(token, { card: 'ok' })
  if (returns)
    await fetch(`${billing.t.url}${new URL(paid.callbackUrl).pathname}`, {
      method: 'POST',
      headers: { origin: 'https://static.iyzipay.com', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(paid.form),
      redirect: 'manual',
    })
  await settle(billing)
}

/** Advances past the trial of a plan that was bought. */
async function pastTrial(owner: Client) {
  const trial = await subscriptionOf(owner)
  await advanceTo(billing, new Date(new Date(trial.current_period_end).getTime() + 2 * HOUR))
  return subscriptionOf(owner)
}

const cancel = async (owner: Client) => expectStatus(await owner.post('/api/v1/billing/cancel-subscription'), 200)

/** Advances to the last half hour of the period, and past its end. */
async function renew(owner: Client) {
  const end = new Date((await subscriptionOf(owner)).current_period_end).getTime()
  await advanceTo(billing, new Date(end - HOUR / 2))
  await advanceTo(billing, new Date(end + 2 * HOUR))
}

/** Changes the plan, and pays what that costs. */
async function change(owner: Client, terms: object) {
  const { body } = expectStatus(await owner.post('/api/v1/billing/change-plan', { ...terms, buyer }), 200)
  const { url } = body.checkout
  await pay(new URL(url, billing.t.url).searchParams.get('token') ?? tokenOf(url))
  return body.checkout
}

test('the fields of the buyer that iyzico requires are named', async () => {
  const owner = await lastingOwner(billing)
  const { body } = expectStatus(await owner.post('/api/v1/billing/checkout', { ...team, buyer: { name: 'Ada' } }), 400)
  expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
    expect.arrayContaining(['/buyer/surname', '/buyer/phone', '/buyer/identity_number']),
  )
})

test('a paid form starts the subscription, which is charged again and ends with its period when canceled', async () => {
  const owner = await buyerOfIyzico()
  expect(await buy(owner, team)).toMatchObject({ kind: 'hosted', url: expect.stringContaining('/billing/iyzico/pay/') })
  const first = await subscriptionOf(owner)
  expect(first).toMatchObject({ status: 'active', plan_code: 'team', amount: 1499, provider: 'iyzico' })

  await advanceTo(billing, new Date(new Date(first.current_period_end).getTime() + 2 * HOUR))
  const second = await subscriptionOf(owner)
  expect(second.status).toBe('active')
  expect(new Date(second.current_period_end) > new Date(first.current_period_end)).toBe(true)
  expect(billing.world.journal.net(second.provider_subscription_id)).toBe(2n * 149_900n)

  await cancel(owner)
  const end = new Date(second.current_period_end).getTime()
  await advanceTo(billing, new Date(end - 5 * HOUR))
  expect(billing.world.iyzico.subscription(second.provider_subscription_id)?.status).toBe('ACTIVE')
  await advanceTo(billing, new Date(end - 3 * HOUR))
  expect(billing.world.iyzico.subscription(second.provider_subscription_id)?.status).toBe('CANCELED')
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', cancel_at_period_end: true })
  await advanceTo(billing, new Date(end + HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  expect(billing.world.journal.net(second.provider_subscription_id)).toBe(2n * 149_900n)
})

test('a cancellation is taken back until a few hours before the end, and after that access lasts until the end', async () => {
  const { iyzico, journal } = billing.world
  const owner = await buyerOfIyzico()
  await buy(owner, team)
  const { current_period_end, provider_subscription_id: reference } = await subscriptionOf(owner)
  const end = new Date(current_period_end).getTime()
  await cancel(owner)
  await advanceTo(billing, new Date(end - 5 * HOUR))
  expectStatus(await owner.post('/api/v1/billing/resume-subscription'), 200)
  await advanceTo(billing, new Date(end + 2 * HOUR))
  const renewed = await subscriptionOf(owner)
  expect(renewed).toMatchObject({ status: 'active', cancel_at_period_end: false })
  expect(journal.net(reference)).toBe(2n * 149_900n)

  const next = new Date(renewed.current_period_end).getTime()
  await cancel(owner)
  await advanceTo(billing, new Date(next - 3 * HOUR))
  expect(expectStatus(await owner.post('/api/v1/billing/resume-subscription'), 409).body).toMatchObject({
    code: 'resume_too_late',
    current_period_end: renewed.current_period_end,
  })
  await settle(billing)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', cancel_at_period_end: true })
  expect(iyzico.subscription(reference)?.status).toBe('CANCELED')
  await advanceTo(billing, new Date(next + HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  await buy(owner, team)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active' })
})

test('a subscription that is canceled at iyzico works until the end of the paid period, and cannot be resumed', async () => {
  const owner = await buyerOfIyzico()
  await buy(owner, team)
  const { current_period_end, provider_subscription_id: reference } = await subscriptionOf(owner)
  billing.world.iyzico.cancelInPanel(reference)
  await enqueueReconciliation(billing.t.deps)
  await advanceTo(billing, new Date(billing.t.clock.now().getTime() + DAY))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', cancel_at_period_end: true })
  expectStatus(await owner.post('/api/v1/billing/resume-subscription'), 409)
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() + HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  expect(billing.world.journal.net(reference)).toBe(149_900n)
})

test.each(['event', 'timer'])(
  'what iyzico charged after a cancellation is refunded, first noticed by the %s',
  async (first) => {
    const { journal, iyzico, webhooks } = billing.world
    const owner = await buyerOfIyzico()
    await buy(owner, team)
    const { current_period_end, provider_subscription_id: reference } = await subscriptionOf(owner)
    const end = new Date(current_period_end).getTime()
    await cancel(owner)
    // Meydan stands still for the last hours of the period.
    await advanceTo(billing, new Date(end - 8 * HOUR))
    billing.t.advance(10 * HOUR)
    billing.world.tick()
    if (first === 'event') {
      await webhooks.settle()
      await billing.t.runJobs()
    }
    await settle(billing)
    expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled', current_period_end })
    expect(iyzico.subscription(reference)?.status).toBe('CANCELED')
    expect(journal.charges(reference)).toHaveLength(2)
    expect(journal.net(reference)).toBe(149_900n)
    const { data } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body
    expect(data).toHaveLength(1)
  },
)

test('a payment whose browser never comes back is found', async () => {
  const owner = await buyerOfIyzico()
  await buy(owner, team, { returns: false })
  await advanceTo(billing, new Date(billing.t.clock.now().getTime() + 2 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', plan_code: 'team' })
})

test('an extension of a past due subscription holds until its end, and then it is past due again', async () => {
  const owner = await buyerOfIyzico()
  await buy(owner, team)
  const { id, provider_subscription_id, current_period_end } = await subscriptionOf(owner)
  billing.world.iyzico.setCard(provider_subscription_id, 'declined')
  await advanceTo(billing, new Date(new Date(current_period_end).getTime() + 2 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'past_due' })
  const path = `/api/v1/admin/subscriptions/${id}/extend`
  const { body: extended } = expectStatus(await (await adminNow()).post(path, { days: 5 }), 200)
  await enqueueReconciliation(billing.t.deps)
  const end = new Date(extended.current_period_end)
  await advanceTo(billing, new Date(end.getTime() - HOUR))
  const { status, past_due_deadline } = await subscriptionOf(owner)
  expect({ status, past_due_deadline }).toEqual({ status: 'active', past_due_deadline: null })
  await advanceTo(billing, new Date(end.getTime() + 2 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'past_due' })
})

test('a trial has its own price', async () => {
  const owner = await buyerOfIyzico()
  expect((await buy(owner, pro)).trial_days).toBe(14)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'trialing', plan_code: 'pro' })
  expect(await pastTrial(owner)).toMatchObject({ status: 'active', amount: 499 })
})

test('a larger plan costs the difference now and its own price at each renewal, by the new reference of iyzico', async () => {
  const { iyzico, journal } = billing.world
  const owner = await buyerOfIyzico()
  await buy(owner, pro)
  const before = await pastTrial(owner)
  await advanceTo(billing, new Date(billing.t.clock.now().getTime() + 15 * DAY))
  const left = new Date(before.current_period_end).getTime() - billing.t.clock.now().getTime()
  const whole = new Date(before.current_period_end).getTime() - new Date(before.current_period_start).getTime()

  const checkout = await change(owner, { plan_code: 'team' })
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
  await renew(owner)
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  expect(iyzico.subscription(present)?.status).toBe('CANCELED')
  expect(charges(present)).toHaveLength(1)
})

/** Changes the monthly price of the plan team, and tells iyzico of it only if asked. */
async function reprice(monthly: number, { atIyzico = false } = {}) {
  const admin = await adminNow()
  const path = '/api/v1/admin/plans/team'
  const { prices } = expectStatus(await admin.get(path), 200).body
  expectStatus(await admin.patch(path, { prices: { ...prices, try: { ...prices.try, monthly } } }), 200)
  if (atIyzico) await sell('team')
}

test('a subscriber keeps the price that was agreed when the plan gets another', async () => {
  const { iyzico, journal } = billing.world
  const owner = await buyerOfIyzico()
  await buy(owner, team)
  const agreed = await subscriptionOf(owner)
  const { provider_subscription_id: reference } = agreed
  await reprice(1999, { atIyzico: true })
  await advanceTo(billing, new Date(new Date(agreed.current_period_end).getTime() + 2 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ amount: 1499, provider_subscription_id: reference })
  expect(iyzico.subscription(reference)).toMatchObject({ status: 'ACTIVE' })
  expect(journal.charges(reference).map(({ amount }) => amount)).toEqual([149_900n, 149_900n])

  const later = await buyerOfIyzico()
  await buy(later, team)
  expect(await subscriptionOf(later)).toMatchObject({ amount: 1999 })
  await reprice(1499, { atIyzico: true })
})

test('a smaller plan applies with the next period, at the price that was agreed when it was chosen', async () => {
  const { journal } = billing.world
  const owner = await buyerOfIyzico()
  await buy(owner, team)
  const { body } = expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'pro' }), 200)
  expect(body).toMatchObject({ checkout: null, subscription: { plan_code: 'team', pending_plan_code: 'pro' } })
  await sell('pro', 14)
  await renew(owner)
  const smaller = await subscriptionOf(owner)
  expect(smaller).toMatchObject({ status: 'active', plan_code: 'pro', amount: 499, pending_plan_code: null })
  expect(journal.charges(smaller.provider_subscription_id)).toMatchObject([{ amount: 49_900n }])
  const { data } = expectStatus(await owner.get('/api/v1/billing/invoices'), 200).body
  const { lines } = expectStatus(await owner.get(`/api/v1/billing/invoices/${data[0].id}`), 200).body
  expect(lines).toMatchObject([{ plan_name: 'Pro', amount: 499 }])

  await renew(owner)
  expect(journal.net(smaller.provider_subscription_id)).toBe(2n * 49_900n)
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'pro', amount: 499 })
})

test('a smaller plan waits for another period when the next one was charged before iyzico learned of it', async () => {
  const { journal } = billing.world
  const owner = await buyerOfIyzico()
  await buy(owner, team)
  const { current_period_end: end, provider_subscription_id: reference } = await subscriptionOf(owner)
  expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'pro' }), 200)
  // Meydan stands still for the last hours of the period.
  await advanceTo(billing, new Date(new Date(end).getTime() - 8 * HOUR))
  await advanceTo(billing, new Date(new Date(end).getTime() + 2 * HOUR))
  expect(journal.net(reference)).toBe(2n * 149_900n)
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'team', amount: 1499, pending_plan_code: 'pro' })
  await renew(owner)
  const smaller = await subscriptionOf(owner)
  expect(smaller).toMatchObject({ plan_code: 'pro', amount: 499, pending_plan_code: null })
  expect(journal.charges(smaller.provider_subscription_id)).toMatchObject([{ amount: 49_900n }])
})

test('a plan whose price differs from its pricing plan at iyzico can be neither bought nor changed to', async () => {
  const owner = await buyerOfIyzico()
  await buy(owner, pro)
  await pastTrial(owner)
  await reprice(1599)
  const refusal = {
    code: 'billing_refused',
    detail: expect.stringContaining('is 1499.00 TRY per month, but the plan is 1599.00'),
  }
  const change = { plan_code: 'team', buyer }
  expect(expectStatus(await owner.post('/api/v1/billing/change-plan', change), 409).body).toMatchObject(refusal)
  const other = await buyerOfIyzico()
  expect(expectStatus(await other.post('/api/v1/billing/checkout', { ...team, buyer }), 409).body).toMatchObject(
    refusal,
  )
  expect(await subscriptionOf(owner)).toMatchObject({ plan_code: 'pro', pending_plan_code: null })
  await reprice(1499)

  const product = billing.world.iyzico.createProduct('Another')
  const elsewhere = billing.world.iyzico.createPlan({ price: 149_900n, product, name: 'team elsewhere' })
  const metadata = { iyzico_pricing_plan_ref_monthly_try: elsewhere }
  expectStatus(await (await adminNow()).patch('/api/v1/admin/plans/team', { metadata }), 200)
  const { body } = expectStatus(await owner.post('/api/v1/billing/change-plan', change), 409)
  expect(body.detail).toContain('is not of the same product')
  await sell('team')
})

test('a yearly plan is paid whole, and the unused part of the month is refunded from what was paid for it', async () => {
  const { iyzico, journal } = billing.world
  const owner = await buyerOfIyzico()
  await buy(owner, pro)
  await pastTrial(owner)
  await advanceTo(billing, new Date(billing.t.clock.now().getTime() + 20 * DAY))
  const difference = await change(owner, { plan_code: 'team' })
  await advanceTo(billing, new Date(billing.t.clock.now().getTime() + 2 * DAY))
  const month = await subscriptionOf(owner)
  const [start, end] = [Date.parse(month.current_period_start), Date.parse(month.current_period_end)]
  const unused = Math.round(149_900 * (1 - (billing.t.clock.now().getTime() - start) / (end - start)))

  const checkout = await change(owner, { plan_code: 'team', period: 'yearly' })
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
  expect(expectStatus(back, 409).body).toMatchObject({ code: 'period_not_changed' })
  expect(await subscriptionOf(owner)).toMatchObject({ billing_period: 'yearly', pending_plan_code: null })
})

test('a larger plan in the trial costs nothing until the trial ends', async () => {
  const { journal } = billing.world
  const owner = await buyerOfIyzico()
  await buy(owner, pro)
  const { body } = expectStatus(await owner.post('/api/v1/billing/change-plan', { plan_code: 'team' }), 200)
  expect(body).toMatchObject({ checkout: null, subscription: { plan_code: 'team', status: 'trialing' } })
  await settle(billing)
  const { provider_subscription_id: reference } = await subscriptionOf(owner)
  expect(journal.charges(reference)).toEqual([])
  expect(await pastTrial(owner)).toMatchObject({ status: 'active', plan_code: 'team', amount: 1499 })
  expect(journal.charges(reference)).toMatchObject([{ amount: 149_900n }])
})
