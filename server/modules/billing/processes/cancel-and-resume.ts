import { problem } from '../../../errors.ts'
import type { Actor } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { findOpenRenewal, withdrawOpenChanges, withdrawOpenPayments } from '../checkouts/close-checkout.ts'
import { enqueueSubscriptionSync } from '../providers/enqueue-sync.ts'
import { providerOf } from '../providers/registry.ts'
import { lockBilling } from '../records/lock.ts'
import { recordOf, requireLive, type SubscriptionRow } from '../records/subscriptions.ts'
import { mustEndAtProvider, renewalDueAgain } from '../records/timers.ts'
import { mailAdmins } from '../subscriptions/billing-mails.ts'
import { type Columns, changeSubscription } from '../subscriptions/change-subscription.ts'

/** Ends a subscription now, here and at its provider. */
export async function endSubscription(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  row: SubscriptionRow,
  name: 'cancel_now' | 'expire',
  columns: Columns = {},
) {
  await withdrawOpenPayments(deps, tx, row)
  const ended = await changeSubscription(deps, tx, actor, name, row, { ...columns, failed_payment_url: null })
  await mailAdmins(tx, deps, { ...ended, current_period_end: deps.clock.now() }, 'billing-ended')
  await enqueueSubscriptionSync(tx, row.id)
  return ended
}

/** Ends the subscription with its period, or at once if its payment is missing. Repeating it changes nothing. */
export const cancelSubscription = (deps: Deps, caller: Member) =>
  inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, caller.workspace_id)
    const row = await requireLive(tx, caller.workspace_id)
    if (row.status === 'past_due') return recordOf(tx, deps, await endSubscription(deps, tx, caller, row, 'cancel_now'))
    if (row.cancel_at_period_end) return recordOf(tx, deps, row)
    // A renewal is kept until the period ends, so that resuming issues and mails no other.
    await withdrawOpenChanges(deps, tx, row)
    const after = await changeSubscription(deps, tx, caller, 'request_cancel', row, {
      cancel_at_period_end: true,
      cancel_requested_at: deps.clock.now(),
    })
    await enqueueSubscriptionSync(tx, row.id)
    return recordOf(tx, deps, after)
  })

/** Columns of a subscription whose cancellation is taken back. A renewal that was not kept is issued again. */
export const resumed = async (tx: Tx, row: SubscriptionRow) => ({
  cancel_at_period_end: false,
  cancel_requested_at: null,
  is_canceled_with_workspace: false,
  ...((await findOpenRenewal(tx, row)) ? {} : renewalDueAgain(row)),
})

/** Whether the provider has ended the subscription, or is about to, so that it cannot be resumed. */
export const hasEndedAtProvider = (row: SubscriptionRow, now: Date) =>
  mustEndAtProvider(row, now) || (row.provider_cancel_at_period_end && !providerOf(row.provider).cancelsAtPeriodEnd)

/** Takes a cancellation back. Repeating it changes nothing. */
export const resumeSubscription = (deps: Deps, caller: Member) =>
  inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, caller.workspace_id)
    const row = await requireLive(tx, caller.workspace_id)
    if (!row.cancel_at_period_end) return recordOf(tx, deps, row)
    if (hasEndedAtProvider(row, deps.clock.now()))
      throw problem('resume_too_late', {
        detail: 'The payment provider has ended the subscription. Start a new one when the period has ended.',
        extra: { current_period_end: row.current_period_end },
      })
    const after = await changeSubscription(deps, tx, caller, 'resume', row, await resumed(tx, row))
    await enqueueSubscriptionSync(tx, row.id)
    return recordOf(tx, deps, after)
  })
