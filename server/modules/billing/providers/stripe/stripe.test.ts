import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../../../test/app.ts'
import type { PaymentServers } from '../../../../../test/stand-ins/payment-providers/payment-servers.ts'
import { type Billing, billingApp } from '../../billing.fixture.ts'
import { saleWith } from '../provider.fixture.ts'
import type { Sale } from '../provider.ts'
import { stripe } from './index.ts'

let billing: Billing
let t: TestApp
let world: PaymentServers
beforeAll(async () => {
  billing = await billingApp('stripe')
  ;({ t, world } = billing)
})
afterAll(() => billing?.close())

const HOUR = 3_600_000
const DAY = 24 * HOUR

function pass(ms: number) {
  t.advance(ms)
  world.tick()
}

type Recurring = NonNullable<Sale['recurring']>

const saleOf = (fields: Partial<Sale> = {}) =>
  saleWith({ expires_at: new Date(t.clock.now().getTime() + 2 * HOUR), ...fields })

const recurringOf = (price_ref: string, fields: Partial<Recurring> = {}): Recurring => ({
  plan_code: 'pro',
  period: 'monthly',
  price_ref,
  trial_days: 0,
  ...fields,
})

const monthly = () => world.stripe.createPrice({ amount: 49_900, currency: 'try' })

async function opened(fields: Partial<Sale> = {}) {
  const sale = saleOf(fields)
  const checkout = await stripe.openCheckout(t.deps, sale)
  const read = () => stripe.readCheckout(t.deps, { id: sale.checkout_id, ref: checkout.ref, currency: sale.currency })
  return { sale, checkout, read }
}

/** A paid subscription, of 499 lira a month unless `recurring` says otherwise. */
async function subscribed(recurring: Partial<Recurring> = {}, fields: Partial<Sale> = {}) {
  const price_ref = recurring.price_ref ?? monthly()
  const { sale, checkout, read } = await opened({ ...fields, recurring: recurringOf(price_ref, recurring) })
  world.stripe.payCheckout(checkout.ref)
  const state = await read()
  const id = state.status === 'completed' ? (state.subscription_id ?? '') : ''
  const now = async () => {
    const subscription = await stripe.readSubscription(t.deps, id)
    if (!subscription) throw new Error(`No subscription ${id}`)
    return subscription
  }
  const net = () => world.journal.net(id)
  return { id, price_ref, sale, state, now, net }
}

const lastCall = (path: string) => {
  const call = world.stripe.calls.filter((each) => each.path.startsWith(path)).at(-1)
  return { headers: call?.headers ?? {}, form: Object.fromEntries(new URLSearchParams(call?.raw.toString())) }
}

describe('opening a checkout', () => {
  test('a subscription is paid on the page of Stripe, and is read with its period, price and payment', async () => {
    const { id, price_ref, sale, state, now, net } = await subscribed()
    expect(state).toEqual({ status: 'completed', subscription_id: id, payment: null })
    const { payments, ...subscription } = await now()
    const period = { start: expect.any(Date), end: expect.any(Date) }
    expect(subscription).toEqual({
      id,
      customer_id: expect.stringMatching(/^cus_/),
      status: 'active',
      trial_end: null,
      period,
      price_ref,
      cancel_at_period_end: false,
      checkout_id: sale.checkout_id,
      has_unlisted_payment: false,
      failed_payment: null,
    })
    const paid = { amount: 49_900n, currency: 'TRY', refunded: 0n, period: subscription.period }
    expect(payments).toEqual([{ id: expect.stringMatching(/^pi_/), paid_at: expect.any(Date), ...paid }])
    expect(net()).toBe(49_900n)
  })

  test('Stripe gets our ids and the page to return to, and nothing about this machine', async () => {
    const price_ref = monthly()
    const { sale } = await opened({ recurring: recurringOf(price_ref, { trial_days: 14 }) })
    const { headers, form } = lastCall('/v1/checkout/sessions')
    const ids = { workspace_id: sale.workspace_id, checkout_id: sale.checkout_id, plan_code: 'pro' }
    for (const [name, value] of Object.entries(ids)) {
      expect(form[`metadata[${name}]`]).toBe(value)
      expect(form[`subscription_data[metadata][${name}]`]).toBe(value)
    }
    expect(form).toMatchObject({
      mode: 'subscription',
      client_reference_id: sale.checkout_id,
      customer_email: 'ada@example.com',
      'line_items[0][price]': price_ref,
      'line_items[0][quantity]': '1',
      'subscription_data[trial_period_days]': '14',
      'subscription_data[trial_settings][end_behavior][missing_payment_method]': 'cancel',
      success_url: sale.return_url,
      cancel_url: sale.return_url,
      locale: 'tr',
      currency: 'try',
      'adaptive_pricing[enabled]': 'false',
      expires_at: String(Math.floor(sale.expires_at.getTime() / 1000)),
    })
    expect(headers['idempotency-key']).toContain(sale.checkout_id)
    expect(headers['x-stripe-client-telemetry']).toBeUndefined()
    expect(String(headers['x-stripe-client-user-agent'])).not.toMatch(/platform|telemetry_id/)
  })

  test('a trial begins without a payment, and ends with one', async () => {
    const { id, state, now, net } = await subscribed({ trial_days: 14 })
    expect(state).toEqual({ status: 'completed', subscription_id: id, payment: null })
    const trial = await now()
    expect(trial).toMatchObject({ status: 'trialing', payments: [] })
    expect(trial.trial_end).toEqual(trial.period?.end)
    pass(14 * DAY + 2 * HOUR)
    expect(await now()).toMatchObject({ status: 'active', payments: [{ amount: 49_900n }] })
    expect(net()).toBe(49_900n)
  })

  test('a single payment is charged to the cent, and read with the checkout', async () => {
    const { sale, checkout, read } = await opened({ amount: 12_345n, currency: 'USD', description: 'Three posts' })
    expect(await read()).toEqual({ status: 'open' })
    expect(lastCall('/v1/checkout/sessions').form).not.toHaveProperty('subscription_data')
    world.stripe.payCheckout(checkout.ref)
    const payment = { id: expect.any(String), amount: 12_345n, currency: 'USD', period: null, refunded: 0n }
    expect(await read()).toEqual({
      status: 'completed',
      subscription_id: null,
      payment: { ...payment, paid_at: expect.any(Date) },
    })
    expect(world.journal.net(sale.checkout_id)).toBe(12_345n)
  })

  test('a call that is repeated after a lost response opens the same checkout', async () => {
    const before = world.stripe.sessions().length
    const sale = saleOf()
    world.stripe.failNext({ kind: 'lost', works: true }, { path: '/v1/checkout/sessions' })
    await expect(stripe.openCheckout(t.deps, sale)).rejects.toMatchObject({ kind: 'unknown' })
    const first = await stripe.openCheckout(t.deps, sale)
    expect(await stripe.openCheckout(t.deps, sale)).toEqual(first)
    expect(world.stripe.sessions()).toHaveLength(before + 1)
  })

  test('a workspace that paid before keeps its customer, unless it was deleted at Stripe', async () => {
    const { now } = await subscribed()
    const { customer_id } = await now()
    await opened({ customer_id })
    expect(lastCall('/v1/checkout/sessions').form).toMatchObject({ customer: customer_id })
    await opened({ customer_id: 'cus_gone' })
    const { form } = lastCall('/v1/checkout/sessions')
    expect(form).toMatchObject({ customer_email: 'ada@example.com' })
    expect(form).not.toHaveProperty('customer')
  })

  test('a price with several currencies is charged in the one that was shown', async () => {
    const price_ref = world.stripe.createPrice({ amount: 1500, currency: 'usd', currencies: { try: 49_900 } })
    const { now } = await subscribed({ price_ref })
    expect(await now()).toMatchObject({ payments: [{ amount: 49_900n, currency: 'TRY' }] })
  })

  test.each([
    ['minutes', 60_000, 31],
    ['hours', 5 * HOUR, 300],
    ['days', 9 * DAY, 1439],
  ])('a checkout that expires in %s is open for as long as Stripe allows', async (_, ms, minutes) => {
    const { checkout } = await opened({ expires_at: new Date(t.clock.now().getTime() + ms) })
    expect(Math.round((checkout.expires_at.getTime() - t.clock.now().getTime()) / 60_000)).toBe(minutes)
  })
})

describe('the price at Stripe', () => {
  const create = (fields: Partial<Parameters<typeof world.stripe.createPrice>[0]> = {}) =>
    world.stripe.createPrice({ amount: 49_900, currency: 'try', ...fields })

  test.each([
    [
      'another amount',
      () => create({ amount: 59_900 }),
      'is 599.00 TRY per month, but the plan is 499.00 TRY per month',
    ],
    ['another interval', () => create({ interval: 'year' }), 'is 499.00 TRY per year'],
    ['no interval', () => create({ interval: null }), 'is 499.00 TRY per payment'],
    ['another currency', () => create({ currency: 'usd' }), 'is not in TRY'],
    ['an unknown id', () => 'price_unknown', 'Stripe has no price price_unknown.'],
    ['no id', () => '', 'The plan has no price at Stripe.'],
  ])('a price with %s is refused before the payer sees it', async (_, price, message) => {
    const before = world.stripe.sessions().length
    const refusal = expect.objectContaining({ kind: 'refused', message: expect.stringContaining(message) })
    await expect(stripe.openCheckout(t.deps, saleOf({ recurring: recurringOf(price()) }))).rejects.toEqual(refusal)
    expect(world.stripe.sessions()).toHaveLength(before)
  })
})

describe('closing a checkout', () => {
  test('a closed checkout can no longer be paid, and closing it again changes nothing', async () => {
    const { sale, checkout, read } = await opened()
    await stripe.closeCheckout(t.deps, checkout.ref)
    await stripe.closeCheckout(t.deps, checkout.ref)
    expect(world.stripe.payCheckout(checkout.ref).paid).toBe(false)
    expect(await read()).toEqual({ status: 'expired' })
    expect(world.journal.charges(sale.checkout_id)).toEqual([])
  })

  test('a paid checkout stays paid', async () => {
    const { checkout, read } = await opened()
    world.stripe.payCheckout(checkout.ref)
    await stripe.closeCheckout(t.deps, checkout.ref)
    expect(await read()).toMatchObject({ status: 'completed' })
  })
})

describe('a subscription at Stripe', () => {
  test('a renewal is reported as another payment, oldest first, with the next period', async () => {
    const { now, net } = await subscribed()
    const before = await now()
    pass(32 * DAY)
    const after = await now()
    expect(after.period?.start).toEqual(before.period?.end)
    expect(after.payments.map(({ period }) => period)).toEqual([before.period, after.period])
    expect(net()).toBe(99_800n)
  })

  test('a renewal that fails is reported with its reason and an address to pay at, until it is given up', async () => {
    const { now } = await subscribed()
    const { customer_id } = await now()
    world.stripe.setCard(customer_id ?? '', 'declined')
    pass(32 * DAY)
    expect(await now()).toMatchObject({
      status: 'past_due',
      payments: [{ amount: 49_900n }],
      failed_payment: {
        id: expect.stringMatching(/^pi_/),
        amount: 49_900n,
        currency: 'TRY',
        message: 'Your card has insufficient funds.',
        pay_url: expect.stringContaining('/invoice/'),
      },
    })
    pass(30 * DAY)
    expect(await now()).toMatchObject({ status: 'expired' })
  })

  test('the end with the period can be set and undone any number of times', async () => {
    const { id, now } = await subscribed()
    for (const cancel of [true, true, false, true, false, true]) {
      await stripe.setCancelAtPeriodEnd(t.deps, id, cancel)
      expect(await now()).toMatchObject({ status: 'active', cancel_at_period_end: cancel })
    }
    pass(32 * DAY)
    expect(await now()).toMatchObject({ status: 'canceled', payments: [{ amount: 49_900n }] })
  })

  test('ending one at once voids its open invoice, and may be repeated after a lost response', async () => {
    const { id, now, net } = await subscribed()
    world.stripe.setCard((await now()).customer_id ?? '', 'declined')
    pass(32 * DAY)
    world.stripe.failNext({ kind: 'lost', works: true }, { method: 'DELETE' })
    await expect(stripe.cancelNow(t.deps, id)).rejects.toMatchObject({ kind: 'unknown' })
    await stripe.cancelNow(t.deps, id)
    await stripe.cancelNow(t.deps, id)
    expect(await now()).toMatchObject({ status: 'canceled', failed_payment: null })
    pass(60 * DAY)
    expect(net()).toBe(49_900n)
  })

  test('one that Stripe does not have is null, and ending it is no error', async () => {
    expect(await stripe.readSubscription(t.deps, 'sub_unknown')).toBeNull()
    await stripe.cancelNow(t.deps, 'sub_unknown')
  })

  test('the payment method is its card, and its page is that of the customer', async () => {
    const { id, now } = await subscribed()
    const { customer_id } = await now()
    const expires = expect.stringMatching(/^\d{4}-\d\d$/)
    expect(await stripe.readPaymentMethod(t.deps, { id, customer_id })).toEqual({
      brand: 'visa',
      last4: '4242',
      expires,
    })
    const url = await stripe.paymentMethodUrl(t.deps, { id, customer_id: null }, 'https://meydan.test/billing')
    expect(url).toContain(customer_id)
    expect(lastCall('/v1/billing_portal/sessions').form).toMatchObject({
      return_url: 'https://meydan.test/billing',
      'flow_data[type]': 'payment_method_update',
    })
  })
})

describe('changing the price', () => {
  const larger = () => world.stripe.createPrice({ amount: 149_900, currency: 'try' })
  const change = (id: string, price_ref: string, when: 'now' | 'at_renewal', key = randomUUID()) =>
    stripe.changePrice(t.deps, { id, price_ref, when, key })

  test('to a larger plan now, the difference is charged at once, once', async () => {
    const { id, now, net } = await subscribed()
    const price_ref = larger()
    const key = randomUUID()
    pass(15 * DAY)
    world.stripe.failNext({ kind: 'lost', works: true }, { method: 'POST', path: `/v1/subscriptions/${id}` })
    await expect(change(id, price_ref, 'now', key)).rejects.toMatchObject({ kind: 'unknown' })
    await change(id, price_ref, 'now', key)
    const { payments, ...subscription } = await now()
    expect(subscription).toMatchObject({ status: 'active', price_ref })
    expect(payments).toHaveLength(2)
    expect(payments[1]?.period?.end).toEqual(subscription.period?.end)
    expect(payments[0]?.amount).toBe(49_900n)
    expect(net()).toBe(payments.reduce((sum, { amount }) => sum + amount, 0n))
    expect(net()).toBeLessThan(149_900n)
  })

  test('a card that is declined leaves the plan and the money as they were', async () => {
    const { id, price_ref, now, net } = await subscribed()
    world.stripe.declineNext()
    const declined = { kind: 'declined', message: 'Your card has insufficient funds.' }
    await expect(change(id, larger(), 'now')).rejects.toMatchObject(declined)
    expect(await now()).toMatchObject({ status: 'active', price_ref })
    expect(net()).toBe(49_900n)
  })

  test('at renewal, nothing is charged before, and the new price then', async () => {
    const price_ref = world.stripe.createPrice({ amount: 19_900, currency: 'try' })
    const { id, now, net } = await subscribed()
    pass(29 * DAY)
    await change(id, price_ref, 'at_renewal')
    expect(await now()).toMatchObject({ status: 'active', price_ref, payments: [{ amount: 49_900n }] })
    pass(3 * DAY)
    expect(await now()).toMatchObject({ payments: [{ amount: 49_900n }, { amount: 19_900n }] })
    expect(net()).toBe(69_800n)
  })

  test('from yearly to monthly at renewal, the paid year runs to its end', async () => {
    const yearly = world.stripe.createPrice({ amount: 499_000, currency: 'try', interval: 'year' })
    const { id, now, net } = await subscribed({ price_ref: yearly, period: 'yearly' }, { amount: 499_000n })
    const { period } = await now()
    pass((period?.end.getTime() ?? 0) - world.now().getTime() - HOUR)
    const price_ref = monthly()
    await change(id, price_ref, 'at_renewal')
    await change(id, price_ref, 'at_renewal')
    expect((await now()).period?.end).toEqual(period?.end)
    expect(net()).toBe(499_000n)
    pass(3 * HOUR)
    const after = await now()
    expect(after).toMatchObject({ status: 'active', price_ref, period: { start: period?.end } })
    expect(after.payments.map(({ amount }) => amount)).toEqual([499_000n, 49_900n])
    expect(net()).toBe(548_900n)
  })
})
