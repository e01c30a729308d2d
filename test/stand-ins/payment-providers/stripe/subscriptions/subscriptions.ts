import { periodEnd } from '../../timers.ts'
import { emit } from '../events.ts'
import { change, collectLater, draft, end, finalize, pay } from '../invoices.ts'
import {
  amountIn,
  type Invoice,
  type Item,
  type Line,
  type Metadata,
  type Price,
  type Stripe,
  type Subscription,
} from '../state.ts'

const DAY = 86_400

export const priceOf = (stripe: Stripe, { price }: Pick<Item, 'price'>) => stripe.get('price', price, 'price')

/** The end of the period of these items that begins at `start`. */
export function endOfPeriod(stripe: Stripe, items: Item[], anchor: number, start: number) {
  const [price] = items.map((item) => priceOf(stripe, item))
  if (!price?.interval) throw new Error('A subscription without a recurring price')
  return periodEnd(anchor * 1000, start * 1000, price.interval, price.intervalCount) / 1000
}

export const describe = (stripe: Stripe, price: Price) => stripe.find('product', price.product)?.name ?? price.product

/** One line per item for a whole period. */
export const periodLines = (stripe: Stripe, { items, currency }: Subscription, start: number, end: number): Line[] =>
  items.map((item) => {
    const price = priceOf(stripe, item)
    const { quantity } = item
    const description = `${quantity} × ${describe(stripe, price)}`
    const amount = amountIn(price, currency) * quantity
    const base = { id: stripe.newId('il'), amount, description, price: price.id, quantity, item: item.id }
    return { ...base, start, end, proration: false }
  })

type NewSubscription = {
  customer: string
  currency: string
  items: Omit<Item, 'id'>[]
  card: string | null
  metadata: Metadata
  trialEnd: number | null
  missingMethod: Subscription['missingMethod']
  description: string | null
}

/** Adds a subscription whose first period begins now, with its first invoice, not finalized. */
export function addSubscription(stripe: Stripe, { items: wanted, trialEnd, ...given }: NewSubscription) {
  const now = stripe.now()
  const items = wanted.map((item) => ({ ...item, id: stripe.newId('si') }))
  const anchor = trialEnd ?? now
  const subscription = stripe.add('subscription', {
    ...given,
    status: trialEnd === null ? 'incomplete' : 'trialing',
    items,
    anchor,
    periodStart: now,
    periodEnd: trialEnd ?? endOfPeriod(stripe, items, anchor, now),
    trialStart: trialEnd === null ? null : now,
    trialEnd,
    cancelAtPeriodEnd: false,
    cancelAt: null,
    canceledAt: null,
    endedAt: null,
    reason: null,
    latestInvoice: null,
    pending: [],
    update: null,
  })
  const lines = periodLines(stripe, subscription, now, subscription.periodEnd)
  const free = lines.map((line) => ({ ...line, amount: 0, description: `Trial period for ${line.description}` }))
  const invoice = draft(stripe, subscription, 'subscription_create', trialEnd === null ? lines : free)
  return { subscription, invoice }
}

/** Sets what happens to a subscription by itself: the end of its period, and the notice before the end of its trial. */
export function schedule(stripe: Stripe, subscription: Subscription) {
  const { id, trialEnd, status, periodEnd, cancelAt } = subscription
  const at = Math.min(periodEnd, cancelAt ?? periodEnd)
  stripe.timers.set(`stripe period ${id}`, at * 1000, () => periodEnds(stripe, subscription))
  if (status !== 'trialing' || trialEnd === null) return stripe.timers.clear(`stripe trial ${id}`)
  const notice = Math.max(trialEnd - 3 * DAY, stripe.now()) * 1000
  stripe.timers.set(`stripe trial ${id}`, notice, () =>
    emit(stripe, 'customer.subscription.trial_will_end', subscription),
  )
}

function hasMethod(stripe: Stripe, { card, customer }: Subscription) {
  return card !== null || stripe.get('customer', customer).card !== null
}

function periodEnds(stripe: Stripe, subscription: Subscription) {
  const now = stripe.now()
  const { status, cancelAtPeriodEnd, cancelAt, missingMethod } = subscription
  if (cancelAtPeriodEnd || (cancelAt !== null && cancelAt <= now))
    return end(stripe, subscription, 'cancellation_requested')
  if (status === 'trialing' && !hasMethod(stripe, subscription)) {
    if (missingMethod === 'cancel') return end(stripe, subscription, null)
    if (missingMethod === 'pause') return pause(stripe, subscription)
  }
  let invoice: Invoice | undefined
  change(stripe, subscription, () => {
    const start = subscription.periodEnd
    const until = endOfPeriod(stripe, subscription.items, subscription.anchor, start)
    const lines = [...subscription.pending, ...periodLines(stripe, subscription, start, until)]
    invoice = draft(stripe, subscription, 'subscription_cycle', lines)
    invoice.autoAdvance = status !== 'unpaid'
    Object.assign(subscription, { periodStart: start, periodEnd: until, pending: [] })
    if (status === 'trialing') subscription.status = 'active'
  })
  schedule(stripe, subscription)
  if (invoice) collectLater(stripe, invoice)
}

function pause(stripe: Stripe, subscription: Subscription) {
  change(stripe, subscription, () => {
    subscription.status = 'paused'
  })
  emit(stripe, 'customer.subscription.paused', subscription)
}

/** Finalizes an invoice and charges it at once. */
export function payNow(stripe: Stripe, invoice: Invoice) {
  emit(stripe, 'invoice.created', invoice)
  finalize(stripe, invoice)
  return pay(stripe, invoice)
}

/** The worth of the rest of the period at these prices, by seconds. */
const share = (amount: number, subscription: Subscription, now: number) => {
  const { periodStart, periodEnd } = subscription
  return Math.round((amount * (periodEnd - now)) / (periodEnd - periodStart))
}

/** Lines that credit what is unused of the old items, and charge the rest of the period of the new ones. */
export function prorations(stripe: Stripe, before: Subscription, items: Item[], now: number, resets: boolean): Line[] {
  if (before.status === 'trialing') return []
  const line = (item: Item, sign: 1 | -1): Line => {
    const price = priceOf(stripe, item)
    const amount = sign * share(amountIn(price, before.currency) * item.quantity, before, now)
    const description = `${sign === 1 ? 'Remaining' : 'Unused'} time on ${describe(stripe, price)}`
    const base = {
      id: stripe.newId('il'),
      amount,
      description,
      price: price.id,
      quantity: item.quantity,
      item: item.id,
    }
    return { ...base, start: now, end: before.periodEnd, proration: true }
  }
  const changed = (item: Item, others: Item[]) =>
    resets ||
    !others.some(({ id, price, quantity }) => id === item.id && price === item.price && quantity === item.quantity)
  const credits = before.items.filter((item) => changed(item, items)).map((item) => line(item, -1))
  const charges = items.filter((item) => !resets && changed(item, before.items)).map((item) => line(item, 1))
  return [...credits, ...charges]
}

/** Ends a subscription at once. `prorate`: credits what is unused. `invoiceNow`: puts what is pending on an invoice. */
export function cancelNow(stripe: Stripe, subscription: Subscription, prorate: boolean, invoiceNow: boolean) {
  const now = stripe.now()
  if (prorate) subscription.pending.push(...prorations(stripe, subscription, [], now, true))
  const lines = subscription.pending
  if (invoiceNow && lines.length > 0) {
    subscription.pending = []
    payNow(stripe, draft(stripe, subscription, 'manual', lines))
  }
  end(stripe, subscription, 'cancellation_requested')
}
