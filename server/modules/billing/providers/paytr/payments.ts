import { Type } from 'typebox'
import { MINUTE } from '../../../../../shared/time.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { majorOf, minorOf, NumberOrText } from '../calls.ts'
import { succeededRefund, unnamedRefundIds } from '../listed-refunds.ts'
import {
  type CheckoutState,
  type Currency,
  type OpenedCheckout,
  ProviderError,
  type ProviderPayment,
  type ProviderRefund,
  type RefundState,
  type Sale,
} from '../provider.ts'
import { currencyOf, orderIdOf, PaytrError, paytrCall, paytrCurrencies } from './client.ts'

const text = (value: string | undefined, length: number, absent: string) => (value || absent).slice(0, length)

/** An iframe for one payment. Without instalments, so that what is charged is what was shown. */
export async function openCheckout(deps: Deps, sale: Sale): Promise<OpenedCheckout> {
  const { address, buyer, payer } = sale
  const order = orderIdOf(sale.checkout_id)
  const basket = JSON.stringify([[sale.description, majorOf(sale.amount), 1]])
  const minutes = Math.ceil((sale.expires_at.getTime() - deps.clock.now().getTime()) / MINUTE)
  const { token } = await paytrCall(deps, Type.Object({ token: Type.String({ minLength: 1 }) }), {
    path: '/odeme/api/get-token',
    fields: {
      user_ip: payer.ip.slice(0, 39),
      merchant_oid: order,
      email: payer.email.slice(0, 100),
      payment_amount: String(sale.amount),
      currency: paytrCurrencies[sale.currency],
      user_basket: Buffer.from(basket).toString('base64'),
      no_installment: '1',
      max_installment: '0',
      user_name: text(address?.name || payer.name, 60, payer.email),
      // PayTR refuses empty texts here, and Meydan may know no others.
      user_address: text([address?.line1, address?.line2, address?.city].filter(Boolean).join(', '), 400, '-'),
      user_phone: text(buyer?.phone, 20, '-'),
      merchant_ok_url: sale.return_url,
      merchant_fail_url: sale.return_url,
      timeout_limit: String(Math.max(minutes, 1)),
      test_mode: (await deps.options.get('paytr.test_mode')) ? '1' : '0',
      debug_on: '0',
      lang: payer.locale,
    },
    signed: [
      'merchant_id',
      'user_ip',
      'merchant_oid',
      'email',
      'payment_amount',
      'user_basket',
      'no_installment',
      'max_installment',
      'currency',
      'test_mode',
    ],
  })
  return { ref: order, url: `${deps.config.PAYTR_URL}/odeme/guvenli/${token}`, expires_at: sale.expires_at }
}

const Paid = Type.Object({
  /** Charged, with the interest of instalments. Major units. */
  payment_total: NumberOrText,
  currency: Type.String(),
  /** Local time of Turkey. */
  payment_date: Type.Optional(Type.String()),
  returns: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Array(
        Type.Object({
          amount: Type.Optional(NumberOrText),
          return_amount: Type.Optional(NumberOrText),
          reference_no: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        }),
      ),
    ]),
  ),
})

/** An order that was paid; undefined while PayTR knows no payment of it. */
async function readOrder(deps: Deps, order: string) {
  try {
    return await paytrCall(deps, Paid, {
      path: '/odeme/durum-sorgu',
      fields: { merchant_oid: order },
      signed: ['merchant_id', 'merchant_oid'],
    })
  } catch (error) {
    if (error instanceof PaytrError && error.code === '004') return undefined
    throw error
  }
}

const refundsOf = ({ returns }: { returns?: { amount?: string | number; return_amount?: string | number }[] | null }) =>
  (returns ?? []).reduce((sum, each) => sum + minorOf(each.return_amount ?? each.amount ?? 0), 0n)

export async function readPayment(deps: Deps, order: string): Promise<ProviderPayment | null> {
  const paid = await readOrder(deps, order)
  if (!paid) return null
  const date = paid.payment_date && new Date(`${paid.payment_date.trim().replace(' ', 'T')}+03:00`)
  return {
    id: order,
    amount: minorOf(paid.payment_total),
    currency: currencyOf(paid.currency),
    paid_at: date && !Number.isNaN(date.getTime()) ? date : deps.clock.now(),
    period: null,
    refunded: refundsOf(paid),
  }
}

/** PayTR lists paid orders only: a failure is in its callback alone. */
export async function readCheckout(deps: Deps, { ref }: { ref: string }): Promise<CheckoutState> {
  const payment = await readPayment(deps, ref)
  return payment ? { status: 'completed', subscription_id: null, payment } : { status: 'open' }
}

type RefundWish = { payment_id: string; amount: bigint; currency: Currency; key: string }

/** PayTR has no idempotency key, so it is asked first whether this refund was made. */
export async function refund(deps: Deps, wish: RefundWish): Promise<RefundState> {
  const { payment_id: order, amount, key } = wish
  const reference = referenceOf(key)
  const paid = await readOrder(deps, order)
  if (!paid) throw new ProviderError('refused', 'PayTR does not know this payment.')
  const isReturned = paid.returns?.some(({ reference_no }) => reference_no === reference)
  if (isReturned) return { status: 'succeeded', id: reference }
  await paytrCall(deps, Type.Object({}), {
    path: '/odeme/iade',
    fields: { merchant_oid: order, return_amount: majorOf(amount), reference_no: reference },
    signed: ['merchant_id', 'merchant_oid', 'return_amount'],
    changes: true,
  }).catch((error: unknown) => {
    throw isUnacknowledged(error) ? new ProviderError('unavailable', error.message) : error
  })
  return { status: 'succeeded', id: reference }
}

/** PayTR refunds nothing before its callback of the payment was acknowledged, which it repeats until then. */
const isUnacknowledged = (error: unknown): error is PaytrError => error instanceof PaytrError && error.code === '007'

/** PayTR takes letters and digits only. */
const referenceOf = (key: string) =>
  orderIdOf(key)
    .replaceAll(/[^a-zA-Z0-9]/g, '')
    .slice(0, 64)

const refundReference = /^refund([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

/** The key of a refund with this reference. Refunds that Meydan requested always have one. */
function keyOf(reference: string | null | undefined) {
  if (reference === undefined) return undefined
  const [, ...parts] = refundReference.exec(reference ?? '') ?? []
  return parts.length > 0 ? `refund:${parts.join('-')}` : null
}

export async function readRefunds(deps: Deps, { payment_id }: { payment_id: string }): Promise<ProviderRefund[]> {
  const paid = await readOrder(deps, payment_id)
  const ids = unnamedRefundIds()
  return (paid?.returns ?? []).map(({ amount, return_amount, reference_no }) => {
    const minor = minorOf(return_amount ?? amount ?? 0)
    return succeededRefund(reference_no || ids(minor), keyOf(reference_no), minor)
  })
}
