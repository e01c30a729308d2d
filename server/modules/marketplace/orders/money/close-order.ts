import { DAY } from '../../../../../shared/time.ts'
import type { Actor } from '../../../../lib/db/audit.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import type { OrderParty } from '../../../../lib/db/database-types.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { clearanceOf } from '../../payouts/clearance.ts'
import { changeOrder } from '../record/change-order.ts'
import type { OrderRow } from '../record/orders.ts'
import { type TransitionName, transitions } from '../record/transitions.ts'
import { bookClosing } from './book-orders.ts'
import { refundOrder } from './refund-order.ts'

type Closing = {
  name: Extract<TransitionName, 'decline' | 'cancel' | 'complete' | 'settle' | 'resolve' | 'resolve_canceled'>
  by: OrderParty
  actor: Actor
  now: Date
  /** Minor units that the buyer gets back. What was returned before counts towards it, and stays returned. */
  refunded: bigint
  reason?: string | null
}

/** Time until which the buyer can dispute an order that completes now. Null: not at all. */
async function disputableUntil({ options }: Pick<Deps, 'options'>, tx: Tx, now: Date) {
  const days = await options.get('marketplace.dispute_days', tx)
  return days === 0 ? null : new Date(now.getTime() + days * DAY)
}

/** Ends a paid order: its status, then its money. */
export async function closeOrder(
  deps: Deps,
  tx: Tx,
  { id, ...order }: Pick<OrderRow, 'id' | 'refund_amount'>,
  { name, by, actor, now, refunded, reason = null }: Closing,
) {
  const end =
    transitions[name].to === 'canceled'
      ? { canceled_at: now, canceled_by: by, cancel_reason: reason }
      : {
          completed_at: now,
          clears_at: await clearanceOf(deps, tx, now),
          // What both sides agreed on, or an instance admin decided, is final.
          dispute_until: name === 'complete' ? await disputableUntil(deps, tx, now) : null,
        }
  const returned = BigInt(order.refund_amount)
  const after = await changeOrder(tx, id, {
    ...{ name, by, actor, now },
    ...(reason !== null && { reason }),
    columns: {
      ...end,
      ...(refunded > returned && { refund_amount: String(refunded), refund_status: 'pending' }),
    },
  })
  await bookClosing(tx, after, now)
  if (refunded > returned) await refundOrder(deps, tx, after)
  return after
}
