import { notFound } from '../../../errors.ts'
import type { Actor } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { closeOrderCheckout } from '../../billing/checkouts/order-checkouts.ts'
import { lockBilling } from '../../billing/records/lock.ts'
import { closeOrder } from './money/close-order.ts'
import { lockOrder } from './money/returned-money.ts'
import { changeOrder } from './record/change-order.ts'
import { findOrder, isBuyer, type OrderRow, readRow, recordOf } from './record/orders.ts'

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
    await withdrawLocked(deps, tx, caller, row)
    return recordOf(await readRow(tx, id))
  })

/** Withdraws an order. Its row and the billing of its buyer must be locked. */
export const withdrawLocked = (deps: Deps, tx: Tx, actor: Actor, { id, status }: Pick<OrderRow, 'id' | 'status'>) =>
  status === 'pending' ? withdrawPaid(deps, tx, actor, id) : withdrawUnpaid(deps, tx, actor, id)

async function withdrawUnpaid({ clock }: Deps, tx: Tx, actor: Actor, id: string) {
  const now = clock.now()
  await changeOrder(tx, id, { name: 'expire', by: 'buyer', actor, now })
  await closeOrderCheckout(tx, id, now)
}

async function withdrawPaid(deps: Deps, tx: Tx, actor: Actor, id: string) {
  const order = await readRow(tx, id)
  const refunded = BigInt(order.price)
  await closeOrder(deps, tx, order, { name: 'decline', by: 'buyer', actor, now: deps.clock.now(), refunded })
}
