import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../../../test/client.ts'
import { expectStatus } from '../../../../../test/factories.ts'
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

/** Gives a plan pricing plans at iyzico, equal to its own prices. */
async function sell(code: string, trialDays = 0) {
  const { iyzico } = billing.world
  const { body: plan } = expectStatus(await billing.admin.get(`/api/v1/admin/plans/${code}`), 200)
  const price = BigInt(Math.round(plan.prices.try.monthly * 100))
  const metadata = {
    iyzico_pricing_plan_ref_monthly: iyzico.createPlan({ price, name: `${code} monthly` }),
    ...(trialDays && {
      iyzico_pricing_plan_ref_monthly_trial: iyzico.createPlan({ price, trialDays, name: `${code} trial` }),
    }),
  }
  expectStatus(await billing.admin.patch(`/api/v1/admin/plans/${code}`, { metadata }), 200)
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

  expectStatus(await owner.post('/api/v1/billing/cancel-subscription'), 200)
  await advanceTo(billing, new Date(new Date(second.current_period_end).getTime() - 12 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', cancel_at_period_end: true })
  expect(billing.world.iyzico.subscription(second.provider_subscription_id)?.status).toBe('CANCELED')
  await advanceTo(billing, new Date(new Date(second.current_period_end).getTime() + HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  expect(billing.world.journal.net(second.provider_subscription_id)).toBe(2n * 149_900n)
})

test('a payment whose browser never comes back is found', async () => {
  const owner = await buyerOfIyzico()
  await buy(owner, team, { returns: false })
  await advanceTo(billing, new Date(billing.t.clock.now().getTime() + 2 * HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'active', plan_code: 'team' })
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

  expectStatus(await owner.post('/api/v1/billing/cancel-subscription'), 200)
  await advanceTo(billing, new Date(new Date(renewed.current_period_end).getTime() + HOUR))
  expect(await subscriptionOf(owner)).toMatchObject({ status: 'canceled' })
  expect(iyzico.subscription(present)?.status).toBe('CANCELED')
  expect(charges(present)).toHaveLength(1)
})
