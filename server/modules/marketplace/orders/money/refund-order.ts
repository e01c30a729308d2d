import type { Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { requestRefund } from '../../../billing/payments/refunds.ts'
import { minOf, refundedOf } from '../../../billing/payments/settle-refund.ts'
import { providerOf } from '../../../billing/providers/registry.ts'
import { lockBalances } from '../../../ledger/ledger.ts'
import type { OrderRow } from '../record/orders.ts'
import { findOrderPayment, refundStatusOf } from './refund-status.ts'

export const ORDER_REFUND = 'order'

/**
 * Returns to the buyer what `bookClosing` owes them: by a job at the provider, or by an instance admin if that cannot
 * refund. The order must be locked, and stays closed whatever comes of it.
 */
export async function refundOrder(deps: Deps, tx: Tx, { id, currency }: Pick<OrderRow, 'id' | 'currency'>) {
  const [owed = 0n] = await lockBalances(tx, currency, [{ kind: 'refunds_payable', owner: id }])
  const payment = await findOrderPayment(tx, id)
  if (payment && providerOf(payment.provider).refunds) {
    // Some of it may have been returned before, and a refund that is pending at the provider returns its part itself.
    const left = BigInt(payment.amount) - (await refundedOf(tx, payment.id, 'wished'))
    const amount = minOf(owed, left)
    if (amount > 0n) await requestRefund(deps, tx, payment, { amount, reason: ORDER_REFUND, requested_by: null })
  }
  await tx
    .updateTable('gig_order')
    .set({ refund_status: await refundStatusOf(tx, { id }, owed) })
    .where('id', '=', id)
    .execute()
}
