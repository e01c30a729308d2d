import { timingSafeEqual } from 'node:crypto'
import type { Journal } from '../journal.ts'
import { paymentPage } from '../page.ts'
import { type Call, paymentServer, type Reply } from '../server.ts'
import type { Interval, Timers } from '../timers.ts'
import type { Webhooks } from '../webhooks.ts'
import { move, payOut } from './balance.ts'
import { finishRefund, refund } from './charges.ts'
import { type CheckoutPayment, completeSession, expireSession } from './checkout.ts'
import { replaceCard } from './customers.ts'
import { emit } from './events.ts'
import { decodeForm, StripeError } from './form.ts'
import { idempotencyStore } from './idempotency.ts'
import { pay } from './invoices.ts'
import { expand } from './present/expand.ts'
import { present } from './present/present.ts'
import { addPrice, addProduct } from './prices.ts'
import { stripeRoutes } from './routes.ts'
import { createStripe } from './state.ts'
import { cancelNow } from './subscriptions/subscriptions.ts'

type World = { timers: Timers; journal: Journal; webhooks: Webhooks }

/** `amount`: minor units. `currencies`: prices in more currencies. `interval`: null for a price that is paid once. */
type NewPrice = {
  amount: number
  currency?: string
  interval?: Interval | null
  currencies?: Record<string, number>
  product?: string
}

const CARDS = ['ok', 'declined'] as const

const chosenCard = (raw: Buffer) => (new URLSearchParams(raw.toString()).get('card') === 'declined' ? 'declined' : 'ok')

const errorReply = (status: number, message: string, fields: Record<string, unknown>): Reply => ({
  status,
  body: {
    error: {
      message,
      ...fields,
      ...(fields.code ? { doc_url: `https://stripe.com/docs/error-codes/${fields.code}` } : {}),
    },
  },
})

function errorOf(status: number): Reply {
  const type = 'invalid_request_error'
  if (status === 429) return errorReply(429, 'Request rate limit exceeded.', { type, code: 'rate_limit' })
  if (status === 404) return errorReply(404, 'No such resource.', { type, code: 'resource_missing' })
  return errorReply(status, 'An unknown error occurred.', { type: 'api_error' })
}

function checkKey(given: string | undefined, key: string) {
  const token = /^(?:Bearer|bearer) (.+)$/.exec(given ?? '')?.[1]
  if (!token) throw new StripeError(401, 'You did not provide an API key.')
  const [a, b] = [Buffer.from(token), Buffer.from(key)]
  if (a.length !== b.length || !timingSafeEqual(a, b))
    throw new StripeError(401, `Invalid API Key provided: ${token.slice(0, 8)}****${token.slice(-4)}`)
}

/** Stripe: Checkout, Billing, refunds and events, for the official client. */
export async function stripeServer(world: World) {
  const stripe = createStripe(world)
  const { timers, webhooks } = world
  const once = idempotencyStore(stripe)
  const routes = stripeRoutes(stripe).map(([method, path, handle]) => {
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`)
    return { method, pattern, handle, length: path.includes(':') ? 1 : 0 }
  })
  // Fixed paths come before those with an id.
  routes.sort((a, b) => a.length - b.length)
  let requests = 0

  function work(call: Call): Reply {
    const form = decodeForm(call.method === 'POST' ? call.raw.toString() : call.query.toString())
    for (const { method, pattern, handle } of routes) {
      const [match, first = '', second = ''] = pattern.exec(call.path) ?? []
      if (match === undefined || method !== call.method) continue
      return { status: 200, body: expand(stripe, form, handle({ form, ids: [first, second] })) }
    }
    const message = `Unrecognized request URL (${call.method}: ${call.path}).`
    throw new StripeError(404, message)
  }

  /** A card that is declined is a response like any other, and is kept for its idempotency key. */
  function workOrDecline(call: Call): Reply {
    try {
      return work(call)
    } catch (error) {
      if (error instanceof StripeError && error.status === 402) return errorReply(402, error.message, error.fields)
      throw error
    }
  }

  function api(call: Call): Reply {
    const id = `req_${++requests}`
    const key = call.headers['idempotency-key']
    stripe.request = { id, idempotency_key: typeof key === 'string' ? key : null }
    const headers = { 'request-id': id, 'stripe-version': String(call.headers['stripe-version'] ?? '') }
    try {
      checkKey(call.headers.authorization, stripe.key)
      const reply = once(call, () => workOrDecline(call))
      return { ...reply, headers: { ...headers, ...reply.headers } }
    } catch (error) {
      if (error instanceof StripeError) return { ...errorReply(error.status, error.message, error.fields), headers }
      throw error
    } finally {
      stripe.request = { id: null, idempotency_key: null }
    }
  }

  /** Pays on the hosted page. */
  function payCheckout(sessionId: string, payment: CheckoutPayment = {}) {
    timers.catchUp()
    const session = stripe.get('checkout.session', sessionId)
    if (session.status !== 'open') return { paid: false, status: session.status, redirect: undefined }
    const paid = completeSession(stripe, session, payment)
    const redirect = paid ? session.successUrl?.replaceAll('{CHECKOUT_SESSION_ID}', sessionId) : undefined
    return { paid, status: session.status, redirect }
  }

  /** Pays an open invoice on its hosted page, with a card that the customer keeps. */
  function payInvoice(id: string, payment: CheckoutPayment = {}) {
    timers.catchUp()
    const invoice = stripe.get('invoice', id)
    if (invoice.status !== 'open') return { paid: false, status: invoice.status }
    const card = replaceCard(stripe, stripe.get('customer', invoice.customer), payment)
    return { paid: pay(stripe, invoice, card), status: invoice.status }
  }

  function invoicePage({ method, path, raw }: Call): Reply {
    const id = path.split('/')[2] ?? ''
    if (stripe.find('invoice', id)?.status !== 'open') return { status: 200, body: '<h1>This invoice is closed</h1>' }
    if (method === 'GET') return { status: 200, body: paymentPage('Stripe', CARDS) }
    const { paid } = payInvoice(id, { card: chosenCard(raw) })
    return { status: 200, body: paid ? '<h1>Paid</h1>' : paymentPage('Stripe', CARDS, 'Your card was declined.') }
  }

  /** The portal, on which a customer replaces the card. */
  function portalPage({ method, query, raw }: Call): Reply {
    if (method === 'GET') return { status: 200, body: paymentPage('Stripe', CARDS) }
    replaceCard(stripe, stripe.get('customer', query.get('customer') ?? ''), { card: chosenCard(raw) })
    return { status: 303, headers: { location: query.get('return_url') ?? '/' } }
  }

  function checkoutPage({ method, path, raw }: Call): Reply {
    const id = path.split('/').at(-1) ?? ''
    if (stripe.find('checkout.session', id)?.status !== 'open')
      return { status: 404, body: '<h1>This page has expired</h1>' }
    if (method === 'GET') return { status: 200, body: paymentPage('Stripe', CARDS) }
    const { redirect } = payCheckout(id, { card: chosenCard(raw) })
    if (redirect) return { status: 303, headers: { location: redirect } }
    return { status: 200, body: paymentPage('Stripe', CARDS, 'Your card was declined.') }
  }

  const handle = (call: Call) => {
    timers.catchUp()
    if (call.path.startsWith('/c/pay/')) return checkoutPage(call)
    if (call.path.startsWith('/p/session/')) return portalPage(call)
    if (call.path.startsWith('/invoice/')) return invoicePage(call)
    return api(call)
  }
  const server = await paymentServer({ provider: 'stripe', time: timers.time, handle, errorOf })
  stripe.url = server.url
  let sharedProduct: string | undefined
  const addressed = new URL(server.url)

  return {
    ...server,
    key: stripe.key,
    webhookSecret: stripe.webhookSecret,
    /** For `new Stripe(key, options)`. */
    clientOptions: {
      host: addressed.hostname,
      port: Number(addressed.port),
      protocol: 'http',
      telemetry: false,
    } as const,
    settings: stripe.settings,
    /** Creates a price and returns its id: monthly and in USD by default. */
    createPrice: ({ amount, currency = 'usd', interval = 'month', currencies = {}, product }: NewPrice) => {
      sharedProduct ??= addProduct(stripe, { name: 'Meydan' }).id
      const others = Object.entries(currencies).map(([code, each]) => [
        code.toLowerCase(),
        { unit_amount: String(each) },
      ])
      return addPrice(stripe, {
        product: product ?? sharedProduct,
        currency,
        unit_amount: String(amount),
        currency_options: Object.fromEntries(others),
        ...(interval === null ? {} : { recurring: { interval } }),
      }).id
    },
    payCheckout,
    payInvoice,
    /** Ends a session before its time. */
    expireCheckout: (id: string) => expireSession(stripe, stripe.get('checkout.session', id)),
    /** Replaces the card of a customer, as on the page of the portal. */
    setCard: (customer: string, card: 'ok' | 'declined', country = 'US') =>
      replaceCard(stripe, stripe.get('customer', customer), { card, country }),
    /** Declines this many of the next charges, whatever their card. */
    declineNext: (times = 1) => {
      stripe.declines = times
    },
    /** Cancels at once in the dashboard. */
    cancelInDashboard: (subscription: string) =>
      cancelNow(stripe, stripe.get('subscription', subscription), false, false),
    /** Returns money in the dashboard. `amount`: minor units, all that is left by default. */
    refundInDashboard: (paymentIntent: string, amount?: number) => {
      const { charge } = stripe.get('payment_intent', paymentIntent)
      return refund(stripe, stripe.get('charge', charge ?? ''), amount, 'requested_by_customer', {}).id
    },
    /** Keeps this many of the next refunds pending until `finishRefund`. */
    holdRefunds: (times = 1) => {
      stripe.pendingRefunds = times
    },
    /** Ends a pending refund. `failed` also ends one that had succeeded. */
    finishRefund: (id: string, status: 'succeeded' | 'failed') =>
      finishRefund(stripe, stripe.get('refund', id), status),
    /** Refunds of a payment intent, oldest first. */
    refundsOf: (paymentIntent: string) => stripe.all('refund').filter((each) => each.paymentIntent === paymentIntent),
    /** The bank of a buyer takes a payment back. Ends with `closeDispute`. */
    dispute: (paymentIntent: string) => {
      const charge = stripe.get('charge', stripe.get('payment_intent', paymentIntent).charge ?? '')
      const { currency, id } = charge
      const amount = charge.amount - charge.refunded
      charge.disputed = true
      const made = { amount, currency, charge: id, paymentIntent, status: 'needs_response', metadata: {} }
      const dispute = stripe.add('dispute', made)
      const fee = stripe.settings.disputeFee
      move(stripe, { amount: -amount, fee, currency, type: 'adjustment', source: dispute.id })
      emit(stripe, 'charge.dispute.created', dispute)
      return dispute.id
    },
    /** `lost`: the money is gone, and the journal has it as a refund. */
    closeDispute: (id: string, outcome: 'won' | 'lost') => {
      const dispute = stripe.get('dispute', id)
      dispute.status = outcome
      const at = new Date(timers.time())
      if (outcome === 'lost') world.journal.refund(dispute.charge, { id, amount: BigInt(dispute.amount), at })
      else move(stripe, { ...dispute, type: 'adjustment', source: id })
      emit(stripe, 'charge.dispute.closed', dispute)
    },
    /** Transfers to the bank what the account holds in a currency, or a part of it. */
    payOut: (currency: string, amount?: number) => payOut(stripe, currency, amount),
    /** Moves the balance for another reason, such as a reserve. Returns the id of the movement. */
    adjust: (moved: { amount: number; currency: string; type: string; fee?: number }) =>
      move(stripe, { ...moved, source: null }).id,
    /** Movements of the balance, oldest first. */
    movements: () => stripe.all('balance_transaction'),
    /** Resources as the API shows them, oldest first. */
    subscriptions: () => stripe.all('subscription').map((each) => present(stripe, each)),
    invoices: () => stripe.all('invoice').map((each) => present(stripe, each)),
    sessions: () => stripe.all('checkout.session').map((each) => present(stripe, each)),
    customers: () => stripe.all('customer').map((each) => present(stripe, each)),
    /** Events, oldest first. */
    events: () => stripe.events,
    /** Ids of the webhooks of a type, oldest first. */
    webhooksOf: (type: string) => webhooks.list({ provider: 'stripe', type }).map(({ id }) => id),
  }
}
