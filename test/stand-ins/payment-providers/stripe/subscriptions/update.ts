import { cardError } from '../charges.ts'
import { emit } from '../events.ts'
import { choiceIn, type Form, flagIn, formsIn, integerIn, metadataIn, onlyKnown, StripeError, textIn } from '../form.ts'
import { change, draft, finalize, payLater, voidInvoice } from '../invoices.ts'
import { present } from '../present/present.ts'
import { amountIn, type Item, type Line, type Stripe, type Subscription } from '../state.ts'
import { endOfPeriod, payNow, periodLines, priceOf, prorations, schedule } from './subscriptions.ts'

const KNOWN = `add_invoice_items application_fee_percent automatic_tax billing_cycle_anchor billing_schedules
  billing_thresholds cancel_at cancel_at_period_end cancellation_details collection_method days_until_due
  default_payment_method default_source default_tax_rates description discounts invoice_settings items metadata
  off_session on_behalf_of pause_collection payment_behavior payment_settings pending_invoice_item_interval
  proration_behavior proration_date transfer_data trial_end trial_from_plan trial_settings`

/** The parameters that a change may have that waits for its payment. */
const KNOWN_PENDING = `payment_behavior proration_behavior proration_date billing_cycle_anchor items trial_end
  trial_from_plan add_invoice_items discounts`

export const PRORATIONS = ['create_prorations', 'always_invoice', 'none'] as const
const BEHAVIORS = ['allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'] as const

/** The items after a change. An entry with the id of an item changes it, one without adds another. */
export function changedItems(stripe: Stripe, { items, currency }: Subscription, form: Form, path: string): Item[] {
  const next = items.map((item) => ({ ...item }))
  for (const [index, entry] of formsIn(form, path).entries()) {
    const [id, price] = [textIn(entry, 'id'), textIn(entry, 'price')]
    const param = `items[${index}]`
    const found = next.find((item) => item.id === id)
    if (id && !found)
      throw new StripeError(400, `No such subscription_item: '${id}'`, {
        param: `${param}[id]`,
        code: 'resource_missing',
      })
    if (found && flagIn(entry, 'deleted')) {
      next.splice(next.indexOf(found), 1)
      continue
    }
    const quantity = integerIn(entry, 'quantity')
    if (price) amountIn(stripe.get('price', price, `${param}[price]`), currency)
    if (found) Object.assign(found, { ...(price ? { price } : {}), ...(quantity === undefined ? {} : { quantity }) })
    else if (price) next.push({ id: stripe.newId('si'), price, quantity: quantity ?? 1 })
    else
      throw new StripeError(400, `Missing required param: ${param}[price].`, {
        param: `${param}[price]`,
        code: 'parameter_missing',
      })
  }
  const rhythms = new Set(
    next.map((item) => priceOf(stripe, item)).map(({ interval, intervalCount }) => `${interval} ${intervalCount}`),
  )
  if (rhythms.size > 1)
    throw new StripeError(400, 'Currently, all items in a subscription must have the same billing interval.', {
      param: 'items',
    })
  if ([...rhythms][0]?.startsWith('null')) throw new StripeError(400, 'The price is not recurring.', { param: 'items' })
  return next
}

const rhythm = (stripe: Stripe, items: Item[]) => {
  const [first] = items.map((item) => priceOf(stripe, item))
  return `${first?.interval} ${first?.intervalCount}`
}

type Change = { items: Item[]; behavior: (typeof PRORATIONS)[number]; anchorNow: boolean; at?: number }

/** The result of a change of items: the subscription after it, and lines to be charged now or with the next invoice. */
export function planChange(stripe: Stripe, before: Subscription, { items, behavior, anchorNow, at }: Change) {
  const now = at ?? stripe.now()
  const isTrial = before.status === 'trialing'
  const resets = !isTrial && (anchorNow || rhythm(stripe, items) !== rhythm(stripe, before.items))
  const credits: Line[] = behavior === 'none' ? [] : prorations(stripe, before, items, now, resets)
  const after: Subscription = { ...structuredClone(before), items }
  if (!resets) {
    const invoiced = behavior === 'always_invoice' && credits.length > 0
    // An invoice takes up what waits for the next one.
    return { after: { ...after, pending: [] }, lines: [...before.pending, ...credits], now: invoiced }
  }
  const periodEnd = endOfPeriod(stripe, items, now, now)
  Object.assign(after, { anchor: now, periodStart: now, periodEnd, pending: [] })
  return {
    after,
    lines: [...before.pending, ...credits, ...periodLines(stripe, after, now, periodEnd)],
    now: true,
    resets,
  }
}

/** Keeps a change until its invoice is paid, at most 23 hours. */
function postpone(stripe: Stripe, subscription: Subscription, invoice: string, after: Subscription) {
  const expiresAt = stripe.now() + 23 * 3600
  change(stripe, subscription, () => {
    subscription.update = { invoice, expiresAt, after: { ...after, update: null } }
    subscription.latestInvoice = invoice
  })
  stripe.timers.set(`stripe update ${subscription.id}`, expiresAt * 1000, () => {
    voidInvoice(stripe, stripe.get('invoice', invoice))
    subscription.update = null
    emit(stripe, 'customer.subscription.pending_update_expired', subscription)
  })
}

function changeItems(stripe: Stripe, subscription: Subscription, form: Form, wanted: Change) {
  const paymentBehavior = choiceIn(form, 'payment_behavior', BEHAVIORS) ?? 'allow_incomplete'
  const { after, lines, now } = planChange(stripe, subscription, wanted)
  if (!now) {
    after.pending = lines
    change(stripe, subscription, () => Object.assign(subscription, after))
    return schedule(stripe, subscription)
  }
  const before = structuredClone(subscription)
  const invoice = draft(stripe, after, 'subscription_update', lines)
  if (paymentBehavior === 'default_incomplete') finalize(stripe, invoice)
  const paid = paymentBehavior === 'default_incomplete' ? invoice.status === 'paid' : payNow(stripe, invoice)
  if (!paid && paymentBehavior === 'error_if_incomplete') {
    voidInvoice(stripe, invoice)
    Object.assign(subscription, before)
    throw cardError(stripe.get('payment_intent', invoice.paymentIntent ?? ''))
  }
  if (!paid && paymentBehavior === 'pending_if_incomplete') {
    emit(stripe, 'invoice.payment_failed', invoice)
    return postpone(stripe, subscription, invoice.id, after)
  }
  change(stripe, subscription, () => Object.assign(subscription, after, paid ? {} : { status: 'past_due' }))
  schedule(stripe, subscription)
  if (!paid && paymentBehavior === 'allow_incomplete') payLater(stripe, invoice)
}

function changeTrial(stripe: Stripe, subscription: Subscription, value: string) {
  const now = stripe.now()
  const trialEnd = value === 'now' ? now : Number(value)
  if (!Number.isInteger(trialEnd) || trialEnd < now)
    throw new StripeError(400, 'Invalid timestamp', { param: 'trial_end' })
  if (value !== 'now') {
    change(stripe, subscription, () =>
      Object.assign(subscription, {
        trialEnd,
        status: 'trialing',
        anchor: trialEnd,
        periodEnd: trialEnd,
        trialStart: subscription.trialStart ?? now,
      }),
    )
    return schedule(stripe, subscription)
  }
  change(stripe, subscription, () => {
    const periodEnd = endOfPeriod(stripe, subscription.items, now, now)
    Object.assign(subscription, { trialEnd: now, status: 'active', anchor: now, periodStart: now, periodEnd })
    const lines = periodLines(stripe, subscription, now, periodEnd)
    const invoice = draft(stripe, subscription, 'subscription_cycle', lines)
    if (payNow(stripe, invoice)) return
    subscription.status = 'past_due'
    payLater(stripe, invoice)
  })
  schedule(stripe, subscription)
}

function changeFields(stripe: Stripe, subscription: Subscription, form: Form) {
  const atEnd = flagIn(form, 'cancel_at_period_end')
  const card = textIn(form, 'default_payment_method')
  if (card) stripe.get('payment_method', card, 'default_payment_method')
  const description = textIn(form, 'description')
  const cancelAt = textIn(form, 'cancel_at')
  const metadata = metadataIn(form, 'metadata', subscription.metadata)
  change(stripe, subscription, () => {
    subscription.metadata = metadata
    if (card !== undefined) subscription.card = card
    if (description !== undefined) subscription.description = description
    if (cancelAt !== undefined) subscription.cancelAt = cancelAt === null ? null : Number(cancelAt)
    if (cancelAt) Object.assign(subscription, { canceledAt: stripe.now(), reason: 'cancellation_requested' })
    if (atEnd === true && !subscription.cancelAtPeriodEnd)
      Object.assign(subscription, {
        cancelAtPeriodEnd: true,
        canceledAt: stripe.now(),
        reason: 'cancellation_requested',
      })
    if (atEnd === false) Object.assign(subscription, { cancelAtPeriodEnd: false, canceledAt: null, reason: null })
  })
  schedule(stripe, subscription)
}

/** POST /v1/subscriptions/:id */
export function updateSubscription(stripe: Stripe, subscription: Subscription, form: Form) {
  onlyKnown(form, KNOWN)
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
    throw new StripeError(400, 'A canceled subscription can only update its cancellation_details and metadata.')
  if (textIn(form, 'payment_behavior') === 'pending_if_incomplete') onlyKnown(form, KNOWN_PENDING)
  const behavior = choiceIn(form, 'proration_behavior', PRORATIONS) ?? 'create_prorations'
  const anchor = choiceIn(form, 'billing_cycle_anchor', ['now', 'unchanged'])
  const at = integerIn(form, 'proration_date')
  const items = changedItems(stripe, subscription, form, 'items')
  const trialEnd = textIn(form, 'trial_end')
  if (form.items !== undefined || anchor === 'now') {
    const wanted = { items, behavior, anchorNow: anchor === 'now', ...(at === undefined ? {} : { at }) }
    changeItems(stripe, subscription, form, wanted)
  }
  if (trialEnd) changeTrial(stripe, subscription, trialEnd)
  if (textIn(form, 'payment_behavior') !== 'pending_if_incomplete') changeFields(stripe, subscription, form)
  return present(stripe, subscription)
}
