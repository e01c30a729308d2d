import type { Actor } from '../../../../lib/db/audit.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { changeOrder } from '../record/change-order.ts'
import type { OrderRow } from '../record/orders.ts'
import { refundOrder } from './refund-order.ts'
import { takeBack } from './returned-money.ts'

type Decision = {
  dispute_id: string
  by: 'admin'
  actor: Actor
  now: Date
  /** Minor units that the buyer gets back. What was returned before counts towards it, and stays returned. */
  refunded: bigint
  reason: string | null
}

/**
 * Ends the dispute of a completed order, which is locked. The refund is taken from the earnings and the fee, and owed by
 * the seller as far as it was paid out.
 */
export async function refundCompleted(
  deps: Deps,
  tx: Tx,
  order: OrderRow,
  { dispute_id, by, actor, now, refunded, reason }: Decision,
) {
  const taken = refunded - BigInt(order.refund_amount)
  const after = await changeOrder(tx, order.id, {
    ...{ name: 'resolve_completed', by, actor, now },
    ...(reason !== null && { reason }),
    columns: {
      ...{ disputed_from: null, dispute_until: null },
      ...(taken > 0n && { refund_amount: String(refunded), refund_status: 'pending' }),
    },
  })
  if (taken <= 0n) return after
  await takeBack(tx, order, { key: `order_dispute_resolved:${dispute_id}`, amount: taken, now })
  await refundOrder(deps, tx, after)
  return after
}
