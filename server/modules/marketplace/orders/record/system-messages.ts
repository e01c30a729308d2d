import type { Tx } from '../../../../lib/db/database.ts'
import type { OrderParty } from '../../../../lib/db/database-types.ts'
import { toMajor } from '../../../../lib/money.ts'
import type { OrderRow } from './orders.ts'
import type { TransitionName } from './transitions.ts'

type Happened = {
  code: TransitionName | 'propose' | 'reject_proposal' | 'withdraw_proposal' | 'expire_proposal'
  by: OrderParty
  now: Date
  reason?: string
  /** Minor units. */
  refund_amount?: string
}

/** Writes into the messages of an order what happened. Clients render it by its code, in their language. */
export async function writeSystemMessage(
  tx: Tx,
  order: Pick<OrderRow, 'id' | 'refund_amount'>,
  { code, by, now, reason = '', refund_amount = order.refund_amount }: Happened,
) {
  const refunded = toMajor(refund_amount)
  const details = { ...(reason && { reason }), ...(refunded > 0 && { refund_amount: refunded }) }
  await tx
    .insertInto('order_message')
    .values({ order_id: order.id, side: by, text: '', code, details: JSON.stringify(details), created_at: now })
    .execute()
}
