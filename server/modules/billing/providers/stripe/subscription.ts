import type Stripe from 'stripe'
import type { Deps } from '../../../../lib/deps.ts'
import { type PaymentMethod, ProviderError, type ProviderPayment, type ProviderSubscription } from '../provider.ts'
import { checkoutIdOf, currencyOf, idOf, stripeClient, timeOf, unlessMissing } from './client.ts'
import { paidElsewhere, paymentOf } from './payments.ts'

/** The latest ones of a subscription. Earlier payments are not reported. */
const MAX_INVOICES = 100
/** The latest ones of a customer, in pages of 100. */
const MAX_INTENTS = 300

export async function readSubscription(deps: Deps, id: string): Promise<ProviderSubscription | null> {
  const stripe = await stripeClient(deps)
  const subscription = await unlessMissing(stripe.subscriptions.retrieve(id))
  if (!subscription) return null
  const { data: invoices } = await stripe.invoices.list({
    subscription: id,
    limit: MAX_INVOICES,
    expand: ['data.payments'],
  })
  const intents = await readIntents(stripe, idOf(subscription.customer), invoices)
  const item = itemOf(subscription)
  const period = { start: timeOf(item.current_period_start), end: timeOf(item.current_period_end) }
  const { trial_end, cancel_at } = subscription
  const paid = invoices.filter(({ status, amount_paid }) => status === 'paid' && amount_paid > 0)
  const payments = paymentsOf(paid, intents)
  return {
    id: subscription.id,
    customer_id: idOf(subscription.customer) ?? null,
    status: statusOf(subscription),
    trial_end: trial_end === null ? null : timeOf(trial_end),
    period,
    price_ref: item.price.id,
    cancel_at_period_end: subscription.cancel_at_period_end || (cancel_at !== null && timeOf(cancel_at) <= period.end),
    checkout_id: checkoutIdOf(subscription.metadata.checkout_id) ?? null,
    payments,
    has_unlisted_payment:
      payments.length < paid.length || !invoices.some(({ id }) => id === idOf(subscription.latest_invoice)),
    failed_payment: failedPayment(invoices, intents),
  }
}

function itemOf({ id, items }: Stripe.Subscription) {
  const [item] = items.data
  if (!item) throw new ProviderError('refused', `The subscription ${id} has no price at Stripe.`)
  return item
}

const statuses: Record<string, ProviderSubscription['status']> = {
  incomplete: 'pending',
  incomplete_expired: 'expired',
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  canceled: 'expired',
  // A trial that ended without a payment method.
  paused: 'expired',
}

function statusOf({ id, status, cancel_at_period_end, cancellation_details }: Stripe.Subscription) {
  const wasAsked = cancel_at_period_end || cancellation_details?.reason === 'cancellation_requested'
  if (status === 'canceled' && wasAsked) return 'canceled'
  const known = statuses[status]
  if (!known) throw new ProviderError('unavailable', `The subscription ${id} has the unknown status ${status}.`)
  return known
}

type Intents = ReadonlyMap<string, Stripe.PaymentIntent>

const intentIdOf = ({ payments }: Stripe.Invoice) => {
  const payment =
    payments?.data.find(({ status }) => status === 'paid') ?? payments?.data.find((each) => each.is_default)
  return idOf(payment?.payment.payment_intent)
}

/** Reads the payment intents of invoices, with what was refunded, in a few calls. */
async function readIntents(stripe: Stripe, customer: string | undefined, invoices: Stripe.Invoice[]): Promise<Intents> {
  const wanted = new Set(invoices.map(intentIdOf).filter((id) => id !== undefined))
  const intents = new Map<string, Stripe.PaymentIntent>()
  if (customer === undefined || wanted.size === 0) return intents
  let seen = 0
  for await (const intent of stripe.paymentIntents.list({ customer, limit: 100, expand: ['data.latest_charge'] })) {
    if (wanted.delete(intent.id)) intents.set(intent.id, intent)
    if (wanted.size === 0 || ++seen === MAX_INTENTS) break
  }
  return intents
}

/** Oldest first. */
function paymentsOf(paid: Stripe.Invoice[], intents: Intents): ProviderPayment[] {
  return paid.toReversed().flatMap((invoice) => {
    const id = intentIdOf(invoice)
    if (id === undefined) return [paidElsewhere(invoice)]
    const intent = intents.get(id)
    const payment = intent && paymentOf(intent, invoice)
    return payment ? [payment] : []
  })
}

function failedPayment(invoices: Stripe.Invoice[], intents: Intents): ProviderSubscription['failed_payment'] {
  const invoice = invoices.find(({ status, attempt_count }) => status === 'open' && attempt_count > 0)
  if (!invoice) return null
  const id = intentIdOf(invoice)
  const reason = id === undefined ? undefined : intents.get(id)?.last_payment_error?.message
  return {
    id: id ?? invoice.id,
    amount: BigInt(invoice.amount_remaining),
    currency: currencyOf(invoice.currency),
    message: reason ?? 'The payment failed.',
    pay_url: invoice.hosted_invoice_url ?? null,
  }
}

/** Carries no idempotency key, which would make a second change of mind return the first response. */
export async function setCancelAtPeriodEnd(deps: Deps, id: string, cancel: boolean) {
  const stripe = await stripeClient(deps)
  const { cancel_at_period_end, cancel_at } = await stripe.subscriptions.retrieve(id)
  if (cancel && !cancel_at_period_end) await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  if (!cancel && cancel_at_period_end) await stripe.subscriptions.update(id, { cancel_at_period_end: false })
  // An end that was set at Stripe, such as in its portal.
  if (!cancel && !cancel_at_period_end && cancel_at !== null) await stripe.subscriptions.update(id, { cancel_at: '' })
}

/** Also voids open invoices, which could still be paid at their address. */
export async function cancelNow(deps: Deps, id: string) {
  const stripe = await stripeClient(deps)
  const subscription = await unlessMissing(stripe.subscriptions.retrieve(id))
  if (!subscription) return
  if (!['canceled', 'incomplete_expired'].includes(subscription.status))
    await stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false })
  const { data: open } = await stripe.invoices.list({ subscription: id, status: 'open', limit: MAX_INVOICES })
  for (const invoice of open) await stripe.invoices.voidInvoice(invoice.id)
}

const itemsOf = (item: Stripe.SubscriptionItem, price: string) => [{ id: item.id, price, quantity: 1 }]

/** Stripe refuses a time before the period. */
const prorationDate = (item: Stripe.SubscriptionItem, at: Date) =>
  Math.max(Math.floor(at.getTime() / 1000), item.current_period_start)

/** Nothing is charged in a trial. Includes the balance of the customer at Stripe. */
export async function previewChange(deps: Deps, { id, price_ref, at }: { id: string; price_ref: string; at: Date }) {
  const stripe = await stripeClient(deps)
  const subscription = await stripe.subscriptions.retrieve(id)
  const item = itemOf(subscription)
  if (subscription.status === 'trialing' || item.price.id === price_ref) return 0n
  const { amount_due } = await stripe.invoices.createPreview({
    subscription: id,
    subscription_details: {
      items: itemsOf(item, price_ref),
      proration_behavior: 'always_invoice',
      proration_date: prorationDate(item, at),
    },
  })
  return BigInt(amount_due)
}

type Change = { id: string; price_ref: string; when: 'now' | 'at_renewal'; key: string; at?: Date }

export async function changePrice(deps: Deps, { id, price_ref, when, key, at }: Change) {
  const stripe = await stripeClient(deps)
  const subscription = await stripe.subscriptions.retrieve(id)
  const item = itemOf(subscription)
  if (item.price.id === price_ref) return { id }
  const items = itemsOf(item, price_ref)
  const idempotencyKey = `change:${key}`
  if (when === 'now') {
    const params = {
      items,
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
      ...(at && subscription.status !== 'trialing' && { proration_date: prorationDate(item, at) }),
    } as const
    await stripe.subscriptions.update(id, params, { idempotencyKey })
    return { id }
  }
  const price = await stripe.prices.retrieve(price_ref)
  // A price of another interval begins a period at once, except in a trial. So the paid period ends as a trial.
  if (subscription.status !== 'trialing' && price.recurring?.interval !== item.price.recurring?.interval)
    await stripe.subscriptions.update(
      id,
      { trial_end: item.current_period_end, proration_behavior: 'none' },
      { idempotencyKey: `${idempotencyKey}:trial` },
    )
  await stripe.subscriptions.update(id, { items, proration_behavior: 'none' }, { idempotencyKey })
  return { id }
}

type Of = { id: string; customer_id: string | null }

export async function readPaymentMethod(deps: Deps, { id }: Of): Promise<PaymentMethod | null> {
  const stripe = await stripeClient(deps)
  const subscription = await unlessMissing(
    stripe.subscriptions.retrieve(id, {
      expand: ['default_payment_method', 'customer.invoice_settings.default_payment_method'],
    }),
  )
  if (!subscription) return null
  const { default_payment_method: own, customer } = subscription
  const general =
    typeof customer === 'object' && !customer.deleted ? customer.invoice_settings.default_payment_method : null
  const method = own ?? general
  if (method === null || typeof method === 'string') return null
  const { card, sepa_debit } = method
  if (!card) return { brand: method.type, last4: sepa_debit?.last4 ?? '', expires: null }
  const month = String(card.exp_month).padStart(2, '0')
  return { brand: card.brand, last4: card.last4, expires: `${card.exp_year}-${month}` }
}

export async function paymentMethodUrl(deps: Deps, { id, customer_id }: Of, return_url: string) {
  const stripe = await stripeClient(deps)
  const customer = customer_id ?? idOf((await unlessMissing(stripe.subscriptions.retrieve(id)))?.customer)
  if (customer === undefined) return null
  const session = await stripe.billingPortal.sessions.create({
    customer,
    return_url,
    flow_data: {
      type: 'payment_method_update',
      after_completion: { type: 'redirect', redirect: { return_url } },
    },
  })
  return session.url
}
