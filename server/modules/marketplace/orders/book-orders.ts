import type { Tx } from '../../../lib/db/database.ts'
import { divideHalfEven } from '../../../lib/money.ts'
import { type LedgerEntry, postTransaction } from '../../ledger/ledger.ts'
import type { OrderRow } from './orders.ts'

type Order = Pick<OrderRow, 'id' | 'currency' | 'price' | 'fee_bps' | 'seller_account'>

/** The fee for what the seller earned, and the rest. Rounds a half to the even minor unit. */
export function splitEarnings(earned: bigint, fee_bps: number) {
  const fee = divideHalfEven(earned * BigInt(fee_bps), 10_000n)
  return { platform_fee: fee, seller_payout: earned - fee }
}

/**
 * Books the end of a paid order: what is `refunded` is owed to the buyer, the rest is split between seller and fee. The
 * escrow of the order is empty afterwards. Call it once for each order.
 */
export function bookClosing(tx: Tx, order: Order, refunded: bigint, occurred_at: Date) {
  const { platform_fee, seller_payout } = splitEarnings(BigInt(order.price) - refunded, order.fee_bps)
  const entries: LedgerEntry[] = [
    { kind: 'escrow', owner: order.id, amount: -BigInt(order.price) },
    { kind: 'refunds_payable', owner: order.id, amount: refunded },
    { kind: 'seller_pending', owner: order.seller_account, amount: seller_payout },
    { kind: 'platform_fee', amount: platform_fee },
  ]
  return postTransaction(tx, {
    key: `order_closed:${order.id}`,
    kind: 'order_closed',
    reference: order.id,
    occurred_at,
    currency: order.currency,
    entries,
  })
}
