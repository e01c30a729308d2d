import type { Actor } from '../../../../lib/db/audit.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import type { OrderParty } from '../../../../lib/db/database-types.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { clearanceOf } from '../../payouts/earnings/clearance.ts'
import { bookClosing } from '../book-orders.ts'
import { changeOrder } from '../change-order.ts'
import type { OrderRow } from '../orders.ts'
import { refundOrder } from '../refund-order.ts'
import { type TransitionName, transitions } from '../transitions.ts'

type Closing = {
  name: Extract<TransitionName, 'decline' | 'cancel' | 'complete' | 'settle' | 'resolve' | 'resolve_canceled'>
  by: OrderParty
  actor: Actor
  now: Date
  /** Minor units that the buyer gets back. */
  refunded: bigint
  reason?: string | null
}

/** Ends a paid order: its status, then its money. */
export async function closeOrder(
  deps: Deps,
  tx: Tx,
  { id }: Pick<OrderRow, 'id'>,
  { name, by, actor, now, refunded, reason = null }: Closing,
) {
  const end =
    transitions[name].to === 'canceled'
      ? { canceled_at: now, canceled_by: by, cancel_reason: reason }
      : { completed_at: now, clears_at: await clearanceOf(deps, tx, now) }
  const after = await changeOrder(tx, id, {
    ...{ name, by, actor, now },
    ...(reason !== null && { reason }),
    columns: {
      ...end,
      refund_amount: String(refunded),
      ...(refunded > 0n && { refund_status: 'pending' }),
    },
  })
  await bookClosing(tx, after, refunded, now)
  if (refunded > 0n) await refundOrder(deps, tx, after, refunded)
  return after
}
