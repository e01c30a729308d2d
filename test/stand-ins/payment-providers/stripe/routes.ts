import { presentBalance } from './balance.ts'
import { cardError, refund } from './charges.ts'
import { createSession, expireSession } from './checkout.ts'
import { customerRoutes } from './customers.ts'
import { presentEvent } from './events.ts'
import {
  choiceIn,
  type Form,
  flagIn,
  integerIn,
  listIn,
  metadataIn,
  objectIn,
  onlyKnown,
  StripeError,
  textIn,
} from './form.ts'
import { finalize, markPaid, pay, payLater, voidInvoice } from './invoices.ts'
import { page, presentInvoicePayment, presentSessionLine } from './present/expand.ts'
import { fixture } from './present/fixture.ts'
import { present } from './present/present.ts'
import { addPrice, addProduct } from './prices.ts'
import type { Charge, Event, Json, Kind, Resource, Stripe } from './state.ts'
import { createPreview } from './subscriptions/preview.ts'
import { cancelNow } from './subscriptions/subscriptions.ts'
import { updateSubscription } from './subscriptions/update.ts'

type Request = { form: Form; ids: [string, string] }
export type Route = [method: 'GET' | 'POST' | 'DELETE', path: string, handle: (request: Request) => Json]

/** Keeps resources whose fields are as the form asks. `fields`: how its names are called here. */
export function matching<T extends Resource>(form: Form, items: T[], fields: Record<string, string>) {
  const wanted = Object.entries(fields).flatMap(([name, field]) => {
    const value = textIn(form, name)
    return value ? [[field, value] as const] : []
  })
  return items.filter((item) => {
    const values = new Map<string, unknown>(Object.entries(item))
    return wanted.every(([field, value]) => values.get(field) === value) && isCreated(form, item.created)
  })
}

function isCreated(form: Form, created: number) {
  const range = typeof form.created === 'object' ? form.created : undefined
  if (typeof form.created === 'string') return created === Number(form.created)
  if (!range) return true
  const [gt, gte, lt, lte] = ['gt', 'gte', 'lt', 'lte'].map((name) => integerIn(range, name))
  return (
    created > (gt ?? -1) &&
    created >= (gte ?? 0) &&
    created < (lt ?? Number.POSITIVE_INFINITY) &&
    created <= (lte ?? Number.POSITIVE_INFINITY)
  )
}

/** Whether events reached the receiver. */
const isDelivered = (stripe: Stripe, { id }: Event) =>
  stripe.webhooks.list({ provider: 'stripe' }).some((each) => each.eventId === id && each.state === 'accepted')

function events(stripe: Stripe, form: Form) {
  const [type, types, delivered] = [textIn(form, 'type'), listIn(form, 'types'), flagIn(form, 'delivery_success')]
  const oldest = stripe.now() - 30 * 86_400
  const isAsked = (event: Event) =>
    event.created >= oldest &&
    isCreated(form, event.created) &&
    (!type || event.type === type || (type.endsWith('*') && event.type.startsWith(type.slice(0, -1)))) &&
    (types.length === 0 || types.includes(event.type)) &&
    (delivered === undefined || delivered === isDelivered(stripe, event))
  return page(form, stripe.events.filter(isAsked), '/v1/events', presentEvent)
}

function createRefund(stripe: Stripe, form: Form) {
  onlyKnown(
    form,
    'amount charge currency customer instructions_email metadata origin payment_intent reason refund_application_fee reverse_transfer',
  )
  const [chargeId, intent] = [textIn(form, 'charge'), textIn(form, 'payment_intent')]
  if (!chargeId && !intent)
    throw new StripeError(
      400,
      'One of the following params should be provided for this request: payment_intent or charge.',
    )
  const id = chargeId ?? stripe.get('payment_intent', intent ?? '', 'payment_intent').charge
  const charge: Charge = stripe.get('charge', id ?? '', 'charge')
  const reason = choiceIn(form, 'reason', ['duplicate', 'fraudulent', 'requested_by_customer']) ?? null
  return present(stripe, refund(stripe, charge, integerIn(form, 'amount'), reason, metadataIn(form, 'metadata')))
}

function payInvoice(stripe: Stripe, id: string, form: Form) {
  onlyKnown(form, 'forgive mandate off_session paid_out_of_band payment_method source')
  const invoice = stripe.get('invoice', id)
  if (invoice.status === 'draft') finalize(stripe, invoice)
  if (invoice.status === 'paid') throw new StripeError(400, 'Invoice is already paid', { code: 'invoice_already_paid' })
  if (invoice.status !== 'open')
    throw new StripeError(400, `The invoice is ${invoice.status}.`, { code: 'invoice_not_editable' })
  const card = textIn(form, 'payment_method')
  if (card) stripe.get('payment_method', card, 'payment_method')
  if (flagIn(form, 'paid_out_of_band')) markPaid(stripe, invoice)
  else if (!pay(stripe, invoice, card)) {
    payLater(stripe, invoice)
    if (!invoice.paymentIntent)
      throw new StripeError(400, 'There is no `default_payment_method` set on this Customer or Invoice.')
    throw cardError(stripe.get('payment_intent', invoice.paymentIntent))
  }
  return present(stripe, invoice)
}

function subscriptions(stripe: Stripe, form: Form) {
  const status = textIn(form, 'status')
  const price = textIn(form, 'price')
  const found = matching(form, stripe.all('subscription'), { customer: 'customer' }).filter((each) => {
    const hasStatus = status
      ? status === 'all' || status === each.status || (status === 'ended' && each.endedAt !== null)
      : each.status !== 'canceled'
    return hasStatus && (!price || each.items.some((item) => item.price === price))
  })
  return page(form, found, '/v1/subscriptions', (each) => present(stripe, each))
}

function cancel(stripe: Stripe, id: string, form: Form) {
  onlyKnown(form, 'cancellation_details invoice_now prorate')
  const subscription = stripe.get('subscription', id)
  if (subscription.status === 'canceled')
    throw new StripeError(404, `No such subscription: '${id}'`, { code: 'resource_missing', param: 'id' })
  cancelNow(stripe, subscription, flagIn(form, 'prorate') ?? false, flagIn(form, 'invoice_now') ?? false)
  return present(stripe, subscription)
}

/** The list is made apart from the payments, and may lack the last ones. */
function paymentIntents(stripe: Stripe, form: Form) {
  const listed = stripe
    .all('payment_intent')
    .filter(({ created }) => created * 1000 + stripe.settings.listedAfterMs <= stripe.timers.time())
  const found = matching(form, listed, { customer: 'customer' })
  return page(form, found, '/v1/payment_intents', (each) => present(stripe, each))
}

function balanceTransactions(stripe: Stripe, form: Form) {
  const { hiddenTypes, repeatsPages } = stripe.settings
  const listed = stripe.all('balance_transaction').filter(({ type }) => !hiddenTypes.includes(type))
  const found = matching(form, listed, { currency: 'currency', type: 'type', source: 'source' })
  const { starting_after: _, ...first } = form
  return page(repeatsPages ? first : form, found, '/v1/balance_transactions', (each) => present(stripe, each))
}

function invoicePayments(stripe: Stripe, form: Form) {
  const intent = textIn(form, 'payment.payment_intent')
  const invoices = matching(form, stripe.all('invoice'), { invoice: 'id' }).filter(
    ({ paymentIntent }) => paymentIntent !== null && (!intent || paymentIntent === intent),
  )
  return page(form, invoices, '/v1/invoice_payments', presentInvoicePayment)
}

const LISTS: [path: string, kind: Kind, fields: Record<string, string>][] = [
  [
    'checkout/sessions',
    'checkout.session',
    { customer: 'customer', subscription: 'subscription', payment_intent: 'paymentIntent', status: 'status' },
  ],
  ['invoices', 'invoice', { customer: 'customer', subscription: 'subscription', status: 'status' }],
  ['charges', 'charge', { customer: 'customer', payment_intent: 'paymentIntent' }],
  ['refunds', 'refund', { charge: 'charge', payment_intent: 'paymentIntent' }],
  ['prices', 'price', { product: 'product', currency: 'currency' }],
  ['products', 'product', {}],
  ['disputes', 'dispute', { charge: 'charge', payment_intent: 'paymentIntent' }],
]

/** Every endpoint of Stripe that the stand-in has. */
export function stripeRoutes(stripe: Stripe): Route[] {
  const shown = (kind: Kind, id: string) => present(stripe, stripe.get(kind, id))
  const lists = LISTS.flatMap(([path, kind, fields]): Route[] => [
    [
      'GET',
      `/v1/${path}`,
      ({ form }) =>
        page(form, matching(form, stripe.all(kind), fields), `/v1/${path}`, (each) => present(stripe, each)),
    ],
    ['GET', `/v1/${path}/:id`, ({ ids: [id] }) => shown(kind, id)],
  ])
  return [
    ...lists,
    ...customerRoutes(stripe),
    ['GET', '/v1/account', () => fixture('account', { country: 'US', charges_enabled: true, details_submitted: true })],
    ['GET', '/v1/balance_transactions', ({ form }) => balanceTransactions(stripe, form)],
    ['GET', '/v1/balance', () => presentBalance(stripe)],
    ['POST', '/v1/products', ({ form }) => present(stripe, addProduct(stripe, form))],
    ['POST', '/v1/prices', ({ form }) => present(stripe, addPrice(stripe, form))],
    ['POST', '/v1/checkout/sessions', ({ form }) => createSession(stripe, form)],
    [
      'POST',
      '/v1/checkout/sessions/:id/expire',
      ({ ids: [id] }) => expireSession(stripe, stripe.get('checkout.session', id)),
    ],
    [
      'GET',
      '/v1/checkout/sessions/:id/line_items',
      ({ ids: [id], form }) => {
        const session = stripe.get('checkout.session', id)
        const show = (line: (typeof session.lines)[number]) => presentSessionLine(stripe, session, line)
        return page(form, [...session.lines].reverse(), `/v1/checkout/sessions/${id}/line_items`, show)
      },
    ],
    ['GET', '/v1/subscriptions', ({ form }) => subscriptions(stripe, form)],
    ['GET', '/v1/subscriptions/:id', ({ ids: [id] }) => shown('subscription', id)],
    [
      'POST',
      '/v1/subscriptions/:id',
      ({ ids: [id], form }) => updateSubscription(stripe, stripe.get('subscription', id), form),
    ],
    ['DELETE', '/v1/subscriptions/:id', ({ ids: [id], form }) => cancel(stripe, id, form)],
    ['GET', '/v1/payment_intents', ({ form }) => paymentIntents(stripe, form)],
    ['GET', '/v1/payment_intents/:id', ({ ids: [id] }) => shown('payment_intent', id)],
    ['POST', '/v1/invoices/create_preview', ({ form }) => createPreview(stripe, form)],
    ['POST', '/v1/invoices/:id/pay', ({ ids: [id], form }) => payInvoice(stripe, id, form)],
    [
      'POST',
      '/v1/invoices/:id/void',
      ({ ids: [id] }) => {
        voidInvoice(stripe, stripe.get('invoice', id))
        return shown('invoice', id)
      },
    ],
    ['GET', '/v1/invoice_payments', ({ form }) => invoicePayments(stripe, form)],
    ['POST', '/v1/refunds', ({ form }) => createRefund(stripe, form)],
    ['GET', '/v1/events', ({ form }) => events(stripe, form)],
    [
      'GET',
      '/v1/events/:id',
      ({ ids: [id] }) => {
        const event = stripe.events.find((each) => each.id === id)
        if (!event) throw new StripeError(404, `No such event: '${id}'`, { code: 'resource_missing', param: 'id' })
        return presentEvent(event)
      },
    ],
    [
      'POST',
      '/v1/billing_portal/sessions',
      ({ form }) => {
        onlyKnown(
          form,
          'after_expiration configuration customer customer_account flow_data locale on_behalf_of return_url',
        )
        const customer = stripe.get('customer', textIn(form, 'customer') ?? '', 'customer').id
        const id = stripe.newId('bps')
        const flow = objectIn(form, 'flow_data') ? { type: textIn(form, 'flow_data.type') } : null
        const fields = { id, customer, flow, created: stripe.now(), return_url: textIn(form, 'return_url') ?? null }
        return fixture('billing_portal.session', {
          ...fields,
          url: `${stripe.url}/p/session/${id}?${new URLSearchParams({ customer, return_url: fields.return_url ?? '/' })}`,
        })
      },
    ],
  ]
}
