import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PaymentServers, paymentServers } from '../payment-servers.ts'
import { type Receiver, receiver } from '../receiver.ts'
import { stripeSignature } from './events.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
let clock = 0
let world: PaymentServers
let stripe: Stripe
let merchant: Receiver
beforeAll(async () => {
  merchant = await receiver()
})
beforeEach(async () => {
  clock = Date.parse('2026-01-31T09:00:00Z')
  merchant.received.length = 0
  merchant.respond(200)
  world = await paymentServers({ now: () => new Date(clock) })
  world.webhooks.sendTo({ stripe: merchant.url })
  stripe = new Stripe(world.stripe.key, { ...world.stripe.clientOptions, maxNetworkRetries: 0, timeout: 5000 })
  return () => world.close()
})
afterAll(() => merchant.close())

const pass = (ms: number) => {
  clock += ms
  world.tick()
}
const day = (seconds: number | null | undefined) => new Date((seconds ?? 0) * 1000).toISOString().slice(0, 10)

type Params = Stripe.Checkout.SessionCreateParams
const open = (price: string, more: Params = {}, key?: string) =>
  stripe.checkout.sessions.create(
    {
      mode: 'subscription',
      line_items: [{ price, quantity: 1 }],
      client_reference_id: 'checkout-1',
      metadata: { checkout_id: 'checkout-1' },
      success_url: 'https://app/ok?session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://app/no',
      ...more,
    },
    key ? { idempotencyKey: key } : {},
  )

async function subscribe(price = world.stripe.createPrice({ amount: 1000 }), more: Params = {}) {
  const session = await open(price, { subscription_data: { metadata: { workspace_id: 'w1' } }, ...more })
  expect(world.stripe.payCheckout(session.id).paid).toBe(true)
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id)
  return stripe.subscriptions.retrieve(String(subscription))
}
const refusal = async (work: Promise<unknown>) => {
  const error: unknown = await work.catch((each: unknown) => each)
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error('It was not refused')
  return { type: error.type, status: error.statusCode, code: error.code, param: error.param }
}
const types = () => world.stripe.events().map(({ type }) => type)

describe('Stripe', () => {
  test('takes only its key, and shows its account', async () => {
    expect((await stripe.accounts.retrieveCurrent()).object).toBe('account')
    const other = new Stripe('sk_test_other', world.stripe.clientOptions)
    expect(await refusal(other.balance.retrieve())).toMatchObject({ type: 'StripeAuthenticationError', status: 401 })
  })

  test('sells a subscription on its page: money, invoice and events', async () => {
    const price = world.stripe.createPrice({ amount: 29_900, currency: 'try' })
    const session = await open(price, { subscription_data: { metadata: { workspace_id: 'w1' } } })
    expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 29_900, currency: 'try' })
    expect(session.lastResponse.requestId).toMatch(/^req_/)
    expect(world.stripe.payCheckout(session.id)).toEqual({
      paid: true,
      status: 'complete',
      redirect: `https://app/ok?session_id=${session.id}`,
    })
    const paid = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription.latest_invoice.payments'],
    })
    expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid', client_reference_id: 'checkout-1' })
    const subscription = paid.subscription as Stripe.Subscription
    expect(subscription).toMatchObject({ status: 'active', metadata: { workspace_id: 'w1' } })
    expect(day(subscription.items.data[0]?.current_period_end)).toBe('2026-02-28')
    const invoice = subscription.latest_invoice as Stripe.Invoice
    expect(invoice).toMatchObject({ status: 'paid', amount_paid: 29_900, billing_reason: 'subscription_create' })
    expect(invoice.parent?.subscription_details?.subscription).toBe(subscription.id)
    expect(invoice.payments?.data[0]?.payment.payment_intent).toMatch(/^pi_/)
    expect(world.journal.charges(subscription.id)).toMatchObject([
      { amount: 29_900n, currency: 'TRY', metadata: { workspace_id: 'w1' } },
    ])
    for (const ref of [session.id, 'checkout-1', invoice.id, 'w1']) expect(world.journal.net(ref)).toBe(29_900n)
    expect(types()).toEqual(
      expect.arrayContaining(['checkout.session.completed', 'customer.subscription.created', 'invoice.paid']),
    )
  })

  test('signs webhooks as its client checks them, and repeats them until 2xx', async () => {
    merchant.respond(500)
    await subscribe()
    await world.webhooks.settle(1).catch(() => undefined)
    expect(world.webhooks.list({ state: 'accepted' })).toEqual([])
    merchant.respond(200)
    await world.webhooks.settle()
    const events = merchant.received.map(({ body, headers }) =>
      stripe.webhooks.constructEvent(
        body,
        String(headers['stripe-signature']),
        world.stripe.webhookSecret,
        300,
        undefined,
        Math.floor(clock / 1000),
      ),
    )
    expect(new Set(events.map(({ id }) => id)).size).toBe(world.stripe.events().length)
    expect(world.webhooks.list({ state: 'waiting' })).toEqual([])
  })

  test('signs as in the vector', () => {
    const payload = '{"id":"evt_1","object":"event","type":"invoice.paid","data":{"object":{"id":"in_1"}}}'
    const signature = '485ffc1fa0ac6e5edc9b727c8e2c7a96de11ccc2263323f281a25762ce0db778'
    expect(stripeSignature('whsec_test', 1_700_000_000, payload)).toBe(`t=1700000000,v1=${signature}`)
  })

  test('holds webhooks, and releases them in another order, once more, or forged', async () => {
    world.webhooks.hold()
    await subscribe()
    const held = world.webhooks.list({ state: 'held' })
    expect(held.length).toBeGreaterThan(5)
    expect(merchant.received).toEqual([])
    await world.webhooks.forge(held[0]?.id ?? 0, 'wrong_secret')
    const [{ body, headers }] = merchant.received as [(typeof merchant.received)[number]]
    expect(() =>
      stripe.webhooks.constructEvent(body, String(headers['stripe-signature']), world.stripe.webhookSecret),
    ).toThrow()
    merchant.received.length = 0
    await world.webhooks.release('reversed')
    expect(merchant.received.map((each) => JSON.parse(each.body).id)).toEqual(
      held.map(({ eventId }) => eventId).reverse(),
    )
    expect(await world.webhooks.send(held[0]?.id ?? 0)).toMatchObject({ accepted: true })
    expect(merchant.received).toHaveLength(held.length + 1)
  })

  test('gives the same response to a repeated key, and refuses the key for another request', async () => {
    const price = world.stripe.createPrice({ amount: 500 })
    const first = await open(price, {}, 'checkout:1')
    expect((await open(price, {}, 'checkout:1')).id).toBe(first.id)
    expect(world.stripe.sessions()).toHaveLength(1)
    expect(await refusal(open(price, { locale: 'tr' }, 'checkout:1'))).toMatchObject({
      status: 400,
      type: 'StripeIdempotencyError',
    })
    pass(25 * HOUR)
    expect((await open(price, {}, 'checkout:1')).id).not.toBe(first.id)
  })

  test('keeps what it did for a key whose response was lost', async () => {
    const price = world.stripe.createPrice({ amount: 500 })
    world.stripe.failNext({ kind: 'lost', works: true }, { path: '/v1/checkout', times: 2 })
    expect(await refusal(open(price, {}, 'checkout:2'))).toMatchObject({ type: 'StripeConnectionError' })
    await open(price, {}, 'checkout:2')
    expect(world.stripe.sessions()).toHaveLength(1)
  })

  test('refuses what Stripe refuses, in its words', async () => {
    expect(await refusal(open('price_none'))).toMatchObject({ code: 'resource_missing', param: 'line_items[0][price]' })
    const wrong = { payment_method_types: ['card'] } as Params
    expect(await refusal(open(world.stripe.createPrice({ amount: 1 }), wrong))).toMatchObject({
      code: 'parameter_unknown',
    })
    const once = world.stripe.createPrice({ amount: 1, interval: null })
    expect(await refusal(open(once))).toMatchObject({ status: 400 })
    expect(await refusal(stripe.subscriptions.retrieve('sub_none'))).toMatchObject({
      status: 404,
      code: 'resource_missing',
    })
  })

  test('leaves a session open after a declined card, and expires it a day later', async () => {
    const session = await open(world.stripe.createPrice({ amount: 500 }))
    expect(world.stripe.payCheckout(session.id, { card: 'declined' })).toMatchObject({ paid: false, status: 'open' })
    expect(world.stripe.subscriptions()).toEqual([])
    pass(DAY)
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired')
    expect(world.stripe.payCheckout(session.id)).toMatchObject({ paid: false, status: 'expired' })
    expect(await refusal(stripe.checkout.sessions.expire(session.id))).toMatchObject({ status: 400 })
    expect(types().at(-1)).toBe('checkout.session.expired')
  })

  test('renews on the anchor day, charging an hour after the period began', async () => {
    const { id } = await subscribe()
    clock = Date.parse('2026-02-28T09:00:00Z')
    const renewed = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
    expect(day(renewed.items.data[0]?.current_period_end)).toBe('2026-03-31')
    expect(renewed.latest_invoice).toMatchObject({ status: 'draft', billing_reason: 'subscription_cycle' })
    expect(world.journal.net(id)).toBe(1000n)
    pass(HOUR)
    expect(world.journal.net(id)).toBe(2000n)
    clock = Date.parse('2026-05-01T12:00:00Z')
    world.tick()
    expect(world.journal.net(id)).toBe(4000n)
  })

  test('is past due after a failed renewal, tries again, and ends after the last try', async () => {
    const { id, customer } = await subscribe()
    world.stripe.setCard(String(customer), 'declined')
    clock = Date.parse('2026-02-28T10:00:00Z')
    const due = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
    expect(due).toMatchObject({ status: 'past_due', latest_invoice: { status: 'open', attempt_count: 1 } })
    expect(types()).toContain('invoice.payment_failed')
    pass(15 * DAY)
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    })
    expect(world.journal.net(id)).toBe(1000n)
  })

  test('is active again after a better card, by the next try or at once', async () => {
    const { id, customer } = await subscribe()
    world.stripe.declineNext(2)
    clock = Date.parse('2026-02-28T10:00:00Z')
    const { latest_invoice } = await stripe.subscriptions.retrieve(id)
    expect(await refusal(stripe.invoices.pay(String(latest_invoice)))).toMatchObject({
      status: 402,
      code: 'card_declined',
    })
    world.stripe.setCard(String(customer), 'ok')
    expect(await stripe.invoices.pay(String(latest_invoice))).toMatchObject({ status: 'paid', attempt_count: 3 })
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
    expect(world.journal.net(id)).toBe(2000n)
  })

  test('takes a late payment of an ended subscription, which stays ended', async () => {
    const { id, customer } = await subscribe()
    world.stripe.setCard(String(customer), 'declined')
    pass(60 * DAY)
    const { latest_invoice, status } = await stripe.subscriptions.retrieve(id)
    expect(status).toBe('canceled')
    expect(world.stripe.payInvoice(String(latest_invoice))).toEqual({ paid: true, status: 'paid' })
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('canceled')
    expect(world.journal.net(id)).toBe(2000n)
  })

  test('ends a past due subscription at once, whose open invoice can be made void', async () => {
    const { id } = await subscribe()
    world.stripe.declineNext()
    pass(29 * DAY)
    const { latest_invoice } = await stripe.subscriptions.retrieve(id)
    await stripe.subscriptions.cancel(id)
    expect(await stripe.invoices.voidInvoice(String(latest_invoice))).toMatchObject({ status: 'void' })
    pass(60 * DAY)
    expect(world.journal.net(id)).toBe(1000n)
  })

  test('gives a disputed payment back when the dispute is lost', async () => {
    const { id } = await subscribe()
    const [charge] = (await stripe.charges.list()).data
    const dispute = world.stripe.dispute(String(charge?.payment_intent))
    expect(await refusal(stripe.refunds.create({ charge: charge?.id ?? '' }))).toMatchObject({
      code: 'charge_disputed',
    })
    world.stripe.closeDispute(dispute, 'lost')
    expect(types().slice(-2)).toEqual(['charge.dispute.created', 'charge.dispute.closed'])
    expect(world.journal.net(id)).toBe(0n)
  })

  test('charges nothing during a trial, says when it ends soon, and charges after it', async () => {
    const { id, status } = await subscribe(undefined, { subscription_data: { trial_period_days: 14 } })
    expect(status).toBe('trialing')
    expect(world.journal.charges()).toEqual([])
    expect(world.stripe.sessions()).toMatchObject([{ payment_status: 'no_payment_required', amount_total: 0 }])
    pass(11 * DAY)
    expect(types().at(-1)).toBe('customer.subscription.trial_will_end')
    pass(3 * DAY + HOUR)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
    expect(world.journal.net(id)).toBe(1000n)
  })

  test('ends at the end of the period when asked to, unless that is undone', async () => {
    const [first, second] = [await subscribe(), await subscribe()]
    const asked = await stripe.subscriptions.update(first.id, { cancel_at_period_end: true })
    expect(asked).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
      cancel_at: asked.items.data[0]?.current_period_end,
    })
    await stripe.subscriptions.update(second.id, { cancel_at_period_end: true })
    await stripe.subscriptions.update(second.id, { cancel_at_period_end: false })
    pass(31 * DAY)
    expect((await stripe.subscriptions.retrieve(first.id)).status).toBe('canceled')
    expect(await stripe.subscriptions.retrieve(second.id)).toMatchObject({ status: 'active', canceled_at: null })
    expect([first, second].map(({ id }) => world.journal.net(id))).toEqual([1000n, 2000n])
  })

  test('prorates an upgrade to the second, as its preview said', async () => {
    const subscription = await subscribe(world.stripe.createPrice({ amount: 2800 }))
    const price = world.stripe.createPrice({ amount: 5600 })
    pass(14 * DAY)
    const items = [{ id: subscription.items.data[0]?.id ?? '', price }]
    const proration_behavior = 'always_invoice'
    const preview = await stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: { items, proration_behavior },
    })
    expect(preview).toMatchObject({ amount_due: 1400, lines: { data: [{ amount: -1400 }, { amount: 2800 }] } })
    const update = { items, proration_behavior, payment_behavior: 'pending_if_incomplete' } as const
    await stripe.subscriptions.update(subscription.id, update)
    expect(world.journal.net(subscription.id)).toBe(4200n)
    pass(14 * DAY + HOUR)
    expect(world.journal.net(subscription.id)).toBe(9800n)
  })

  test('keeps the old price while the payment of an upgrade is missing', async () => {
    const subscription = await subscribe()
    const price = world.stripe.createPrice({ amount: 12_000, interval: 'year' })
    const items = [{ id: subscription.items.data[0]?.id ?? '', price }]
    world.stripe.declineNext()
    const update = { items, proration_behavior: 'none', payment_behavior: 'pending_if_incomplete' } as const
    const waiting = await stripe.subscriptions.update(subscription.id, update)
    expect(waiting).toMatchObject({
      status: 'active',
      pending_update: { subscription_items: [{ price: { id: price } }] },
    })
    expect(waiting.items.data[0]?.price.id).not.toBe(price)
    await stripe.invoices.pay(String(waiting.latest_invoice))
    const changed = await stripe.subscriptions.retrieve(subscription.id)
    expect(changed.items.data[0]?.price.id).toBe(price)
    expect(day(changed.items.data[0]?.current_period_end)).toBe('2027-01-31')
    expect(world.journal.net(subscription.id)).toBe(13_000n)
  })

  test('credits a smaller plan against the next invoice', async () => {
    const subscription = await subscribe(world.stripe.createPrice({ amount: 2800 }))
    const price = world.stripe.createPrice({ amount: 1400 })
    pass(14 * DAY)
    await stripe.subscriptions.update(subscription.id, { items: [{ id: subscription.items.data[0]?.id ?? '', price }] })
    pass(14 * DAY + HOUR)
    expect(world.journal.net(subscription.id)).toBe(2800n + 1400n - 700n)
  })

  test('takes a single payment, and returns it in parts but never more', async () => {
    const product_data = { name: 'Gig' }
    const line_items = [{ price_data: { currency: 'usd', unit_amount: 4500, product_data }, quantity: 1 }]
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      line_items,
      success_url: 'https://app/ok',
      payment_intent_data: { metadata: { order_id: 'o1' } },
    })
    expect((await stripe.checkout.sessions.listLineItems(session.id)).data).toMatchObject([{ amount_total: 4500 }])
    world.stripe.payCheckout(session.id)
    const payment_intent = String((await stripe.checkout.sessions.retrieve(session.id)).payment_intent)
    expect(await stripe.refunds.create({ payment_intent, amount: 500 })).toMatchObject({
      status: 'succeeded',
      amount: 500,
    })
    expect(await refusal(stripe.refunds.create({ payment_intent, amount: 4001 }))).toMatchObject({
      status: 400,
      param: 'amount',
    })
    await stripe.refunds.create({ payment_intent })
    expect(await refusal(stripe.refunds.create({ payment_intent }))).toMatchObject({ code: 'charge_already_refunded' })
    expect(world.journal.refunds('o1').map(({ amount }) => amount)).toEqual([500n, 4000n])
    expect(world.journal.net(session.id)).toBe(0n)
  })

  test('lists what is asked for, a page at a time', async () => {
    const { customer, id } = await subscribe()
    const all: string[] = []
    for await (const event of stripe.events.list({
      limit: 3,
      types: ['invoice.paid', 'invoice.finalized', 'charge.succeeded', 'payment_intent.succeeded'],
    }))
      all.push(event.type)
    expect(all).toHaveLength(4)
    await world.webhooks.settle()
    expect((await stripe.events.list({ delivery_success: false })).data).toEqual([])
    expect((await stripe.subscriptions.list({ customer: String(customer) })).data).toMatchObject([{ id }])
    await stripe.subscriptions.cancel(id)
    expect((await stripe.subscriptions.list({ customer: String(customer) })).data).toEqual([])
    expect((await stripe.subscriptions.list({ customer: String(customer), status: 'all' })).data).toHaveLength(1)
    const methods = await stripe.customers.listPaymentMethods(String(customer))
    expect(methods.data).toMatchObject([{ card: { last4: '4242' } }])
    const { url } = await stripe.billingPortal.sessions.create({
      customer: String(customer),
      return_url: 'https://app',
    })
    expect(url).toContain(world.stripe.url)
  })

  test('keeps a customer to one currency', async () => {
    const { customer } = await subscribe()
    const price = world.stripe.createPrice({ amount: 1000, currency: 'try' })
    expect(await refusal(open(price, { customer: String(customer) }))).toMatchObject({ status: 400 })
  })
})
