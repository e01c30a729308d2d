import type { Tx } from '../../../../lib/db/database.ts'
import type { OrderRefundStatus } from '../../../../lib/db/database-types.ts'
import { providerOf } from '../../../billing/providers/registry.ts'

export type RefundState = OrderRefundStatus

/** The payment that an order took. Undefined: it took none. */
export const findOrderPayment = (tx: Tx, order_id: string) =>
  tx.selectFrom('payment').selectAll().where('order_id', '=', order_id).where('use', '=', 'order').executeTakeFirst()

/** State of what is returned to the buyer. `owed`: minor units that are to be returned still. */
export async function refundStatusOf(tx: Tx, { id }: { id: string }, owed: bigint): Promise<RefundState> {
  if (owed <= 0n) return 'succeeded'
  const payment = await findOrderPayment(tx, id)
  // An instance admin pays it back by hand.
  if (!payment || !providerOf(payment.provider).refunds) return 'pending'
  const waiting = await tx
    .selectFrom('refund')
    .select('id')
    .where('payment_id', '=', payment.id)
    .where('status', '=', 'pending')
    .where('is_dispute', '=', false)
    .limit(1)
    .executeTakeFirst()
  return waiting ? 'pending' : 'failed'
}
