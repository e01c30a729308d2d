import { minorOf } from '../amounts.ts'
import type { Call, Reply } from '../server.ts'
import { isSigned } from './auth.ts'
import type { Forms } from './forms.ts'
import { addPlan, addProduct } from './plans.ts'
import { numberOf, paged, presentPlan, presentProduct, presentResult, presentSubscription } from './present.ts'
import {
  type Body,
  type Iyzico,
  IyzicoError,
  invalid,
  isReported,
  notFound,
  type Payment,
  success,
  text,
} from './state.ts'
import {
  activateSubscription,
  cancelSubscription,
  planOf,
  retryOrder,
  subscriptionOf,
  upgradeSubscription,
} from './subscriptions.ts'

type Request = { body: Body; query: URLSearchParams; ids: string[] }
type Route = [method: string, path: RegExp, (request: Request) => Reply]

/** Returns a part of a payment. Repeated, it returns as much again. */
export function refundPayment(world: Iyzico, payment: Payment, amount: bigint, conversationId = '') {
  if (payment.refunded + amount > payment.price)
    throw new IyzicoError('5093', 'İade edilmek istenen tutar, iade edilebilir tutardan büyük olamaz', 200)
  payment.refunded += amount
  const [id, at] = [world.newNumber(), world.timers.time()]
  payment.refunds.push({ id, conversationId, amount, at })
  world.journal.refund(payment.id, { id, amount, at: new Date(at) })
}

function refundRoute(world: Iyzico, body: Body, payment: Payment | undefined) {
  if (!payment) throw new IyzicoError('5086', 'Ödeme bulunamadı', 200)
  const amount = minorOf(text(body, 'price'))
  if (!amount) throw invalid('price')
  if (text(body, 'currency') && text(body, 'currency') !== payment.currency) throw invalid('currency')
  refundPayment(world, payment, amount, text(body, 'conversationId'))
  const { id, transactionId, currency } = payment
  const ids = { paymentId: id, paymentTransactionId: transactionId }
  return success(world, body, { ...ids, price: numberOf(amount), currency, authCode: '123456', hostReference: 'mock' })
}

/** A payment with its refunds, as the reporting service lists it. */
function presentReport(world: Iyzico, { id, transactionId, price, currency, paidAt, ...payment }: Payment) {
  const refunds = payment.refunds.filter(({ at }) => isReported(world, at))
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0n)
  return {
    paymentId: Number(id),
    paymentStatus: 1,
    paymentRefundStatus:
      refunded === 0n ? 'NOT_REFUNDED' : refunded < price ? 'PARTIALLY_REFUNDED' : 'TOTALLY_REFUNDED',
    price: numberOf(price),
    paidPrice: numberOf(price),
    installment: 1,
    currency,
    cardAssociation: 'MASTER_CARD',
    lastFourDigits: '0008',
    createdDate: new Date(paidAt).toISOString(),
    cancels: [],
    itemTransactions: [
      {
        paymentTransactionId: Number(transactionId),
        price: numberOf(price),
        paidPrice: numberOf(price),
        refunds: refunds.map((refund) => ({
          refundTxId: Number(refund.id),
          refundConversationId: refund.conversationId,
          refundPrice: numberOf(refund.amount),
          refundStatus: 1,
          createdDate: new Date(refund.at).toISOString(),
          currencyCode: currency,
        })),
      },
    ],
  }
}

function search(world: Iyzico, query: URLSearchParams) {
  const filters = {
    subscriptionReferenceCode: 'ref',
    parentReferenceCode: 'parentRef',
    customerReferenceCode: 'customerRef',
    pricingPlanReferenceCode: 'planRef',
    subscriptionStatus: 'status',
  } as const
  const time = (name: string) => Date.parse(query.get(name) ?? '')
  const [from, to] = [time('startDate'), time('endDate')]
  const found = [...world.subscriptions.values()].filter(
    (each) =>
      Object.entries(filters).every(([name, field]) => !query.get(name) || each[field] === query.get(name)) &&
      !(each.createdAt < from) &&
      !(each.createdAt > to),
  )
  return paged(
    found.reverse().map((each) => presentSubscription(world, each)),
    query,
  )
}

function upgrade(world: Iyzico, ref: string, body: Body) {
  const period = text(body, 'upgradePeriod')
  if (period !== 'NOW' && period !== 'NEXT_PERIOD') throw invalid('upgradePeriod')
  const to = planOf(world, text(body, 'newPricingPlanReferenceCode'))
  const [useTrial, resetRecurrenceCount] = [body.useTrial === true, body.resetRecurrenceCount === true]
  const how = { to, period, useTrial, resetRecurrenceCount } as const
  const child = upgradeSubscription(world, subscriptionOf(world, ref), how)
  return success(world, body, { data: presentResult(child) })
}

/** Every endpoint of iyzico that the stand-in has, after the signature was checked. */
export function iyzicoRoutes(world: Iyzico, forms: Forms) {
  const ref = '([\\w-]+)'
  const path = (text: string) => new RegExp(`^${text.replaceAll(':ref', ref)}$`)
  const subscription = (id: string | undefined) => subscriptionOf(world, id ?? '')
  const product = (id: string | undefined) => {
    const found = world.products.get(id ?? '')
    if (!found) throw notFound('Ürün')
    return found
  }
  const products = '/v2/subscription/products'
  const subscriptions = '/v2/subscription/subscriptions'
  const form = '/payment/iyzipos/checkoutform'
  const paymentBy = (field: 'id' | 'transactionId', value: string) =>
    [...world.payments.values()].find((each) => each[field] === value)

  const routes: Route[] = [
    ['GET', path('/payment/test'), () => success(world, {})],
    [
      'POST',
      path(products),
      ({ body }) =>
        success(world, body, {
          data: presentProduct(world, addProduct(world, text(body, 'name'), text(body, 'description'))),
        }),
    ],
    [
      'GET',
      path(products),
      ({ query, body }) =>
        success(world, body, {
          data: paged(
            [...world.products.values()].map((each) => presentProduct(world, each)),
            query,
          ),
        }),
    ],
    [
      'GET',
      path(`${products}/:ref`),
      ({ ids: [id], body }) => success(world, body, { data: presentProduct(world, product(id)) }),
    ],
    [
      'POST',
      path(`${products}/:ref/pricing-plans`),
      ({ ids: [id = ''], body }) => success(world, body, { data: presentPlan(addPlan(world, id, body)) }),
    ],
    [
      'GET',
      path(`${products}/:ref/pricing-plans`),
      ({ ids: [id], query, body }) => {
        const plans = [...world.plans.values()].filter(({ productRef }) => productRef === product(id).ref)
        return success(world, body, { data: paged(plans.map(presentPlan), query) })
      },
    ],
    [
      'GET',
      path('/v2/subscription/pricing-plans/:ref'),
      ({ ids: [id = ''], body }) => success(world, body, { data: presentPlan(planOf(world, id)) }),
    ],
    ['POST', path('/v2/subscription/checkoutform/initialize'), ({ body }) => forms.initializeSubscription(body)],
    [
      'GET',
      path('/v2/subscription/checkoutform/:ref'),
      ({ ids: [id = ''], query }) => forms.resultOfSubscription(id, query),
    ],
    ['GET', path(subscriptions), ({ query, body }) => success(world, body, { data: search(world, query) })],
    [
      'GET',
      path(`${subscriptions}/:ref`),
      ({ ids: [id], body }) => success(world, body, { data: presentSubscription(world, subscription(id)) }),
    ],
    [
      'POST',
      path(`${subscriptions}/:ref/cancel`),
      ({ ids: [id], body }) => {
        cancelSubscription(world, subscription(id))
        return success(world, body)
      },
    ],
    [
      'POST',
      path(`${subscriptions}/:ref/activate`),
      ({ ids: [id], body }) => {
        activateSubscription(world, subscription(id))
        return success(world, body)
      },
    ],
    ['POST', path(`${subscriptions}/:ref/upgrade`), ({ ids: [id = ''], body }) => upgrade(world, id, body)],
    [
      'POST',
      path('/v2/subscription/operation/retry'),
      ({ body }) => {
        retryOrder(world, text(body, 'referenceCode'))
        return success(world, body)
      },
    ],
    [
      'POST',
      path('/v2/subscription/card-update/checkoutform/initialize'),
      ({ body }) => forms.initializeCardUpdate(body, false),
    ],
    [
      'POST',
      path('/v2/subscription/card-update/checkoutform/initialize/with-subscription'),
      ({ body }) => forms.initializeCardUpdate(body, true),
    ],
    ['POST', path(`${form}/initialize/auth/ecom`), ({ body }) => forms.initializePayment(body)],
    ['POST', path(`${form}/auth/ecom/detail`), ({ body }) => forms.resultOfPayment(body)],
    [
      'GET',
      path('/v2/reporting/payment/details'),
      ({ query, body }) => {
        const found = paymentBy('id', query.get('paymentId') ?? '')
        const isListed = found && isReported(world, found.paidAt)
        return success(world, body, { payments: isListed ? [presentReport(world, found)] : [] })
      },
    ],
    [
      'POST',
      path('/v2/payment/refund'),
      ({ body }) => refundRoute(world, body, paymentBy('id', text(body, 'paymentId'))),
    ],
    [
      'POST',
      path('/payment/refund'),
      ({ body }) => refundRoute(world, body, paymentBy('transactionId', text(body, 'paymentTransactionId'))),
    ],
  ]

  const failure = (body: Body, error: IyzicoError): Reply => ({
    status: error.status,
    body: {
      status: 'failure',
      errorCode: error.code,
      errorMessage: error.message,
      ...(error.group ? { errorGroup: error.group } : {}),
      locale: text(body, 'locale') || 'tr',
      systemTime: world.timers.time(),
      ...(body.conversationId === undefined ? {} : { conversationId: body.conversationId }),
    },
  })

  const parse = (raw: Buffer): Body | undefined => {
    try {
      const value: unknown = raw.length > 0 ? JSON.parse(raw.toString()) : {}
      return typeof value === 'object' && value !== null ? { ...value } : undefined
    } catch {
      return undefined
    }
  }

  return (call: Call): Reply => {
    const body = parse(call.raw)
    const { apiKey, secretKey } = world.credentials
    if (!call.headers.authorization?.startsWith('IYZWSv2 '))
      return failure({}, new IyzicoError('1001', 'api bilgileri bulunamadı', 401))
    if (!isSigned(call, apiKey, secretKey)) return failure({}, new IyzicoError('1000', 'Geçersiz imza', 401))
    if (!body) return failure({}, invalid('body'))
    for (const [method, pattern, handle] of routes) {
      const [match, ...ids] = pattern.exec(call.path) ?? []
      if (match === undefined || method !== call.method) continue
      try {
        return handle({ body, query: call.query, ids })
      } catch (error) {
        if (error instanceof IyzicoError) return failure(body, error)
        throw error
      }
    }
    return failure(body, new IyzicoError('100001', 'Sistem hatası', 404))
  }
}
