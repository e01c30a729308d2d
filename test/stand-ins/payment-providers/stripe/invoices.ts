import { charge } from './charges.ts'
import { emit, emitUpdated } from './events.ts'
import { StripeError } from './form.ts'
import { present } from './present/present.ts'
import { dueOf, type Invoice, type Line, type Stripe, type Subscription, totalOf } from './state.ts'

const DAY = 86_400

/** Changes a subscription and reports it as one event. */
export function change(stripe: Stripe, subscription: Subscription, apply: () => void) {
  const before = present(stripe, subscription)
  apply()
  emitUpdated(stripe, 'customer.subscription.updated', subscription, before)
}

const timerOf = ({ id }: Invoice) => `stripe ${id}`

/** A draft of these lines, without an event. */
export function draft(stripe: Stripe, subscription: Subscription, reason: Invoice['reason'], lines: Line[]): Invoice {
  const { customer, currency, periodStart, periodEnd, id } = subscription
  const invoice = stripe.add('invoice', {
    customer,
    subscription: id,
    currency,
    reason,
    lines,
    metadata: subscription.metadata,
    status: 'draft',
    startingBalance: stripe.get('customer', customer).balance,
    endingBalance: null,
    amountPaid: 0,
    attempts: 0,
    nextAttempt: null,
    autoAdvance: true,
    number: null,
    periodStart,
    periodEnd,
    paymentIntent: null,
    finalizedAt: null,
    paidAt: null,
    voidedAt: null,
  })
  subscription.latestInvoice = invoice.id
  return invoice
}

/** Gives an invoice its number, and uses the customer's credit for it. */
export function finalize(stripe: Stripe, invoice: Invoice) {
  if (invoice.status !== 'draft') return
  const customer = stripe.get('customer', invoice.customer)
  const count =
    stripe.all('invoice').filter(({ customer: of, number }) => of === customer.id && number !== null).length + 1
  invoice.startingBalance = customer.balance
  const left = totalOf(invoice) + customer.balance
  // Only a credit passes to the next invoice; what is owed is charged with this one.
  customer.balance = Math.min(0, left)
  const number = `${customer.id.slice(-8).toUpperCase()}-${String(count).padStart(4, '0')}`
  Object.assign(invoice, { status: 'open', number, finalizedAt: stripe.now(), endingBalance: customer.balance })
  emit(stripe, 'invoice.finalized', invoice)
}

const subscriptionOf = (stripe: Stripe, { subscription }: Invoice) =>
  subscription === null ? undefined : stripe.get('subscription', subscription)

function settled(stripe: Stripe, invoice: Invoice) {
  const subscription = subscriptionOf(stripe, invoice)
  if (!subscription || subscription.status === 'canceled' || subscription.status === 'incomplete_expired') return
  const { update } = subscription
  if (update?.invoice === invoice.id) {
    stripe.timers.clear(`stripe update ${subscription.id}`)
    change(stripe, subscription, () =>
      Object.assign(subscription, { ...update.after, update: null, latestInvoice: invoice.id }),
    )
    emit(stripe, 'customer.subscription.pending_update_applied', subscription)
  } else if (
    subscription.latestInvoice === invoice.id &&
    subscription.status !== 'trialing' &&
    subscription.status !== 'active'
  )
    change(stripe, subscription, () => {
      subscription.status = 'active'
    })
}

export function markPaid(stripe: Stripe, invoice: Invoice) {
  stripe.timers.clear(timerOf(invoice))
  Object.assign(invoice, { status: 'paid', paidAt: stripe.now(), amountPaid: dueOf(invoice), nextAttempt: null })
  emit(stripe, 'invoice.paid', invoice)
  emit(stripe, 'invoice.payment_succeeded', invoice)
  settled(stripe, invoice)
}

/** Tries to charge an open invoice once, and says whether it is paid now. */
export function pay(stripe: Stripe, invoice: Invoice, card?: string | null) {
  const amount = dueOf(invoice)
  if (amount === 0) {
    markPaid(stripe, invoice)
    return true
  }
  const { id, customer, currency, subscription: subscriptionId, metadata } = invoice
  const subscription = subscriptionOf(stripe, invoice)
  const method = card ?? subscription?.card ?? stripe.get('customer', customer).card
  invoice.attempts++
  if (!method) return false
  const refs = [id, ...(subscriptionId ? [subscriptionId] : [])]
  const payment = { amount, currency, customer, card: method, metadata, description: 'Subscription', invoice: id, refs }
  const intent = charge(stripe, payment, invoice.paymentIntent)
  invoice.paymentIntent = intent.id
  if (intent.status !== 'succeeded') return false
  markPaid(stripe, invoice)
  return true
}

/** Ends a subscription for good. */
export function end(stripe: Stripe, subscription: Subscription, reason: Subscription['reason']) {
  const now = stripe.now()
  for (const name of ['period', 'trial', 'update']) stripe.timers.clear(`stripe ${name} ${subscription.id}`)
  Object.assign(subscription, { status: 'canceled', endedAt: now, reason, update: null, pending: [] })
  subscription.canceledAt ??= now
  // Stripe no longer collects what is open, but leaves it open.
  for (const invoice of stripe.all('invoice'))
    if (invoice.subscription === subscription.id && (invoice.status === 'open' || invoice.status === 'draft')) {
      stripe.timers.clear(timerOf(invoice))
      Object.assign(invoice, { autoAdvance: false, nextAttempt: null })
    }
  emit(stripe, 'customer.subscription.deleted', subscription)
}

function retriesEnd(stripe: Stripe, invoice: Invoice) {
  const subscription = subscriptionOf(stripe, invoice)
  Object.assign(invoice, { nextAttempt: null, autoAdvance: false })
  const { afterRetries } = stripe.settings
  if (!subscription || afterRetries === 'past_due') return
  if (afterRetries === 'cancel') return end(stripe, subscription, 'payment_failed')
  change(stripe, subscription, () => {
    subscription.status = 'unpaid'
  })
}

/** Charges an open invoice. A failed charge is tried again by the settings; the subscription becomes past due. */
function collect(stripe: Stripe, invoice: Invoice) {
  if (invoice.status === 'open' && !pay(stripe, invoice)) payLater(stripe, invoice)
}

/** Reports a charge that failed, and sets the time of the next try. */
export function payLater(stripe: Stripe, invoice: Invoice) {
  const days = stripe.settings.retryDays[invoice.attempts - 1]
  invoice.nextAttempt = days === undefined ? null : stripe.now() + days * DAY
  emit(stripe, 'invoice.payment_failed', invoice)
  const subscription = subscriptionOf(stripe, invoice)
  if (subscription?.status === 'active')
    change(stripe, subscription, () => {
      subscription.status = 'past_due'
    })
  if (invoice.nextAttempt === null) retriesEnd(stripe, invoice)
  else stripe.timers.set(timerOf(invoice), invoice.nextAttempt * 1000, () => collect(stripe, invoice))
}

/** Reports a draft, and finalizes and charges it an hour later. */
export function collectLater(stripe: Stripe, invoice: Invoice) {
  emit(stripe, 'invoice.created', invoice)
  const at = stripe.timers.time() + stripe.settings.finalizeAfterMs
  const advance = () => {
    finalize(stripe, invoice)
    collect(stripe, invoice)
  }
  if (invoice.autoAdvance) stripe.timers.set(timerOf(invoice), at, advance)
}

export function voidInvoice(stripe: Stripe, invoice: Invoice) {
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
    throw new StripeError(400, `You can only pass in open invoices. This invoice isn't open.`, {
      code: 'invoice_not_editable',
    })
  stripe.timers.clear(timerOf(invoice))
  Object.assign(invoice, { status: 'void', voidedAt: stripe.now(), nextAttempt: null, autoAdvance: false })
  emit(stripe, 'invoice.voided', invoice)
  const subscription = subscriptionOf(stripe, invoice)
  if (subscription?.update?.invoice === invoice.id) subscription.update = null
  if (subscription?.latestInvoice === invoice.id && subscription.status === 'past_due')
    change(stripe, subscription, () => {
      subscription.status = 'active'
    })
}
