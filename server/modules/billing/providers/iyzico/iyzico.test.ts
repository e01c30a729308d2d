import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../../../test/app.ts'
import type { PaymentServers } from '../../../../../test/stand-ins/payment-providers/payment-servers.ts'
import { type Billing, billingApp } from '../../billing.fixture.ts'
import { expectError, saleWith } from '../provider.fixture.ts'
import type { Sale } from '../provider.ts'
import { iyzico } from './index.ts'
import { hostedPage } from './page-html.ts'
import { authorization, webhookSignature } from './signatures.ts'

const DAY = 86_400_000
let billing: Billing
let t: TestApp
let world: PaymentServers
beforeAll(async () => {
  billing = await billingApp('iyzico')
  ;({ t, world } = billing)
})
afterAll(() => billing?.close())
beforeEach(() => {
  world.iyzico.mend()
  world.journal.clear()
})

const buyer = { name: 'Ada', surname: 'Lovelace', phone: '+905350000000', identity_number: '11111111111' }
const address = { line1: 'Bir sokak 1', city: 'İstanbul', country: 'TR', postal: '34000' }
let payers = 0
/** A sale to a new person, of a subscription by default. */
function sale(price_ref: string | null, changes: Partial<Sale> = {}, trial_days = 0): Sale {
  payers++
  return saleWith({
    recurring: price_ref === null ? null : { plan_code: 'pro', period: 'monthly', price_ref, trial_days },
    payer: { email: `ada${payers}@example.com`, name: 'Ada Lovelace', ip: '203.0.113.7', locale: 'tr' },
    buyer,
    address,
    expires_at: new Date(t.clock.now().getTime() + DAY),
    ...changes,
  })
}
const newPlan = (price = 49_900n, trialDays = 0) => world.iyzico.createPlan({ price, trialDays })
const stateOf = (wanted: Sale, ref: string) =>
  iyzico.readCheckout(t.deps, { id: wanted.checkout_id, ref, currency: wanted.currency })
const read = async (id: string) => {
  const subscription = await iyzico.readSubscription(t.deps, id)
  if (!subscription) throw new Error(`No subscription ${id}`)
  return subscription
}

/** Opens a checkout and pays it. Returns the id of the subscription. */
async function subscribe(plan: string, trial_days = 0) {
  const wanted = sale(plan, {}, trial_days)
  const { ref } = await iyzico.openCheckout(t.deps, wanted)
  world.iyzico.payForm(ref)
  const state = await stateOf(wanted, ref)
  if (state.status !== 'completed' || !state.subscription_id) throw new Error(`The checkout is ${state.status}`)
  return state.subscription_id
}
async function payOnce() {
  const wanted = sale(null)
  const { ref } = await iyzico.openCheckout(t.deps, wanted)
  world.iyzico.payForm(ref.replace('payment:', ''))
  const state = await stateOf(wanted, ref)
  if (state.status !== 'completed' || !state.payment) throw new Error(`The checkout is ${state.status}`)
  return state.payment
}

describe('signatures', () => {
  test('calls are signed as the published examples are', () => {
    const example = { apiKey: 'api_key', secretKey: 'secret_key', random: 'random_string', path: 'uri', body: '"body"' }
    expect(authorization(example)).toBe(
      'IYZWSv2 YXBpS2V5OmFwaV9rZXkmcmFuZG9tS2V5OnJhbmRvbV9zdHJpbmcmc2lnbmF0dXJlOjAxNzUwODkyMWEyOWVlNTYwMWJjZDFmYmU4M2VmZDJlMmJlNDNhZjAyZWNlZmYzMGNmMmU5MWE1MzlhYWIzNTU=',
    )
    const call = {
      apiKey: 'sandbox-key',
      secretKey: 'sandbox-secret',
      random: '123456789',
      path: '/v2/subscription/checkoutform/initialize',
      body: '{"locale":"tr","conversationId":"conv-1"}',
    }
    const decoded = Buffer.from(authorization(call).replace('IYZWSv2 ', ''), 'base64').toString()
    expect(decoded).toBe(
      'apiKey:sandbox-key&randomKey:123456789&signature:633f56df4bc8d86ace6baab85ad1f6dfa767d7ca7567e3ede95b80f17ae160c8',
    )
  })

  test('webhooks are verified as the published examples are', () => {
    const secret = 'sandbox-UuLnD7wZa0a3DmytfIrwHQqAMfqCNJrs'
    const token = 'e828c62d-fd12-4b1a-ad5a-380f15fe6596'
    expect(
      webhookSignature(secret, [secret, 'CHECKOUT_FORM_AUTH', '22483975', token, 'conversationId', 'SUCCESS']),
    ).toBe('4031c575763486a2d2bf3f7ace0baebfcd6bed65393ab4df3fe80c00d5fd6878')
    expect(webhookSignature(secret, [secret, 'API_AUTH', '22484059', 'conversationId', 'SUCCESS'])).toBe(
      '92c7a72b7741bc83eb696066605c894778c87297b2c88d6037670666230e18ae',
    )
    const subscription = ['123456', 'sandbox-secret', 'subscription.order.success', 'sub-1', 'ord-1', 'cus-1']
    expect(webhookSignature('sandbox-secret', subscription)).toBe(
      'dcd76f641d78e664b4d7955e9cce029586285fc30de245bfebdf33576b262d3e',
    )
  })
})

describe('subscription checkout', () => {
  test('opens a form on a page of Meydan, and a paid one is a subscription with its payment', async () => {
    const wanted = sale(newPlan())
    const opened = await iyzico.openCheckout(t.deps, wanted)
    expect(opened.url).toBe(`/billing/iyzico/pay/${opened.ref}`)
    expect(opened.form_html).toContain(`token:"${opened.ref}"`)
    expect(opened.expires_at).toEqual(new Date(t.clock.now().getTime() + 30 * 60_000))
    expect(await stateOf(wanted, opened.ref)).toEqual({ status: 'open' })

    world.iyzico.payForm(opened.ref)
    const state = await stateOf(wanted, opened.ref)
    expect(state).toMatchObject({ status: 'completed', payment: null })
    const [charge] = world.journal.charges(opened.ref)
    const subscription = await read((state.status === 'completed' && state.subscription_id) || '')
    expect(subscription).toMatchObject({
      status: 'active',
      trial_end: null,
      price_ref: wanted.recurring?.price_ref,
      failed_payment: null,
      payments: [{ id: charge?.id, amount: 49_900n, currency: 'TRY', refunded: null }],
    })
    expect(subscription.period).toEqual(subscription.payments[0]?.period)
    expect(subscription.payments[0]?.paid_at).toEqual(charge?.at)
    expect(await iyzico.readPaymentMethod(t.deps, subscription)).toMatchObject({ last4: '0008' })
  })

  test('sends the parties of the sale in the fields of iyzico', async () => {
    const wanted = sale(newPlan())
    const { ref } = await iyzico.openCheckout(t.deps, wanted)
    const form = world.iyzico.forms().find(({ token }) => token === ref)
    const place = { contactName: 'Ada Lovelace', city: 'İstanbul', country: 'Türkiye', address: 'Bir sokak 1' }
    expect(form?.body).toMatchObject({
      locale: 'tr',
      conversationId: wanted.checkout_id,
      callbackUrl: wanted.callback_url,
      customer: {
        name: 'Ada',
        gsmNumber: '+905350000000',
        identityNumber: '11111111111',
        billingAddress: { ...place, zipCode: '34000' },
      },
    })
  })

  test('a plan at iyzico that charges something else than was shown is refused before a form is opened', async () => {
    const forms = world.iyzico.forms().length
    const message = await expectError(iyzico.openCheckout(t.deps, sale(newPlan(59_900n))), 'refused')
    expect(message).toContain('is 599.00 TRY per month, but the plan is 499.00 TRY per month.')
    await expectError(iyzico.openCheckout(t.deps, sale(newPlan(), { currency: 'USD' })), 'refused')
    const yearly = world.iyzico.createPlan({ price: 49_900n, interval: 'YEARLY' })
    await expectError(iyzico.openCheckout(t.deps, sale(yearly)), 'refused')
    const trial = await expectError(iyzico.openCheckout(t.deps, sale(newPlan(49_900n, 14), {}, 0)), 'refused')
    expect(trial).toContain('has 14 trial days, not 0')
    expect(await expectError(iyzico.openCheckout(t.deps, sale('unknown')), 'refused')).toContain(
      'no pricing plan unknown',
    )
    expect(world.iyzico.forms()).toHaveLength(forms)
  })

  test('a sale without a buyer or an address is refused', async () => {
    await expectError(iyzico.openCheckout(t.deps, sale(newPlan(), { buyer: null })), 'refused')
    const message = await expectError(iyzico.openCheckout(t.deps, sale(newPlan(), { address: null })), 'refused')
    expect(message).toContain('billing address')
  })

  test('a declined card leaves the checkout open for another', async () => {
    const wanted = sale(newPlan())
    const { ref } = await iyzico.openCheckout(t.deps, wanted)
    world.iyzico.payForm(ref, { card: 'declined' })
    expect(await stateOf(wanted, ref)).toEqual({ status: 'open' })
    world.iyzico.payForm(ref)
    expect(await stateOf(wanted, ref)).toMatchObject({ status: 'completed' })
  })

  test('an unknown token is an expired checkout', async () => {
    expect(await stateOf(sale('any'), crypto.randomUUID())).toEqual({ status: 'expired' })
  })

  test('a trial has no payment until it ends', async () => {
    const id = await subscribe(newPlan(49_900n, 14), 14)
    const trialing = await read(id)
    expect(trialing).toMatchObject({ status: 'trialing', payments: [] })
    expect(trialing.trial_end).toEqual(trialing.period?.end)
    expect(trialing.trial_end).toEqual(new Date(t.clock.now().getTime() + 14 * DAY))
    t.advance(14 * DAY)
    expect(await read(id)).toMatchObject({ status: 'active', trial_end: null, payments: [{ amount: 49_900n }] })
  })
})

describe('single payment', () => {
  test('is made on a page of iyzico, and read with its refunds', async () => {
    const wanted = sale(null)
    const opened = await iyzico.openCheckout(t.deps, wanted)
    expect(opened.url).toContain(world.iyzico.url)
    expect(opened.form_html).toBeUndefined()
    expect(await stateOf(wanted, opened.ref)).toEqual({ status: 'open' })
    world.iyzico.payForm(opened.ref.replace('payment:', ''))
    const [charge] = world.journal.charges(wanted.checkout_id)
    const payment = {
      id: charge?.id,
      amount: 49_900n,
      currency: 'TRY',
      refunded: 0n,
      period: null,
      paid_at: charge?.at,
    }
    expect(await stateOf(wanted, opened.ref)).toEqual({ status: 'completed', subscription_id: null, payment })
    expect(await iyzico.readPayment(t.deps, charge?.id ?? '', 'TRY')).toEqual(payment)
    expect(await iyzico.readPayment(t.deps, '1', 'TRY')).toBeNull()
  })

  test('completes although the report of payments is not available', async () => {
    const wanted = sale(null)
    const { ref } = await iyzico.openCheckout(t.deps, wanted)
    world.iyzico.payForm(ref.replace('payment:', ''))
    world.iyzico.failAlways({ kind: 'error', status: 503, works: false }, { path: '/v2/reporting' })
    expect(await stateOf(wanted, ref)).toMatchObject({
      status: 'completed',
      payment: { amount: 49_900n, refunded: 0n },
    })
  })
})

describe('refund', () => {
  test('a lost response is recognised, and the same refund is not made twice', async () => {
    const { id } = await payOnce()
    const wish = { payment_id: id, amount: 10_025n, currency: 'TRY', key: crypto.randomUUID() } as const
    world.iyzico.failNext({ kind: 'lost', works: true }, { path: '/v2/payment/refund' })
    await expectError(iyzico.refund(t.deps, wish), 'unknown')
    expect(await iyzico.refund(t.deps, wish)).toMatchObject({ status: 'succeeded' })
    expect(world.journal.refunds(id)).toMatchObject([{ amount: 10_025n }])
    expect((await iyzico.readPayment(t.deps, id, 'TRY'))?.refunded).toBe(10_025n)
  })

  test('another refund of the same payment is made, up to what was paid', async () => {
    const { id } = await payOnce()
    const wish = { payment_id: id, amount: 30_000n, currency: 'TRY' } as const
    await iyzico.refund(t.deps, { ...wish, key: 'first' })
    await expectError(iyzico.refund(t.deps, { ...wish, key: 'second' }), 'refused')
    await iyzico.refund(t.deps, { ...wish, amount: 19_900n, key: 'third' })
    expect(world.journal.net(id)).toBe(0n)
    await expectError(iyzico.refund(t.deps, { ...wish, payment_id: '1', key: 'fourth' }), 'unavailable')
  })
})

describe('running subscription', () => {
  test('a renewal that is declined is past due, with what is open', async () => {
    const id = await subscribe(newPlan())
    world.iyzico.setCard(id, 'declined')
    t.advance(32 * DAY)
    const unpaid = await read(id)
    expect(unpaid).toMatchObject({
      status: 'past_due',
      payments: [{ amount: 49_900n }],
      failed_payment: { amount: 49_900n, currency: 'TRY', message: 'Kart limiti yetersiz, yetersiz bakiye' },
    })
  })

  test('an upgrade is followed from the former id, and a repeated one changes nothing', async () => {
    const id = await subscribe(newPlan())
    const larger = newPlan(149_900n)
    world.iyzico.failNext({ kind: 'lost', works: true }, { path: '/upgrade' })
    const change = { id, price_ref: larger, when: 'at_renewal', key: 'upgrade' } as const
    await expectError(iyzico.changePrice(t.deps, change), 'unknown')
    const before = world.iyzico.subscriptions().length
    const changed = await iyzico.changePrice(t.deps, change)
    expect(changed.id).not.toBe(id)
    expect(world.iyzico.subscriptions()).toHaveLength(before)
    // The period that was paid before goes on.
    const after = await read(id)
    expect(after).toMatchObject({
      id: changed.id,
      status: 'active',
      price_ref: larger,
      payments: [{ amount: 49_900n }],
    })
    expect(after.period?.end.getTime()).toBeGreaterThan(t.clock.now().getTime() + 27 * DAY)
    expect(await read(changed.id)).toEqual(after)
    t.advance(32 * DAY)
    expect((await read(id)).payments).toMatchObject([{ amount: 149_900n }, { amount: 49_900n }])
  })

  test('an upgrade now charges at once', async () => {
    const id = await subscribe(newPlan())
    const { id: child } = await iyzico.changePrice(t.deps, {
      id,
      price_ref: newPlan(149_900n),
      when: 'now',
      key: 'now',
    })
    expect(await read(child)).toMatchObject({ status: 'active', payments: [{ amount: 149_900n }] })
  })

  test('a cancellation ends it at once, whichever id it is known by, and can be repeated', async () => {
    const id = await subscribe(newPlan())
    await iyzico.changePrice(t.deps, { id, price_ref: newPlan(149_900n), when: 'at_renewal', key: 'later' })
    world.iyzico.failNext({ kind: 'lost', works: true }, { path: '/cancel' })
    // The state that is read afterwards shows that it was done.
    await iyzico.cancelNow(t.deps, id)
    await iyzico.cancelNow(t.deps, id)
    expect(await read(id)).toMatchObject({ status: 'canceled' })
    await iyzico.cancelNow(t.deps, crypto.randomUUID())
  })

  test('one that does not exist is null', async () => {
    expect(await iyzico.readSubscription(t.deps, crypto.randomUUID())).toBeNull()
  })
})

describe('errors', () => {
  test('a call without a response is unavailable, and unknown if it may have had an effect', async () => {
    const id = await subscribe(newPlan())
    for (const fault of [
      { kind: 'lost', works: false },
      { kind: 'error', status: 503, works: false },
      { kind: 'garbage', works: false },
    ] as const) {
      world.iyzico.failNext(fault, { method: 'GET' })
      await expectError(iyzico.readSubscription(t.deps, id), 'unavailable')
      world.iyzico.failNext(fault, { path: '/cancel' })
      await expectError(iyzico.cancelNow(t.deps, id), 'unknown')
    }
    const config = { ...t.deps.config, IYZICO_URL: 'http://127.0.0.1:9' }
    await expectError(iyzico.readSubscription({ ...t.deps, config }, id), 'unavailable')
  })

  test('wrong or missing keys are reported as such', async () => {
    expect(await iyzico.test(t.deps)).toMatch(/products for subscriptions, live$/)
    const secret = async (key: string) => (key === 'iyzico.secret_key' ? 'wrong' : 'sandbox-key')
    await expectError(iyzico.test({ ...t.deps, options: { ...t.deps.options, secret } }), 'not_configured')
    const none = async () => undefined
    await expectError(iyzico.test({ ...t.deps, options: { ...t.deps.options, secret: none } }), 'not_configured')
  })
})

describe('webhook', () => {
  const lastOf = (type: string) => {
    const webhook = world.webhooks.list({ provider: 'iyzico', type }).at(-1)
    if (!webhook) throw new Error(`No webhook ${type}`)
    return webhook
  }
  const signed = (body: string, signature: string) =>
    iyzico.verifyWebhook(t.deps, Buffer.from(body), { 'x-iyz-signature-v3': signature })

  test('names the subscription of an order, and the checkout of a single payment', async () => {
    const id = await subscribe(newPlan())
    const order = JSON.parse(lastOf('subscription.order.success').body)
    const { secretKey, merchantId } = world.iyzico
    const fields = [order.iyziEventType, id, order.orderReferenceCode, order.customerReferenceCode]
    const signature = webhookSignature(secretKey, [merchantId, secretKey, ...fields])
    expect(await signed(JSON.stringify(order), signature)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64} \d+$/),
      type: 'subscription.order.success',
      refs: { subscription_id: id },
    })
    const { id: payment_id } = await payOnce()
    const paid = JSON.parse(lastOf('CHECKOUT_FORM_AUTH').body)
    const text = [secretKey, 'CHECKOUT_FORM_AUTH', payment_id, paid.token, paid.paymentConversationId, 'SUCCESS']
    expect(await signed(JSON.stringify(paid), webhookSignature(secretKey, text))).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64} \d+$/),
      type: 'CHECKOUT_FORM_AUTH',
      refs: { checkout_id: paid.paymentConversationId, checkout_ref: `payment:${paid.token}`, payment_id },
    })
    const forged = { ...paid, status: 'FAILURE' }
    expect(await signed(JSON.stringify(forged), webhookSignature(secretKey, text))).toBeNull()
  })

  test('without a valid signature is refused', async () => {
    await subscribe(newPlan())
    const { body } = lastOf('subscription.order.success')
    expect(await signed(body, 'ab')).toBeNull()
    expect(await iyzico.verifyWebhook(t.deps, Buffer.from(body), {})).toBeNull()
    expect(await signed('{', 'ab')).toBeNull()
    expect(await signed('{"iyziReferenceCode":"a","iyziEventType":"b"}', 'ab')).toBeNull()
  })
})

test('the page around a form lets only the scripts of the form run, and escapes its texts', () => {
  const form_html = '<script type="text/javascript">iyziInit()</script>'
  const { html, policy } = hostedPage(
    { language: 'tr', description: '<b>Pro</b>', form_html, back: '/w/a/billing?"' },
    'https://api.iyzipay.com',
  )
  expect(html).toContain('&lt;b&gt;Pro&lt;/b&gt;')
  expect(html).toContain('href="/w/a/billing?&quot;"')
  expect(html).toContain('id="iyzipay-checkout-form"')
  expect(html).toContain(form_html)
  expect(policy).toContain("script-src 'sha256-")
  expect(policy).not.toContain("script-src 'unsafe-inline'")
  expect(policy).toContain("frame-ancestors 'none'")
})
