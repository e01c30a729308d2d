import type { Tx } from '../../../../lib/db/database.ts'
import { type LedgerEntry, lockBalances, postTransaction } from '../../../ledger/ledger.ts'
import { earningsOf } from '../record/earnings.ts'
import type { OrderRow } from '../record/orders.ts'

type Order = Parameters<typeof earningsOf>[0] & Pick<OrderRow, 'id' | 'currency' | 'seller_account'>

/**
 * Books the end of a paid order: the buyer is owed its refund, less what was returned before, and the rest is split
 * between seller and fee. The escrow of the order is empty afterwards. Call it once for each order.
 */
export async function bookClosing(tx: Tx, order: Order, occurred_at: Date) {
  const escrow = { kind: 'escrow', owner: order.id } as const
  const payable = { kind: 'refunds_payable', owner: order.id } as const
  const pending = { kind: 'seller_pending', owner: order.seller_account } as const
  const fee = { kind: 'platform_fee' } as const
  const [held = 0n] = await lockBalances(tx, order.currency, [escrow, payable, pending, fee])
  const { platform_fee, seller_payout } = earningsOf(order)
  const entries: LedgerEntry[] = [
    { ...escrow, amount: -held },
    { ...payable, amount: held - seller_payout - platform_fee },
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
