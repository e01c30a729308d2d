import { type Static, Type } from 'typebox'
import type { Deps } from '../../../../lib/deps.ts'
import { minorOf, NumberOrText } from '../calls.ts'
import { type PaymentMethod, ProviderError, type ProviderSubscription } from '../provider.ts'
import { isNotFound, iyzicoCall } from './client.ts'
import { currencyOf, idOf, readCard, timeOf } from './payments.ts'

const path = '/v2/subscription/subscriptions'
const nullable = <S extends Parameters<typeof Type.Optional>[0]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))
const Attempt = Type.Object({
  createdDate: nullable(NumberOrText),
  paymentId: nullable(NumberOrText),
  paymentStatus: nullable(Type.String()),
  paymentAttemptStatus: nullable(Type.String()),
  errorMessage: nullable(Type.String()),
})
const Order = Type.Object({
  referenceCode: Type.String(),
  price: NumberOrText,
  currencyCode: Type.String(),
  startPeriod: NumberOrText,
  endPeriod: NumberOrText,
  orderStatus: Type.String(),
  paymentAttempts: nullable(Type.Array(Attempt)),
})
const Subscription = Type.Object({
  referenceCode: Type.String({ minLength: 1 }),
  parentReferenceCode: nullable(Type.String()),
  pricingPlanReferenceCode: Type.String(),
  customerReferenceCode: Type.String(),
  subscriptionStatus: Type.String(),
  trialStartDate: nullable(NumberOrText),
  trialEndDate: nullable(NumberOrText),
  orders: nullable(Type.Array(Order)),
})
type Order = Static<typeof Order>
type Subscription = Static<typeof Subscription>

/** A subscription with those that it replaced, newest first. Orders stay with the one that they were made for. */
type Chain = [newest: Subscription, ...earlier: Subscription[]]
/** Upgrades that are followed in either direction. */
const MAX_UPGRADES = 50
const MAX_PAGES = 20

async function readOne(deps: Deps, id: string): Promise<Subscription | null> {
  try {
    const One = Type.Object({ data: Subscription })
    return (await iyzicoCall(deps, One, { path: `${path}/${encodeURIComponent(id)}` })).data
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** The subscription that replaced this one. iyzico ignores filters that it does not know, so they are checked. */
async function replacementOf(deps: Deps, { referenceCode: parent, customerReferenceCode: customer }: Subscription) {
  const filters = { parentReferenceCode: parent, customerReferenceCode: customer, count: '100' }
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data } = await iyzicoCall(deps, Page, { path, query: { ...filters, page: String(page) } })
    const successor = data.items.find(({ parentReferenceCode }) => parentReferenceCode === parent)
    if (successor) return readOne(deps, successor.referenceCode)
    if (page >= (data.pageCount ?? 0)) break
  }
  throw new ProviderError('unavailable', 'iyzico does not list the subscription that replaced this one.')
}
const Page = Type.Object({
  data: Type.Object({ items: Type.Array(Subscription), pageCount: Type.Optional(Type.Number()) }),
})

async function readChain(deps: Deps, id: string): Promise<Chain | null> {
  const first = await readOne(deps, id)
  if (!first) return null
  const chain: Chain = [first]
  while (chain[0].subscriptionStatus === 'UPGRADED' && chain.length < MAX_UPGRADES) {
    const next = await replacementOf(deps, chain[0])
    if (!next) break
    chain.unshift(next)
  }
  // A replacement without a paid order of its own runs in a period that one before it paid.
  let last = first
  while (
    !chain.some((each) => paidOrders(each).length > 0) &&
    last.parentReferenceCode &&
    chain.length < MAX_UPGRADES
  ) {
    const parent = await readOne(deps, last.parentReferenceCode)
    if (!parent) break
    chain.push(parent)
    last = parent
  }
  return chain
}

const byStart = (a: Order, b: Order) => timeOf(b.startPeriod).getTime() - timeOf(a.startPeriod).getTime()
/** Newest first. */
const ordersOf = ({ orders }: Subscription) => [...(orders ?? [])].sort(byStart)
const paidOrders = (subscription: Subscription) =>
  ordersOf(subscription).filter(({ orderStatus }) => orderStatus === 'SUCCESS')
const periodOf = ({ startPeriod, endPeriod }: Order) => ({ start: timeOf(startPeriod), end: timeOf(endPeriod) })

/** The payment of a paid order; undefined while iyzico lists no successful attempt. */
function paymentOf(order: Order) {
  const paid = (order.paymentAttempts ?? []).find(
    (each) => (each.paymentStatus ?? each.paymentAttemptStatus) === 'SUCCESS' && each.paymentId != null,
  )
  if (paid?.paymentId == null) return undefined
  return {
    id: idOf(paid.paymentId),
    amount: minorOf(order.price),
    currency: currencyOf(order.currencyCode),
    paid_at: timeOf(paid.createdDate ?? order.startPeriod),
    period: periodOf(order),
    refunded: null,
  }
}

function failedPaymentOf(subscription: Subscription) {
  const failed = ordersOf(subscription).find(({ orderStatus }) => orderStatus === 'FAILED')
  if (!failed || subscription.subscriptionStatus !== 'UNPAID') return null
  return {
    id: failed.referenceCode,
    amount: minorOf(failed.price),
    currency: currencyOf(failed.currencyCode),
    message: failed.paymentAttempts?.at(-1)?.errorMessage ?? 'The card was declined.',
    pay_url: null,
  }
}

const ended: Record<string, 'canceled' | 'expired' | 'past_due' | 'pending'> = {
  CANCELED: 'canceled',
  EXPIRED: 'expired',
  UNPAID: 'past_due',
  PENDING: 'pending',
}

export async function readSubscription(deps: Deps, id: string): Promise<ProviderSubscription | null> {
  const chain = await readChain(deps, id)
  if (!chain) return null
  const [newest] = chain
  const orders = chain.flatMap(paidOrders)
  const payments = orders.flatMap((order) => paymentOf(order) ?? [])
  const [paid] = orders.toSorted(byStart)
  const trial = paid ? undefined : chain.find(({ trialEndDate }) => trialEndDate != null)
  const trial_end = trial?.trialEndDate == null ? null : timeOf(trial.trialEndDate)
  const trialPeriod = trial_end && { start: timeOf(trial?.trialStartDate ?? trial_end.getTime()), end: trial_end }
  const running = trial_end && trial_end > deps.clock.now() ? 'trialing' : 'active'
  const status = ended[newest.subscriptionStatus] ?? running
  return {
    id: newest.referenceCode,
    customer_id: newest.customerReferenceCode,
    status,
    trial_end,
    period: paid ? periodOf(paid) : trialPeriod,
    price_ref: newest.pricingPlanReferenceCode,
    cancel_at_period_end: false,
    checkout_id: null,
    payments,
    // One that runs without a trial is charged with its first order.
    has_unlisted_payment: payments.length < orders.length || (status === 'active' && orders.length === 0),
    failed_payment: failedPaymentOf(newest),
  }
}

/** Ends a subscription at once. One that has ended stays as it is. */
export async function cancelNow(deps: Deps, id: string) {
  const isOver = (chain: Chain | null) => !chain || ['CANCELED', 'EXPIRED'].includes(chain[0].subscriptionStatus)
  const chain = await readChain(deps, id)
  if (!chain || isOver(chain)) return
  const { referenceCode } = chain[0]
  const call = { path: `${path}/${encodeURIComponent(referenceCode)}/cancel`, body: {}, changes: true }
  await iyzicoCall(deps, Type.Object({}), call).catch(async (error: unknown) => {
    if (!isOver(await readChain(deps, referenceCode))) throw error
  })
}

type PriceChange = { id: string; price_ref: string; when: 'now' | 'at_renewal'; key: string }

/** Replaces a subscription with one of another plan of the same product and interval. iyzico prorates nothing. */
export async function changePrice(deps: Deps, { id, price_ref, when, key }: PriceChange) {
  const chain = await readChain(deps, id)
  if (!chain) throw new ProviderError('refused', 'iyzico does not know this subscription.')
  const [{ referenceCode, pricingPlanReferenceCode }] = chain
  // An earlier call whose response was lost.
  if (pricingPlanReferenceCode === price_ref) return { id: referenceCode }
  const Upgraded = Type.Object({ data: Type.Object({ referenceCode: Type.String({ minLength: 1 }) }) })
  const { data } = await iyzicoCall(deps, Upgraded, {
    path: `${path}/${encodeURIComponent(referenceCode)}/upgrade`,
    body: {
      conversationId: key,
      newPricingPlanReferenceCode: price_ref,
      upgradePeriod: when === 'now' ? 'NOW' : 'NEXT_PERIOD',
      useTrial: false,
      resetRecurrenceCount: false,
    },
    changes: true,
  })
  return { id: data.referenceCode }
}

/** The card of the last payment: iyzico shows no other. */
export async function readPaymentMethod(deps: Deps, { id }: { id: string }): Promise<PaymentMethod | null> {
  const subscription = await readSubscription(deps, id)
  const [last] = subscription?.payments ?? []
  return last ? readCard(deps, last.id) : null
}
