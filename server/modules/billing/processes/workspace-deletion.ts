import { system } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { closeOpenCheckouts, withdrawOpenPayments } from '../checkouts/close-checkout.ts'
import { enqueueSubscriptionSync } from '../providers/enqueue-sync.ts'
import { lockBilling } from '../records/lock.ts'
import { findLive, readSubscriptionRow } from '../records/subscriptions.ts'
import { isLive, liveStatuses } from '../records/transitions.ts'
import { changeSubscription } from '../subscriptions/change-subscription.ts'
import { endSubscription, hasEndedAtProvider, resumed } from './cancel-and-resume.ts'

/** Enqueues what deletion and restoration mean for the billing. A job, because it locks the billing before the workspace. */
export async function enqueueDeletionBilling(tx: Tx, workspace_id: string) {
  await addJob(tx, 'follow-workspace-deletion', { workspace_id }, { key: `billing of ${workspace_id}` })
  return { details: {}, finish: async () => undefined }
}

/**
 * Makes the billing follow the deletion of its workspace. While that can be restored, the subscription is canceled for
 * the end of its period, so that restoring resumes it without another payment. A past due one ends at once.
 */
export const followWorkspaceDeletion = (deps: Deps, { workspace_id }: { workspace_id: string }) =>
  inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, workspace_id)
    const workspace = await tx
      .selectFrom('workspace')
      .select('deleted_at')
      .where('id', '=', workspace_id)
      .executeTakeFirst()
    if (!workspace) return
    const row = await findLive(tx, workspace_id)
    const actor = system(workspace_id)
    if (!workspace.deleted_at) {
      if (!row?.is_canceled_with_workspace || hasEndedAtProvider(row, deps.clock.now())) return
      await changeSubscription(deps, tx, actor, 'resume', row, await resumed(tx, row))
      return enqueueSubscriptionSync(tx, row.id)
    }
    await closeOpenCheckouts(tx, workspace_id, deps.clock.now())
    if (row?.status === 'past_due') return endSubscription(deps, tx, actor, row, 'cancel_now')
    if (!row || row.cancel_at_period_end) return
    await withdrawOpenPayments(deps, tx, row)
    await changeSubscription(deps, tx, actor, 'request_cancel', row, {
      cancel_at_period_end: true,
      cancel_requested_at: workspace.deleted_at,
      is_canceled_with_workspace: true,
    })
    await enqueueSubscriptionSync(tx, row.id)
  })

/** Enqueues the end of what is still in force. Invoices and payments stay, without the workspace. */
export const enqueueErasureBilling = (tx: Tx, _workspace_id: string) =>
  addJob(tx, 'end-orphaned-subscriptions', {}, { key: 'end-orphaned-subscriptions' })

/** Ends subscriptions whose workspace was erased, here and at their provider. */
export async function endOrphanedSubscriptions(deps: Deps) {
  const orphans = await deps.db
    .selectFrom('subscription')
    .select('id')
    .where('workspace_id', 'is', null)
    .where('status', 'in', [...liveStatuses])
    .execute()
  for (const { id } of orphans)
    await inTransaction(deps.db, async (tx) => {
      await tx.selectFrom('subscription').select('id').where('id', '=', id).forUpdate().execute()
      const row = await readSubscriptionRow(tx, id)
      if (isLive(row.status)) await endSubscription(deps, tx, system(), row, 'cancel_now')
    })
}
