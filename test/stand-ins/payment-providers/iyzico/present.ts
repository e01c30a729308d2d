import { majorOf } from '../amounts.ts'
import { DECLINED, type Iyzico, isReported, type Order, type Plan, type Product, type Subscription } from './state.ts'
import { planOf } from './subscriptions.ts'

/** Amounts are JSON numbers in responses. */
export const numberOf = (minor: bigint) => Number(majorOf(minor))

export const presentProduct = (world: Iyzico, product: Product) => ({
  referenceCode: product.ref,
  createdDate: product.createdAt,
  name: product.name,
  description: product.description,
  status: 'ACTIVE',
  pricingPlans: [...world.plans.values()].filter(({ productRef }) => productRef === product.ref).map(presentPlan),
})

export const presentPlan = (plan: Plan) => ({
  referenceCode: plan.ref,
  createdDate: plan.createdAt,
  name: plan.name,
  price: numberOf(plan.price),
  currencyCode: plan.currency,
  paymentInterval: plan.interval,
  paymentIntervalCount: plan.count,
  trialPeriodDays: plan.trialDays,
  planPaymentType: 'RECURRING',
  productReferenceCode: plan.productRef,
  ...(plan.recurrences === undefined ? {} : { recurrenceCount: plan.recurrences }),
  status: 'ACTIVE',
})

/** The result of a form, of a start and of an upgrade. */
export const presentResult = (subscription: Subscription) => ({
  referenceCode: subscription.ref,
  ...(subscription.parentRef ? { parentReferenceCode: subscription.parentRef } : {}),
  pricingPlanReferenceCode: subscription.planRef,
  customerReferenceCode: subscription.customerRef,
  subscriptionStatus: subscription.status,
  trialDays:
    subscription.trialEnd === null
      ? 0
      : Math.round((subscription.trialEnd - (subscription.trialStart ?? 0)) / 86_400_000),
  ...(subscription.trialEnd === null
    ? {}
    : { trialStartDate: subscription.trialStart, trialEndDate: subscription.trialEnd }),
  createdDate: subscription.createdAt,
  startDate: subscription.startAt,
  ...(subscription.endAt === null ? {} : { endDate: subscription.endAt }),
})

const presentOrder = (world: Iyzico, order: Order) => ({
  referenceCode: order.ref,
  price: numberOf(order.price),
  currencyCode: order.currency,
  startPeriod: order.start,
  endPeriod: order.end,
  orderStatus: order.status,
  paymentAttempts: order.attempts
    .filter(({ createdAt }) => isReported(world, createdAt))
    .map(({ conversationId, createdAt, paymentId, status }) => ({
      conversationId,
      createdDate: createdAt,
      ...(paymentId === null ? { errorCode: '10051', errorMessage: DECLINED } : { paymentId: Number(paymentId) }),
      paymentStatus: status,
    })),
})

export const presentSubscription = (world: Iyzico, subscription: Subscription) => {
  const plan = planOf(world, subscription.planRef)
  const product = world.products.get(plan.productRef)
  return {
    ...presentResult(subscription),
    pricingPlanName: plan.name,
    productName: product?.name,
    productReferenceCode: plan.productRef,
    customerEmail: world.customers.get(subscription.customerRef)?.email,
    orders: subscription.orders.map((order) => presentOrder(world, order)),
  }
}

/** One page of a list, in iyzico's envelope. */
export function paged<T>(items: T[], query: URLSearchParams) {
  const count = Math.min(Math.max(Number(query.get('count')) || 10, 1), 100)
  const page = Math.max(Number(query.get('page')) || 1, 1)
  const pageCount = Math.ceil(items.length / count)
  return {
    totalCount: items.length,
    currentPage: page,
    pageCount,
    items: items.slice((page - 1) * count, page * count),
  }
}
