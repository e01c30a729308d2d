import { notFound } from '../../../errors.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { closeOrderCheckout } from '../../billing/checkout/order-checkouts.ts'
import { lockBilling } from '../../billing/lock.ts'
import { bookClosing } from './book-orders.ts'
import { changeOrder } from './change-order.ts'
import { findOrder, isBuyer, recordOf } from './orders.ts'
import { refundOrder } from './refund-order.ts'
import { lockOrder } from './refunds/returned-money.ts'

/**
 * Ends an order of the buyer that the seller has not accepted. A payment is returned, also one that arrives afterwards.
 */
export const withdrawOrder = (deps: Deps, caller: Member, id: string, ifMatch: IfMatch) =>
  inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, caller.workspace_id)
    await lockOrder(tx, id)
    const row = await findOrder(tx, caller, id)
    if (!isBuyer(caller, row)) throw notFound()
    ifMatch(row.version)
    if (row.status === 'pending') await withdrawPaid(deps, tx, caller, id)
    else await withdrawUnpaid(deps, tx, caller, id)
    return recordOf(await findOrder(tx, caller, id), true)
  })

async function withdrawUnpaid({ clock }: Deps, tx: Tx, caller: Member, id: string) {
  const now = clock.now()
  await changeOrder(tx, id, { name: 'expire', by: 'buyer', actor: caller, now })
  await closeOrderCheckout(tx, id, now)
}

async function withdrawPaid(deps: Deps, tx: Tx, caller: Member, id: string) {
  const now = deps.clock.now()
  const columns = { canceled_at: now, canceled_by: 'buyer', timer_at: null } as const
  const order = await changeOrder(tx, id, { name: 'decline', by: 'buyer', actor: caller, now, columns })
  await bookClosing(tx, order, BigInt(order.price), now)
  await refundOrder(deps, tx, order, BigInt(order.price))
}
