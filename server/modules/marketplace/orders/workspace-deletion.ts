import { system } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { lockBilling } from '../../billing/records/lock.ts'
import { lockOrder } from './money/returned-money.ts'
import { withdrawLocked } from './withdraw-order.ts'

const withdrawable = ['pending_payment', 'pending'] as const

/** Enqueues the end of the orders that a deleted workspace can withdraw. A job, because it locks the billing first. */
export async function enqueueOrderWithdrawal(tx: Tx, workspace_id: string) {
  await addJob(tx, 'withdraw-orders', { workspace_id })
  return { details: {}, finish: async () => undefined }
}

/**
 * Withdraws the orders of a deleted workspace that no seller has accepted. What was paid is returned. Accepted orders
 * go on: the seller delivers them or cancels them.
 */
export async function withdrawOrdersOfDeleted(deps: Deps, { workspace_id }: { workspace_id: string }) {
  const orders = await deps.db
    .selectFrom('gig_order')
    .select('id')
    .where('buyer_workspace_id', '=', workspace_id)
    .where('status', 'in', [...withdrawable])
    .orderBy('id')
    .execute()
  for (const { id } of orders)
    await inTransaction(deps.db, async (tx) => {
      await lockBilling(tx, workspace_id)
      const order = await lockOrder(tx, id)
      if (!order || !withdrawable.some((status) => status === order.status)) return
      if (await isDeleted(tx, workspace_id)) await withdrawLocked(deps, tx, system(workspace_id), order)
    })
}

const isDeleted = async (tx: Tx, workspace_id: string) =>
  (await tx
    .selectFrom('workspace')
    .select('id')
    .where('id', '=', workspace_id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()) !== undefined
