import { notFound } from '../../../errors.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { closeOrderCheckout } from '../../billing/checkout/order-checkouts.ts'
import { lockBilling } from '../../billing/lock.ts'
import { changeOrder } from './change-order.ts'
import { findOrder, isBuyer, recordOf } from './orders.ts'

/** Ends an order of the buyer that is not paid. A payment that arrives afterwards is returned. */
export const withdrawOrder = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  id: string,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    await lockBilling(tx, caller.workspace_id)
    const row = await findOrder(tx, caller, id)
    if (!isBuyer(caller, row)) throw notFound()
    ifMatch(row.version)
    const now = clock.now()
    await changeOrder(tx, id, { name: 'expire', by: 'buyer', actor: caller, now })
    await closeOrderCheckout(tx, id, now)
    return recordOf(await findOrder(tx, caller, id), true)
  })
