import type Stripe from 'stripe'
import type { Deps } from '../../../../lib/deps.ts'
import {
  type Currency,
  ProviderError,
  type ProviderPayment,
  type ProviderRefund,
  type RefundState,
} from '../provider.ts'
import { currencyOf, stripeClient, timeOf, unlessMissing } from './client.ts'

type Period = ProviderPayment['period']

/** Metadata of a refund with our key, by which it is found after a lost response. */
const KEY = 'refund_key'

/** Null unless it succeeded. The id of a payment is that of its payment intent, which events on refunds name too. */
export function paymentOf(intent: Stripe.PaymentIntent, invoice: Stripe.Invoice | null): ProviderPayment | null {
  if (intent.status !== 'succeeded') return null
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  return {
    id: intent.id,
    amount: BigInt(intent.amount_received),
    currency: currencyOf(intent.currency),
    paid_at: timeOf(charge?.created ?? intent.created),
    period: invoice && periodOf(invoice),
    credit: invoice ? creditOf(invoice) : undefined,
    refunded: charge?.disputed ? null : BigInt(charge?.amount_refunded ?? 0),
  }
}

/** The paid period of an invoice. Its credits are lines with a negative amount. */
function periodOf(invoice: Stripe.Invoice): Period {
  const [last] = invoice.lines.data
    .filter(({ amount }) => amount > 0)
    .map(({ period }) => period)
    .sort((a, b) => b.end - a.end)
  return last ? { start: timeOf(last.start), end: timeOf(last.end) } : null
}

/** The credit of an invoice for the unused time of a former price. */
function creditOf(invoice: Stripe.Invoice): ProviderPayment['credit'] {
  const credits = invoice.lines.data.filter(({ amount }) => amount < 0)
  const price = credits[0]?.pricing?.price_details?.price
  if (!price) return undefined
  const amount = credits.reduce((sum, line) => sum - BigInt(line.amount), 0n)
  return { amount, price_ref: typeof price === 'string' ? price : price.id }
}

export async function readPayment(deps: Deps, id: string): Promise<ProviderPayment | null> {
  const stripe = await stripeClient(deps)
  if (id.startsWith('in_')) {
    const invoice = await unlessMissing(stripe.invoices.retrieve(id))
    return invoice?.status === 'paid' ? paidElsewhere(invoice) : null
  }
  const intent = await unlessMissing(stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }))
  if (intent?.status !== 'succeeded') return null
  const { data } = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: id },
    limit: 1,
    expand: ['data.invoice'],
  })
  const invoice = data[0]?.invoice
  return paymentOf(intent, typeof invoice === 'object' && !invoice.deleted ? invoice : null)
}

/** An invoice that was marked as paid at Stripe, without a charge. */
export const paidElsewhere = (invoice: Stripe.Invoice): ProviderPayment => ({
  id: invoice.id,
  amount: BigInt(invoice.amount_paid),
  currency: currencyOf(invoice.currency),
  paid_at: timeOf(invoice.status_transitions.paid_at ?? invoice.created),
  period: periodOf(invoice),
  credit: creditOf(invoice),
  refunded: 0n,
})

type Refund = { payment_id: string; amount: bigint; currency: Currency; key: string }

export async function refund(deps: Deps, { payment_id, amount, key }: Refund): Promise<RefundState> {
  if (payment_id.startsWith('in_'))
    throw new ProviderError('refused', 'The invoice was paid outside of Stripe, so it is refunded there.')
  const stripe = await stripeClient(deps)
  // Stripe forgets idempotency keys after a day, so an earlier refund is also looked for.
  const { data: earlier } = await stripe.refunds.list({ payment_intent: payment_id, limit: 100 })
  const found = earlier.find(({ metadata }) => metadata?.[KEY] === key)
  return refundState(
    found ??
      (await stripe.refunds.create(
        { payment_intent: payment_id, amount: Number(amount), metadata: { [KEY]: key } },
        { idempotencyKey: `refund:${key}` },
      )),
  )
}

function refundState({ id, status, failure_reason }: Stripe.Refund): RefundState {
  if (status === 'failed' || status === 'canceled')
    throw new ProviderError('refused', `The refund ${id} failed at Stripe: ${failure_reason ?? status}.`)
  return { status: status === 'succeeded' ? 'succeeded' : 'pending', id }
}

/** Refunds or disputes that are read for a payment: more than any has. */
const MAX_REFUNDS = 1000

export async function readRefunds(deps: Deps, { payment_id, currency }: { payment_id: string; currency: Currency }) {
  // An invoice that was paid outside of Stripe is refunded there.
  if (payment_id.startsWith('in_')) return []
  const stripe = await stripeClient(deps)
  const of = { payment_intent: payment_id, limit: 100 }
  const [refunds, disputes] = await Promise.all([
    stripe.refunds.list(of).autoPagingToArray({ limit: MAX_REFUNDS }),
    stripe.disputes.list(of).autoPagingToArray({ limit: MAX_REFUNDS }),
  ])
  return [...refunds.map(refundOf), ...disputes.map((dispute) => disputeOf(dispute, currency))]
}

const refundOf = ({ id, amount, status, metadata, reason, failure_reason }: Stripe.Refund): ProviderRefund => ({
  id,
  key: metadata?.[KEY] ?? null,
  amount: BigInt(amount),
  status: status === 'succeeded' ? 'succeeded' : status === 'failed' || status === 'canceled' ? 'failed' : 'pending',
  is_dispute: false,
  reason,
  failure: failure_reason ?? status,
})

const disputeStatuses: Record<string, ProviderRefund['status']> = {
  lost: 'succeeded',
  won: 'failed',
  warning_closed: 'failed',
  prevented: 'failed',
}

const disputeOf = ({ id, amount, currency, status, reason }: Stripe.Dispute, paid: Currency): ProviderRefund => ({
  id,
  key: null,
  // The bank may count in another currency. Then all of the payment is in dispute.
  amount: currency === paid.toLowerCase() ? BigInt(amount) : BigInt(Number.MAX_SAFE_INTEGER),
  status: disputeStatuses[status] ?? 'pending',
  is_dispute: true,
  reason,
  failure: `The dispute ended without a loss: ${status}.`,
})
