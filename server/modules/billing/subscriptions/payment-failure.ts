import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import { toMajor } from '../../../lib/money.ts'
import type { ProviderSubscription } from '../providers/provider.ts'
import { subscriptionEvents } from '../records/subscriptions.events.ts'
import { recordOf, type SubscriptionRow } from '../records/subscriptions.ts'
import { mailAdmins } from './billing-mails.ts'

/** Emits the event of a missing payment, and mails the owners and admins with the deadline. */
export async function announceFailure(
  deps: Deps,
  tx: Tx,
  row: SubscriptionRow,
  { failed_payment }: Pick<ProviderSubscription, 'failed_payment'>,
) {
  if (!row.workspace_id) return
  const subscription = await recordOf(tx, deps, row)
  const amount = failed_payment?.amount ?? BigInt(row.amount)
  await emit(
    tx,
    subscriptionEvents['billing.payment_failed'],
    row.workspace_id,
    {
      subscription,
      amount: toMajor(amount),
      currency: row.billing_currency,
      reason: failed_payment?.message.slice(0, 400) ?? null,
    },
    deps.clock.now(),
  )
  await mailAdmins(tx, deps, row, 'billing-failed', { amount })
}
