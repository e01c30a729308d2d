import type { Tx } from '../../../lib/db/database.ts'
import { divideHalfEven } from '../../../lib/money.ts'
import { type LedgerEntry, lockBalances, postTransaction } from '../../ledger/ledger.ts'
import type { OrderRow } from './orders.ts'

type Order = Pick<OrderRow, 'id' | 'currency' | 'price' | 'fee_bps' | 'seller_account'>

/** The fee for what the seller earned, and the rest. Rounds a half to the even minor unit. */
export function splitEarnings(earned: bigint, fee_bps: number) {
  const fee = divideHalfEven(earned * BigInt(fee_bps), 10_000n)
  return { platform_fee: fee, seller_payout: earned - fee }
}

/**
 * Books the end of a paid order: the buyer gets `refunded` back, less what was returned before, and the rest is split
 * between seller and fee. The escrow of the order is empty afterwards. Call it once for each order.
 */
export async function bookClosing(tx: Tx, order: Order, refunded: bigint, occurred_at: Date) {
  const price = BigInt(order.price)
  const escrow = { kind: 'escrow', owner: order.id } as const
  const payable = { kind: 'refunds_payable', owner: order.id } as const
  const pending = { kind: 'seller_pending', owner: order.seller_account } as const
  const fee = { kind: 'platform_fee' } as const
  const [held = 0n] = await lockBalances(tx, order.currency, [escrow, payable, pending, fee])
  const returned = price - held
  const total = refunded > returned ? refunded : returned
  const { platform_fee, seller_payout } = splitEarnings(price - total, order.fee_bps)
  const entries: LedgerEntry[] = [
    { ...escrow, amount: -held },
    { ...payable, amount: total - returned },
    { ...pending, amount: seller_payout },
    { ...fee, amount: platform_fee },
  ]
  await postTransaction(tx, {
    key: `order_closed:${order.id}`,
    kind: 'order_closed',
    reference: order.id,
    occurred_at,
    currency: order.currency,
    entries,
  })
}
