import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../../../test/app.ts'
import type { PaymentServers } from '../../../../../test/stand-ins/payment-providers/payment-servers.ts'
import { type Billing, billingApp } from '../../billing.fixture.ts'
import { majorOf, minorOf } from '../calls.ts'
import { expectError, saleWith } from '../provider.fixture.ts'
import type { Sale } from '../provider.ts'
import { paytrHash } from './client.ts'
import { paytr } from './index.ts'

let billing: Billing
let t: TestApp
let world: PaymentServers
beforeAll(async () => {
  billing = await billingApp('paytr', { PAYTR_TEST_MODE: 'true' })
  ;({ t, world } = billing)
  // Orders cannot be refunded until their callback is acknowledged.
  world.webhooks.hold()
})
afterAll(() => billing?.close())
beforeEach(() => {
  world.paytr.mend()
  world.journal.clear()
})

const sale = (changes: Partial<Sale> = {}) =>
  saleWith({ expires_at: new Date(t.clock.now().getTime() + 45 * 60_000), ...changes })
const tokenOf = (url: string | null) => url?.split('/').at(-1) ?? ''
const stateOf = ({ checkout_id, currency }: Sale, ref: string) =>
  paytr.readCheckout(t.deps, { id: checkout_id, ref, currency })

/** Pays an order, whose callback counts as acknowledged. Returns its id. */
async function payOrder(wanted = sale(), fee = 0n) {
  const { ref, url } = await paytr.openCheckout(t.deps, wanted)
  world.paytr.pay(tokenOf(url), { fee })
  const order = world.paytr.order(ref)
  if (order) order.acknowledged = true
  return ref
}
const callbackOf = (order: string) => {
  const webhook = world.webhooks.list({ provider: 'paytr' }).find(({ body }) => body.includes(order))
  if (!webhook) throw new Error(`No callback of ${order}`)
  return webhook.body
}
const verify = (body: string) => paytr.verifyWebhook(t.deps, Buffer.from(body), {})

test('hashes are those of the protocol', () => {
  const salt = 'TESTSALT'
  const basket = 'W1siUHJvIG1vbnRobHkiLCIzNC41NiIsMV1d'
  const order = ['123456', '203.0.113.7', 'SUB0001', 'a@b.co', '3456', basket, '1', '0', 'TL', '1']
  expect(paytrHash('TESTKEY', ...order, salt)).toBe('NkzRjup2AfPscaKL2HgI8t+zphzBSl0i7KJ0LovQZOU=')
  expect(paytrHash('TESTKEY', 'SUB0001', salt, 'success', '3456')).toBe('tvLvnNaHWObyF64M2BjADHO/bHgXs10VTaF/rAx3v9U=')
  expect(paytrHash('TESTKEY', '123456', 'SUB0001', '10.25', salt)).toBe('/IXHrWFy5CgNaL692y86w1rtdKqYzz9BeGyh4DxCvfc=')
  expect(paytrHash('TESTKEY', '123456', 'SUB0001', salt)).toBe('M9rFPl5EpBBmd08nEbxiGPtEdgY9tE0sn4EVWqzsPxI=')
})

test('amounts are converted without rounding', () => {
  for (const [minor, major] of [
    [1n, '0.01'],
    [10n, '0.10'],
    [29_990n, '299.90'],
    [1_000_000_000n, '10000000.00'],
  ] as const) {
    expect(majorOf(minor)).toBe(major)
    expect(minorOf(major)).toBe(minor)
    expect(minorOf(Number(major))).toBe(minor)
    expect(minorOf(`${major}000000`)).toBe(minor)
  }
  for (const wrong of ['1.234', '-1', '1,5', '', 'NaN']) expect(() => minorOf(wrong)).toThrow('Not an amount')
})

describe('checkout', () => {
  test('opens an iframe for an order with the id of the checkout', async () => {
    const wanted = sale()
    const opened = await paytr.openCheckout(t.deps, wanted)
    expect(opened.ref).toBe(wanted.checkout_id.replaceAll('-', ''))
    expect(opened.url).toMatch(/\/odeme\/guvenli\/\w+$/)
    expect(opened.expires_at).toEqual(wanted.expires_at)
    const fields = Object.fromEntries(world.paytr.order(opened.ref)?.fields ?? [])
    expect(fields).toMatchObject({
      payment_amount: '49900',
      currency: 'TL',
      no_installment: '1',
      test_mode: '1',
      timeout_limit: '45',
      lang: 'tr',
      merchant_ok_url: wanted.return_url,
      merchant_fail_url: wanted.return_url,
    })
    expect(JSON.parse(Buffer.from(fields.user_basket ?? '', 'base64').toString())).toEqual([
      ['Pro, monthly', '499.00', 1],
    ])
    expect(await stateOf(wanted, opened.ref)).toEqual({ status: 'open' })
  })

  test('a paid order is completed with what was charged', async () => {
    const wanted = sale({ currency: 'USD', amount: 1_501n })
    const order = await payOrder(wanted, 99n)
    const [charge] = world.journal.charges(order)
    const payment = { id: order, amount: 1_600n, currency: 'USD', period: null, refunded: 0n }
    const state = await stateOf(wanted, order)
    expect(state).toMatchObject({ status: 'completed', subscription_id: null, payment })
    expect(charge).toMatchObject({ amount: 1_600n, currency: 'USD' })
    expect(await paytr.readPayment(t.deps, order, 'USD')).toMatchObject(payment)
  })

  test('what PayTR refuses is refused with its reason', async () => {
    const wanted = sale()
    await paytr.openCheckout(t.deps, wanted)
    await expectError(paytr.openCheckout(t.deps, wanted), 'refused')
    await expectError(paytr.openCheckout(t.deps, sale({ amount: 0n })), 'refused')
  })

  test('without a response, nothing can be paid and a later call may succeed', async () => {
    world.paytr.failNext({ kind: 'lost', works: true })
    await expectError(paytr.openCheckout(t.deps, sale()), 'unavailable')
    world.paytr.failNext({ kind: 'garbage', works: false })
    await expectError(stateOf(sale(), 'a'), 'unavailable')
  })
})

describe('callback', () => {
  test('names the checkout of a paid and of a failed order', async () => {
    const wanted = sale()
    const order = await payOrder(wanted)
    const refs = { checkout_id: wanted.checkout_id, checkout_ref: order, payment_id: order }
    expect(await verify(callbackOf(order))).toEqual({ id: `${order}:success`, type: 'payment.success', refs })
    const declined = sale()
    const opened = await paytr.openCheckout(t.deps, declined)
    world.paytr.pay(tokenOf(opened.url), { card: 'declined' })
    expect(await verify(callbackOf(opened.ref))).toMatchObject({
      id: `${opened.ref}:failed`,
      refs: { checkout_id: declined.checkout_id },
      failed: true,
    })
    expect(await stateOf(declined, opened.ref)).toEqual({ status: 'open' })
  })

  test('a change of anything that the hash covers is refused', async () => {
    const order = await payOrder()
    const body = callbackOf(order)
    for (const [name, value] of [
      ['status', 'failed'],
      ['total_amount', '1'],
      ['merchant_oid', '0'.repeat(32)],
      ['hash', ''],
    ] as const) {
      const fields = new URLSearchParams(body)
      fields.set(name, value)
      expect(await verify(fields.toString())).toBeNull()
    }
    expect(await verify('')).toBeNull()
  })

  test('an order of another system is about no checkout', async () => {
    const { merchantKey, merchantSalt } = world.paytr
    const hash = paytrHash(merchantKey, 'SHOP1', merchantSalt, 'success', '100')
    const body = new URLSearchParams({ merchant_oid: 'SHOP1', status: 'success', total_amount: '100', hash })
    expect((await verify(body.toString()))?.refs).toEqual({ checkout_ref: 'SHOP1', payment_id: 'SHOP1' })
  })
})

describe('refund', () => {
  test('a lost response is recognised, and the same refund is not made twice', async () => {
    const order = await payOrder()
    const key = crypto.randomUUID()
    const wish = { payment_id: order, amount: 1_025n, currency: 'TRY', key } as const
    world.paytr.failNext({ kind: 'lost', works: true }, { path: '/odeme/iade' })
    await expectError(paytr.refund(t.deps, wish), 'unknown')
    expect(await paytr.refund(t.deps, wish)).toEqual({ status: 'succeeded', id: key.replaceAll('-', '') })
    expect(world.journal.refunds(order)).toMatchObject([{ amount: 1_025n }])
    expect((await paytr.readPayment(t.deps, order, 'TRY'))?.refunded).toBe(1_025n)
  })

  test('never exceeds what was paid', async () => {
    const order = await payOrder()
    const wish = { payment_id: order, amount: 30_000n, currency: 'TRY' } as const
    await paytr.refund(t.deps, { ...wish, key: 'first' })
    await expectError(paytr.refund(t.deps, { ...wish, key: 'second' }), 'refused')
    await expectError(paytr.refund(t.deps, { ...wish, payment_id: 'unknown', key: 'third' }), 'refused')
    expect(world.journal.net(order)).toBe(19_900n)
  })
})

test('the test of the settings names the merchant, and reports wrong keys', async () => {
  expect(await paytr.test(t.deps)).toBe('Merchant 123456, test mode')
  const secret = async () => 'wrong'
  await expectError(paytr.test({ ...t.deps, options: { ...t.deps.options, secret } }), 'not_configured')
  const none = async () => undefined
  await expectError(paytr.test({ ...t.deps, options: { ...t.deps.options, secret: none } }), 'not_configured')
})
