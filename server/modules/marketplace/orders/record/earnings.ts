import type { Selectable } from 'kysely'
import type { GigOrder } from '../../../../lib/db/database-types.ts'
import { divideHalfEven } from '../../../../lib/money.ts'

type Amounts = Pick<Selectable<GigOrder>, 'price' | 'refund_amount' | 'fee_bps'>

/** The fee for what the seller earned, and the rest. Rounds a half to the even minor unit. */
export function splitEarnings(earned: bigint, fee_bps: number) {
  const fee = divideHalfEven(earned * BigInt(fee_bps), 10_000n)
  return { platform_fee: fee, seller_payout: earned - fee }
}

/** Splits what is left of the price after the refund between the seller and the fee. */
export const earningsOf = ({ price, refund_amount, fee_bps }: Amounts) =>
  splitEarnings(BigInt(price) - BigInt(refund_amount), fee_bps)

/** Minor units that the seller gets of an order, given what was returned so far. */
export const earnedOf = (order: Amounts & Pick<Selectable<GigOrder>, 'status'>) =>
  order.status === 'canceled' || order.status === 'expired' ? 0n : earningsOf(order).seller_payout
