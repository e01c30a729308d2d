import { feeOf, move } from './balance.ts'
import { emit } from './events.ts'
import { StripeError } from './form.ts'
import type { Charge, Metadata, PaymentIntent, Refund, Stripe } from './state.ts'

type Payment = {
  amount: number
  currency: string
  customer: string | null
  card: string
  metadata: Metadata
  description: string | null
  invoice: string | null
  /** More ids by which the money is known. */
  refs: string[]
}

const declined = (charge: string) => ({
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
  charge,
})

/** Charges a card, on the payment intent of an earlier attempt if there is one. */
export function charge(stripe: Stripe, payment: Payment, earlier?: string | null): PaymentIntent {
  const { amount, currency, customer, card, metadata, description, invoice } = payment
  const fresh = { amount, currency, customer, card, metadata, description, invoice, charge: null, error: null }
  const intent = earlier
    ? stripe.get('payment_intent', earlier)
    : stripe.add('payment_intent', { ...fresh, status: 'requires_payment_method' })
  if (!earlier) emit(stripe, 'payment_intent.created', intent)
  const isNext = stripe.declines > 0 && !stripe.get('payment_method', card).declines
  if (isNext) stripe.declines--
  const failed = isNext || stripe.get('payment_method', card).declines
  const made = {
    amount,
    currency,
    customer,
    card,
    metadata,
    failed,
    refunded: 0,
    disputed: false,
    paymentIntent: intent.id,
  }
  const charged = stripe.add('charge', made)
  Object.assign(intent, { charge: charged.id, card, status: failed ? 'requires_payment_method' : 'succeeded' })
  intent.error = failed ? declined(charged.id) : null
  emit(stripe, failed ? 'charge.failed' : 'charge.succeeded', charged)
  emit(stripe, failed ? 'payment_intent.payment_failed' : 'payment_intent.succeeded', intent)
  if (!failed) record(stripe, charged, payment.refs)
  return intent
}

function record(stripe: Stripe, { id, amount, currency, customer, metadata, paymentIntent }: Charge, more: string[]) {
  const refs = [id, paymentIntent, ...(customer ? [customer] : []), ...more]
  const at = new Date(stripe.timers.time())
  const money = { amount: BigInt(amount), currency: currency.toUpperCase() }
  move(stripe, { amount, fee: feeOf(stripe, amount), currency, type: 'charge', source: id })
  stripe.journal.charge({ provider: 'stripe', id, ...money, refs, metadata, at })
}

/** The error with which the API reports a declined card. */
export const cardError = (intent: PaymentIntent) =>
  new StripeError(402, 'Your card has insufficient funds.', { ...intent.error, payment_intent: { id: intent.id } })

/** Returns money of a charge. Without an amount, all that is left. */
export function refund(
  stripe: Stripe,
  of: Charge,
  amount: number | undefined,
  reason: string | null,
  metadata: Metadata,
) {
  const left = of.amount - of.refunded
  if (of.failed) throw new StripeError(400, `Charge ${of.id} was not successful.`, { code: 'charge_not_refundable' })
  if (left === 0)
    throw new StripeError(400, `Charge ${of.id} has already been refunded.`, { code: 'charge_already_refunded' })
  if (of.disputed) throw new StripeError(400, `Charge ${of.id} has been charged back.`, { code: 'charge_disputed' })
  const wanted = amount ?? left
  if (wanted <= 0)
    throw new StripeError(400, 'Invalid positive integer', { param: 'amount', code: 'parameter_invalid_integer' })
  if (wanted > left)
    throw new StripeError(400, `Refund amount (${wanted}) is greater than unrefunded amount on charge (${left})`, {
      param: 'amount',
    })
  of.refunded += wanted
  const { id: charge, currency, paymentIntent } = of
  const status = stripe.pendingRefunds > 0 ? 'pending' : 'succeeded'
  const made = stripe.add('refund', { amount: wanted, currency, charge, paymentIntent, reason, metadata, status })
  move(stripe, { amount: -wanted, currency, type: 'refund', source: made.id })
  if (status === 'pending') stripe.pendingRefunds--
  else recordRefund(stripe, made)
  emit(stripe, 'charge.refunded', of)
  emit(stripe, 'refund.created', made)
  return made
}

const recordRefund = (stripe: Stripe, { id, amount, charge }: Refund) =>
  stripe.journal.refund(charge, { id, amount: BigInt(amount), at: new Date(stripe.timers.time()) })

/** Ends a pending refund, or lets one fail that had succeeded: the bank of the buyer sent the money back. */
export function finishRefund(stripe: Stripe, made: Refund, status: 'succeeded' | 'failed') {
  if (made.status === 'succeeded') stripe.journal.takeBack(made.id)
  made.status = status
  if (status === 'succeeded') recordRefund(stripe, made)
  else {
    stripe.get('charge', made.charge).refunded -= made.amount
    move(stripe, { amount: made.amount, currency: made.currency, type: 'refund_failure', source: made.id })
  }
  emit(stripe, 'refund.updated', made)
  if (status === 'failed') emit(stripe, 'refund.failed', made)
}
