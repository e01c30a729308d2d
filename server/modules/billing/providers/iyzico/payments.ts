import { Type } from 'typebox'
import type { Deps } from '../../../../lib/deps.ts'
import { majorOf, minorOf, NumberOrText } from '../calls.ts'
import { succeededRefund, unnamedRefundIds } from '../listed-refunds.ts'
import {
  type Currency,
  ProviderError,
  type ProviderPayment,
  type ProviderRefund,
  type RefundState,
} from '../provider.ts'
import { IyzicoError, iyzicoCall } from './client.ts'

const Refund = Type.Object({
  refundTxId: Type.Optional(NumberOrText),
  refundConversationId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  refundPrice: NumberOrText,
  /** 1: it succeeded. */
  refundStatus: Type.Number(),
})
const Report = Type.Object({
  payments: Type.Optional(
    Type.Array(
      Type.Object({
        paymentId: NumberOrText,
        /** 1: it succeeded. */
        paymentStatus: Type.Number(),
        paidPrice: NumberOrText,
        currency: Type.String(),
        createdDate: NumberOrText,
        cardAssociation: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        lastFourDigits: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        cancels: Type.Optional(Type.Array(Refund)),
        itemTransactions: Type.Optional(Type.Array(Type.Object({ refunds: Type.Optional(Type.Array(Refund)) }))),
      }),
    ),
  ),
})

export const idOf = (id: number | string) => String(id)

export function currencyOf(code: string): Currency {
  if (code !== 'TRY' && code !== 'USD') throw new Error(`Unknown currency of iyzico: ${code}`)
  return code
}

/** A time in milliseconds as number or text, or in ISO 8601; without a zone, in that of Turkey. */
export function timeOf(time: number | string) {
  if (typeof time === 'number' || /^\d+$/.test(time)) return new Date(Number(time))
  const date = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time.replace(' ', 'T')}+03:00`)
  if (Number.isNaN(date.getTime())) throw new Error(`Not a time: ${time}`)
  return date
}

async function report(deps: Deps, paymentId: string) {
  const { payments = [] } = await iyzicoCall(deps, Report, {
    path: '/v2/reporting/payment/details',
    query: { paymentId },
  })
  const payment = payments.find((each) => idOf(each.paymentId) === paymentId && each.paymentStatus === 1)
  if (!payment) return undefined
  const items = payment.itemTransactions ?? []
  const returned = [...(payment.cancels ?? []), ...items.flatMap(({ refunds = [] }) => refunds)]
  const refunds = returned.filter(({ refundStatus }) => refundStatus === 1)
  return { ...payment, refunds, refunded: refunds.reduce((sum, { refundPrice }) => sum + minorOf(refundPrice), 0n) }
}

export async function readPayment(deps: Deps, id: string): Promise<ProviderPayment | null> {
  const payment = await report(deps, id).catch(orNothing)
  return payment
    ? {
        id,
        amount: minorOf(payment.paidPrice),
        currency: currencyOf(payment.currency),
        paid_at: timeOf(payment.createdDate),
        period: null,
        refunded: payment.refunded,
      }
    : null
}

export async function readCard(deps: Deps, paymentId: string) {
  const { cardAssociation, lastFourDigits } = (await report(deps, paymentId).catch(orNothing)) ?? {}
  return lastFourDigits ? { brand: cardAssociation ?? '', last4: lastFourDigits, expires: null } : null
}

function orNothing(error: unknown) {
  if (error instanceof IyzicoError && error.kind === 'refused') return undefined
  throw error
}

type RefundWish = { payment_id: string; amount: bigint; currency: Currency; key: string }

/** iyzico has no idempotency key, so its report is asked first whether this refund was made. */
export async function refund(deps: Deps, wish: RefundWish): Promise<RefundState> {
  const { payment_id: paymentId, amount, currency, key } = wish
  const payment = await report(deps, paymentId).catch(orNothing)
  // A new payment is listed late, so the job runs again.
  if (!payment) throw new ProviderError('unavailable', 'iyzico does not list this payment.')
  const made = payment.refunds.find(({ refundConversationId }) => refundConversationId === key)
  if (made) return { status: 'succeeded', id: made.refundTxId === undefined ? null : idOf(made.refundTxId) }
  await iyzicoCall(deps, Type.Object({}), {
    path: '/v2/payment/refund',
    // iyzico requires the address of the caller; a job has none.
    body: { conversationId: key, paymentId, price: majorOf(amount), currency, ip: '127.0.0.1' },
    changes: true,
  })
  // The report lists it with an id that the response does not have.
  return { status: 'succeeded', id: null }
}

/**
 * The key of a refund of Meydan. Null for another conversation id, undefined without one: refunds in iyzico's panel may
 * lack it, and so may those of Meydan.
 */
const keyOf = (id: string | null | undefined) => (id ? (id.startsWith('refund:') ? id : null) : undefined)

export async function readRefunds(deps: Deps, { payment_id }: { payment_id: string }): Promise<ProviderRefund[]> {
  const { refunds = [] } = (await report(deps, payment_id).catch(orNothing)) ?? {}
  const ids = unnamedRefundIds()
  return refunds.map(({ refundTxId, refundConversationId, refundPrice }) => {
    const amount = minorOf(refundPrice)
    return succeededRefund(
      refundTxId === undefined ? ids(amount) : idOf(refundTxId),
      keyOf(refundConversationId),
      amount,
    )
  })
}
