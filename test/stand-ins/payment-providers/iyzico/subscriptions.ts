import { periodEnd } from '../timers.ts'
import {
  type Card,
  DECLINED,
  INTERVALS,
  type Iyzico,
  IyzicoError,
  notFound,
  type Order,
  type Payment,
  type Plan,
  type Subscription,
  wrongState,
} from './state.ts'
import { emitWebhook } from './webhooks.ts'

const DAY = 86_400_000

export const planOf = (world: Iyzico, ref: string) => {
  const plan = world.plans.get(ref)
  if (!plan) throw notFound('Ödeme planı')
  return plan
}

export const subscriptionOf = (world: Iyzico, ref: string) => {
  const subscription = world.subscriptions.get(ref)
  if (!subscription) throw notFound('Abonelik')
  return subscription
}

/** Whether a card refuses a payment. One that only the next payments are meant for uses up a decline. */
function declines(world: Iyzico, card: Card, currency: string) {
  if (card.declines || (currency !== 'TRY' && card.country === 'TR')) return true
  if (world.declines === 0) return false
  world.declines--
  return true
}

/** Takes the money for something, or returns undefined when the card is declined. */
export function takeMoney(world: Iyzico, card: Card, charge: Pick<Order, 'price' | 'currency'>, refs: string[]) {
  const { price, currency } = charge
  if (declines(world, card, currency)) return undefined
  const [id, transactionId, paidAt] = [world.newNumber(), world.newNumber(), world.timers.time()]
  const payment: Payment = { id, transactionId, price, currency, paidAt, refunded: 0n, refunds: [] }
  world.payments.set(payment.id, payment)
  const at = new Date(world.timers.time())
  const movement = { id: payment.id, amount: price, currency, refs: [payment.id, ...refs], metadata: {}, at }
  world.journal.charge({ provider: 'iyzico', ...movement })
  return payment
}

function notify(world: Iyzico, subscription: Subscription, order: Order, outcome: 'success' | 'failure') {
  const type = `subscription.order.${outcome}`
  const fields = {
    orderReferenceCode: order.ref,
    customerReferenceCode: subscription.customerRef,
    subscriptionReferenceCode: subscription.ref,
  }
  emitWebhook(world, {
    type,
    fields,
    signed: (key) => [world.credentials.merchantId, key, type, subscription.ref, order.ref, subscription.customerRef],
    tamper: (body) =>
      body.includes('order.failure')
        ? body.replace('order.failure', 'order.success')
        : body.replace('order.success', 'order.failure'),
  })
}

const orderTimer = (subscription: Subscription) => `iyzico order of ${subscription.ref}`

function addOrder(world: Iyzico, subscription: Subscription, start: number) {
  const plan = planOf(world, subscription.planRef)
  const end = periodEnd(subscription.anchor, start, INTERVALS[plan.interval], plan.count)
  const { price, currency } = plan
  const order: Order = { ref: world.newRef(), price, currency, start, end, status: 'WAITING', attempts: [] }
  subscription.orders.unshift(order)
  return order
}

/** Adds the order of a period, which is paid when the period begins. */
function schedule(world: Iyzico, subscription: Subscription, start: number) {
  const order = addOrder(world, subscription, start)
  if (start <= world.timers.time()) payOrder(world, subscription, order)
  else world.timers.set(orderTimer(subscription), start, () => payOrder(world, subscription, order))
}

function scheduleNext(world: Iyzico, subscription: Subscription, { end }: Order) {
  const { recurrences } = planOf(world, subscription.planRef)
  if (recurrences === undefined || subscription.paid < recurrences) return schedule(world, subscription, end)
  world.timers.set(orderTimer(subscription), end, () => {
    subscription.status = 'EXPIRED'
    subscription.endAt = end
  })
}

const takeOrder = (world: Iyzico, subscription: Subscription, order: Order) => {
  const { ref, customerRef, conversationId, token } = subscription
  return takeMoney(world, subscription.card, order, [order.ref, ref, customerRef, conversationId, token])
}

function conclude(world: Iyzico, subscription: Subscription, order: Order, payment: Payment | undefined) {
  const [conversationId, createdAt] = [world.newNumber(), world.timers.time()]
  order.status = payment ? 'SUCCESS' : 'FAILED'
  order.attempts.push({ conversationId, createdAt, paymentId: payment?.id ?? null, status: order.status })
  subscription.status = payment ? 'ACTIVE' : 'UNPAID'
  if (payment) subscription.paid++
  notify(world, subscription, order, payment ? 'success' : 'failure')
  if (payment) scheduleNext(world, subscription, order)
}

/** Tries to take the money for an order. iyzico does not try again by itself. */
function payOrder(world: Iyzico, subscription: Subscription, order: Order) {
  const payment = takeOrder(world, subscription, order)
  conclude(world, subscription, order, payment)
  return payment !== undefined
}

type Start = Pick<Subscription, 'customerRef' | 'conversationId' | 'token' | 'card'> & {
  plan: Plan
  initialStatus: 'ACTIVE' | 'PENDING'
}

/** Starts a subscription. A trial or PENDING only checks the card. Undefined, and no trace, when it is declined. */
export function startSubscription(world: Iyzico, { plan, initialStatus, ...given }: Start) {
  const now = world.timers.time()
  const trialEnd = plan.trialDays > 0 ? now + plan.trialDays * DAY : null
  const subscription: Subscription = {
    ...given,
    ref: world.newRef(),
    parentRef: null,
    planRef: plan.ref,
    status: initialStatus,
    createdAt: now,
    startAt: now,
    endAt: null,
    trialStart: trialEnd === null ? null : now,
    trialEnd,
    anchor: trialEnd ?? now,
    paid: 0,
    orders: [],
  }
  if (initialStatus === 'ACTIVE' && trialEnd === null) {
    const order = addOrder(world, subscription, now)
    const payment = takeOrder(world, subscription, order)
    if (!payment) return undefined
    conclude(world, subscription, order, payment)
  } else {
    if (declines(world, given.card, plan.currency)) return undefined
    if (initialStatus === 'ACTIVE') schedule(world, subscription, subscription.anchor)
  }
  world.subscriptions.set(subscription.ref, subscription)
  return subscription
}

/** Ends a subscription at once. A charge that it waits for never happens. */
export function cancelSubscription(world: Iyzico, subscription: Subscription) {
  if (!['ACTIVE', 'PENDING', 'UNPAID'].includes(subscription.status))
    throw wrongState('Abonelik iptal edilemez durumda')
  stop(world, subscription, 'CANCELED', 'SUBSCRIPTION_CANCELED')
}

function stop(world: Iyzico, subscription: Subscription, status: 'CANCELED' | 'UPGRADED', orders: Order['status']) {
  world.timers.clear(orderTimer(subscription))
  subscription.status = status
  subscription.endAt = world.timers.time()
  for (const order of subscription.orders) if (order.status === 'WAITING') order.status = orders
}

export function activateSubscription(world: Iyzico, subscription: Subscription) {
  if (subscription.status !== 'PENDING') throw wrongState('Abonelik aktif edilemez durumda')
  subscription.status = 'ACTIVE'
  const now = world.timers.time()
  const start = Math.max(now, subscription.trialEnd ?? now)
  Object.assign(subscription, { startAt: now, anchor: start })
  schedule(world, subscription, start)
}

type Upgrade = { to: Plan; period: 'NOW' | 'NEXT_PERIOD'; useTrial: boolean; resetRecurrenceCount: boolean }

/** Replaces a subscription with a new one, of a plan of the same product and interval. Nothing is prorated. */
export function upgradeSubscription(world: Iyzico, old: Subscription, { to, period, useTrial, ...rest }: Upgrade) {
  if (old.status !== 'ACTIVE') throw wrongState('Abonelik yükseltilemez durumda')
  const from = planOf(world, old.planRef)
  const isSame = from.productRef === to.productRef && from.interval === to.interval && from.count === to.count
  if (!isSame || from.currency !== to.currency)
    throw new IyzicoError('201405', 'Yeni plan aynı ürüne ve aynı ödeme aralığına ait olmalıdır')
  const now = world.timers.time()
  const next = old.orders.find(({ status }) => status === 'WAITING')?.start ?? now
  const trialEnd = useTrial && to.trialDays > 0 ? now + to.trialDays * DAY : null
  const start = period === 'NEXT_PERIOD' ? next : (trialEnd ?? now)
  const child: Subscription = {
    ...old,
    ref: world.newRef(),
    parentRef: old.ref,
    planRef: to.ref,
    createdAt: now,
    startAt: start,
    trialStart: trialEnd === null ? null : now,
    trialEnd,
    anchor: start,
    paid: rest.resetRecurrenceCount ? 0 : old.paid,
    orders: [],
  }
  stop(world, old, 'UPGRADED', 'SUBSCRIPTION_UPGRADED')
  world.subscriptions.set(child.ref, child)
  schedule(world, child, start)
  return child
}

/** Pays an order that failed. */
export function retryOrder(world: Iyzico, orderRef: string) {
  const found = [...world.subscriptions.values()].find(({ orders }) => orders.some(({ ref }) => ref === orderRef))
  const order = found?.orders.find(({ ref }) => ref === orderRef)
  if (!found || !order) throw notFound('Sipariş')
  if (order.status !== 'FAILED' || found.status !== 'UNPAID') throw wrongState('Sipariş tekrar denenemez durumda')
  if (world.timers.time() - order.start > 160 * DAY) throw wrongState('Sipariş için deneme süresi geçti')
  if (!payOrder(world, found, order)) throw new IyzicoError('10051', DECLINED, 200)
}
