import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../../../test/app.ts'
import { freePort } from '../../../../../test/processes.ts'
import type { PaymentServers } from '../../../../../test/stand-ins/payment-providers/payment-servers.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { type Billing, billingApp } from '../../billing.fixture.ts'
import { saleWith } from '../provider.fixture.ts'
import type { ProviderErrorKind } from '../provider.ts'
import { stripe } from './index.ts'

let billing: Billing
let t: TestApp
let world: PaymentServers
beforeAll(async () => {
  billing = await billingApp('stripe')
  ;({ t, world } = billing)
})
afterAll(() => billing?.close())

const DAY = 86_400_000

const saleOf = (checkout_id: string) =>
  saleWith({
    checkout_id,
    description: 'Three posts',
    amount: 10_000n,
    expires_at: new Date(t.clock.now().getTime() + 3_600_000),
  })

/** A payment of 100 lira. */
async function paid() {
  const checkout_id = randomUUID()
  const { ref } = await stripe.openCheckout(t.deps, saleOf(checkout_id))
  world.stripe.payCheckout(ref)
  const state = await stripe.readCheckout(t.deps, { id: checkout_id, ref, currency: 'TRY' })
  const payment_id = state.status === 'completed' ? (state.payment?.id ?? '') : ''
  return {
    payment_id,
    read: () => stripe.readPayment(t.deps, payment_id, 'TRY'),
    refund: (amount: bigint, key: string) => stripe.refund(t.deps, { payment_id, amount, currency: 'TRY', key }),
    net: () => world.journal.net(checkout_id),
  }
}

describe('refunding a payment', () => {
  test('parts are returned until nothing is left', async () => {
    const { read, refund, net } = await paid()
    expect(await refund(2500n, 'first')).toEqual({ status: 'succeeded', id: expect.stringMatching(/^re_/) })
    expect(await read()).toMatchObject({ amount: 10_000n, refunded: 2500n })
    await refund(7500n, 'second')
    await expect(refund(1n, 'third')).rejects.toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('has already been refunded'),
    })
    expect(net()).toBe(0n)
  })

  test('one with the same key is made once, after a lost response and also days later', async () => {
    const { refund, net } = await paid()
    world.stripe.failNext({ kind: 'lost', works: true }, { method: 'POST', path: '/v1/refunds' })
    await expect(refund(2500n, 'once')).rejects.toMatchObject({ kind: 'unknown' })
    const { id } = await refund(2500n, 'once')
    t.advance(3 * DAY)
    expect(await refund(2500n, 'once')).toEqual({ status: 'succeeded', id })
    expect(net()).toBe(7500n)
  })
})

describe('reading a payment', () => {
  test('what was refunded at Stripe itself is reported', async () => {
    const { payment_id, read } = await paid()
    world.stripe.refundInDashboard(payment_id, 4000)
    expect(await read()).toMatchObject({ id: payment_id, period: null, refunded: 4000n })
  })

  test('that of a subscription has its period', async () => {
    const price_ref = world.stripe.createPrice({ amount: 10_000, currency: 'try' })
    const recurring = { plan_code: 'pro', period: 'monthly' as const, price_ref, trial_days: 0 }
    const sale = { ...saleOf(randomUUID()), recurring }
    const { ref } = await stripe.openCheckout(t.deps, sale)
    world.stripe.payCheckout(ref)
    const state = await stripe.readCheckout(t.deps, { id: sale.checkout_id, ref, currency: 'TRY' })
    const id = state.status === 'completed' ? (state.subscription_id ?? '') : ''
    const [payment] = (await stripe.readSubscription(t.deps, id))?.payments ?? []
    expect(payment?.period).not.toBeNull()
    expect(await stripe.readPayment(t.deps, payment?.id ?? '', 'TRY')).toEqual(payment)
  })

  test('one that Stripe does not have is null', async () => {
    expect(await stripe.readPayment(t.deps, 'pi_unknown', 'TRY')).toBeNull()
  })
})

describe('a call that fails', () => {
  const lost = { kind: 'lost', works: true } as const
  const error = (status: number) => ({ kind: 'error', status, works: false }) as const
  const cases: [string, Parameters<typeof world.stripe.failNext>[0], ProviderErrorKind, ProviderErrorKind][] = [
    ['a closed connection', lost, 'unavailable', 'unknown'],
    ['status 500', error(500), 'unavailable', 'unknown'],
    ['status 503', error(503), 'unavailable', 'unknown'],
    ['a page in place of JSON', { kind: 'garbage', works: true }, 'unavailable', 'unknown'],
    ['status 409', error(409), 'unavailable', 'unavailable'],
    ['status 429', error(429), 'unavailable', 'unavailable'],
    ['status 403', error(403), 'not_configured', 'not_configured'],
    ['status 402', error(402), 'declined', 'declined'],
    ['status 400', error(400), 'refused', 'refused'],
  ]

  test.each(cases)('%s is made once, and reported as certain or not', async (_, fault, reading, writing) => {
    for (const [method, call, kind] of [
      ['GET', () => stripe.readPayment(t.deps, 'pi_unknown', 'TRY'), reading],
      ['POST', () => stripe.openCheckout(t.deps, saleOf(randomUUID())), writing],
    ] as const) {
      const before = world.stripe.calls.length
      world.stripe.failNext(fault, { method })
      await expect(call()).rejects.toMatchObject({ name: 'Error', kind })
      expect(world.stripe.calls).toHaveLength(before + 1)
    }
  })

  const withConfig = (config: Partial<Deps['config']>): Deps => ({ ...t.deps, config: { ...t.deps.config, ...config } })

  test('a connection that was refused certainly had no effect', async () => {
    const deps = withConfig({ STRIPE_URL: `http://127.0.0.1:${await freePort()}` })
    await expect(stripe.openCheckout(deps, saleOf(randomUUID()))).rejects.toMatchObject({ kind: 'unavailable' })
  })

  test('a key that is missing, or that Stripe refuses, is a matter of the settings', async () => {
    const options = (key: string | undefined) => ({ ...t.deps.options, secret: async () => key })
    for (const key of [undefined, 'sk_test_wrong'])
      await expect(stripe.test({ ...t.deps, options: options(key) })).rejects.toMatchObject({ kind: 'not_configured' })
  })
})

test('the test of the settings names the account and its mode, and changes nothing', async () => {
  const before = world.stripe.calls.length
  expect(await stripe.test(t.deps)).toMatch(/^.+, test mode$/)
  expect(world.stripe.calls.slice(before).map(({ method }) => method)).toEqual(['GET', 'GET'])
})
