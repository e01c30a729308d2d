import { type Form, listIn, StripeError } from '../form.ts'
import type { Invoice, Json, Kind, Session, SessionLine, Stripe } from '../state.ts'
import { fixture, listOf } from './fixture.ts'
import { present } from './present.ts'

const KINDS: Record<string, Kind> = {
  cus: 'customer',
  prod: 'product',
  price: 'price',
  pm: 'payment_method',
  sub: 'subscription',
  in: 'invoice',
  pi: 'payment_intent',
  ch: 'charge',
  re: 'refund',
  cs: 'checkout.session',
  dp: 'dispute',
  po: 'payout',
}

export const presentSessionLine = (stripe: Stripe, { currency }: Session, line: SessionLine) =>
  fixture('item', {
    id: line.id,
    amount_subtotal: line.amount,
    amount_total: line.amount,
    currency,
    description: line.description,
    price: present(stripe, stripe.get('price', line.price)),
    quantity: line.quantity,
    adjustable_quantity: null,
  })

export function presentInvoicePayment(invoice: Invoice) {
  const { id, paymentIntent, amountPaid, currency, created, paidAt, status } = invoice
  return fixture('invoice_payment', {
    id: id.replace('in_', 'inpay_'),
    created,
    invoice: id,
    currency,
    amount_paid: status === 'paid' ? amountPaid : null,
    amount_requested: amountPaid,
    is_default: true,
    payment: { type: 'payment_intent', payment_intent: paymentIntent },
    status: status === 'paid' ? 'paid' : status === 'void' ? 'canceled' : 'open',
    status_transitions: { canceled_at: null, paid_at: paidAt },
  })
}

/** Fields that responses contain only when they are expanded. */
function includable(stripe: Stripe, { object, id }: Json, key: string): Json | undefined {
  if (typeof id !== 'string') return undefined
  if (object === 'checkout.session' && key === 'line_items') {
    const session = stripe.get('checkout.session', id)
    const lines = session.lines.map((line) => presentSessionLine(stripe, session, line))
    return listOf(lines, `/v1/checkout/sessions/${id}/line_items`)
  }
  if (object === 'invoice' && key === 'payments') {
    const invoice = stripe.find('invoice', id)
    return listOf(invoice?.paymentIntent ? [presentInvoicePayment(invoice)] : [], '/v1/invoice_payments')
  }
  if (object === 'price' && key === 'currency_options') {
    const { currency, unitAmount, others } = stripe.get('price', id)
    const amounts = Object.entries({ [currency]: unitAmount, ...others })
    return Object.fromEntries(
      amounts.map(([code, amount]) => [
        code,
        { custom_unit_amount: null, tax_behavior: null, unit_amount: amount, unit_amount_decimal: String(amount) },
      ]),
    )
  }
  if (object === 'charge' && key === 'refunds') {
    const refunds = stripe.all('refund').filter(({ charge }) => charge === id)
    return listOf(
      refunds.map((each) => present(stripe, each)),
      `/v1/charges/${id}/refunds`,
    )
  }
  return undefined
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null

function expandPath(stripe: Stripe, value: unknown, [key, ...rest]: string[], path: string): void {
  if (key === undefined) return
  if (Array.isArray(value)) {
    for (const each of value) expandPath(stripe, each, [key, ...rest], path)
    return
  }
  if (!isJson(value)) return
  if (!(key in value) || value[key] === undefined) {
    const included = includable(stripe, value, key)
    if (!included) throw new StripeError(400, `This property cannot be expanded (${path}).`)
    value[key] = included
  }
  const field = value[key]
  if (typeof field === 'string') {
    const kind = KINDS[field.split('_')[0] ?? '']
    if (!kind) throw new StripeError(400, `This property cannot be expanded (${path}).`)
    value[key] = present(stripe, stripe.get(kind, field))
  }
  expandPath(stripe, value[key], rest, path)
}

/** Puts resources in the place of their ids, as `expand` asks. */
export function expand(stripe: Stripe, form: Form, body: Json) {
  for (const path of listIn(form, 'expand')) {
    if (typeof path !== 'string') continue
    if (path.split('.').length > 4) throw new StripeError(400, 'You cannot expand more than 4 levels of a property.')
    expandPath(stripe, body, path.split('.'), path)
  }
  return body
}

/** One page of a list, newest first. */
export function page<T extends { id: string }>(form: Form, items: T[], url: string, show: (item: T) => Json) {
  const limit = typeof form.limit === 'string' ? Number(form.limit) : 10
  if (!(limit >= 1 && limit <= 100))
    throw new StripeError(400, 'Invalid limit: must be between 1 and 100', { param: 'limit' })
  const newest = [...items].reverse()
  const indexOf = (id: Form | string | undefined) => newest.findIndex((item) => item.id === id)
  const start = form.starting_after === undefined ? 0 : indexOf(form.starting_after) + 1
  const before = form.ending_before === undefined ? undefined : indexOf(form.ending_before)
  const from = before === undefined ? start : Math.max(0, before - limit)
  const found = newest.slice(from, before ?? from + limit)
  return listOf(found.map(show), url, before === undefined ? from + limit < newest.length : from > 0)
}
