import { DAY } from '../../../shared/time.ts'
import { inTransaction } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { job } from '../../lib/runtime/jobs.ts'
import { closeAtProvider, expireCheckouts } from './checkouts/close-checkout.ts'
import { readDueCheckouts, readOpenCheckouts } from './checkouts/due-reads.ts'
import { refundPayment } from './payments/refunds.ts'
import { syncRefunds } from './payments/sync-refunds.ts'
import { enqueueReconciliation } from './processes/reconciliation.ts'
import { runBillingTimers } from './processes/run-timers.ts'
import { syncCheckout } from './processes/settle-checkout.ts'
import { type SyncPayload, syncSubscription } from './processes/sync-subscription.ts'
import { endOrphanedSubscriptions, followWorkspaceDeletion } from './processes/workspace-deletion.ts'
import type { ProviderName } from './providers/provider.ts'
import { providerOf } from './providers/registry.ts'
import { handleEvent } from './webhooks/inbound-events.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'sync-checkout': { checkout_id: string }
    'close-checkout': { checkout_id: string }
    'sync-subscription': SyncPayload
    'end-provider-subscription': { provider: ProviderName; provider_subscription_id: string }
    'handle-billing-event': { provider: ProviderName; event_id: string }
    'refund-payment': { refund_id: string }
    'sync-refunds': { payment_id: string }
    'run-billing-timers': object
    'expire-checkouts': object
    'read-due-checkouts': object
    'read-open-checkouts': object
    'enqueue-billing-reconciliation': object
    'erase-billing-events': object
    'follow-workspace-deletion': { workspace_id: string }
    'end-orphaned-subscriptions': object
  }
}

const EVENTS_KEPT_MS = 90 * DAY

const eraseEvents = ({ db, clock }: Deps) =>
  inTransaction(db, (tx) =>
    tx
      .deleteFrom('billing_event')
      .where('received_at', '<', new Date(clock.now().getTime() - EVENTS_KEPT_MS))
      .execute(),
  )

export const billingJobs = [
  job({ name: 'sync-checkout', run: syncCheckout }),
  job({ name: 'close-checkout', run: closeAtProvider }),
  job({ name: 'sync-subscription', run: syncSubscription }),
  job({
    name: 'end-provider-subscription',
    run: (deps: Deps, { provider, provider_subscription_id }) =>
      providerOf(provider).cancelNow(deps, provider_subscription_id),
  }),
  job({ name: 'handle-billing-event', run: handleEvent }),
  job({ name: 'refund-payment', run: refundPayment }),
  job({ name: 'sync-refunds', run: syncRefunds }),
  job({ name: 'run-billing-timers', cron: '* * * * *', maxAttempts: 1, atStart: true, run: runBillingTimers }),
  job({ name: 'expire-checkouts', cron: '*/5 * * * *', maxAttempts: 1, run: expireCheckouts }),
  job({ name: 'read-due-checkouts', cron: '* * * * *', maxAttempts: 1, run: readDueCheckouts }),
  job({ name: 'read-open-checkouts', atStart: true, run: readOpenCheckouts }),
  job({ name: 'enqueue-billing-reconciliation', cron: '7 2 * * *', fill: '1d', run: enqueueReconciliation }),
  job({ name: 'erase-billing-events', cron: '37 3 * * *', run: eraseEvents }),
  job({ name: 'follow-workspace-deletion', run: followWorkspaceDeletion }),
  job({ name: 'end-orphaned-subscriptions', run: endOrphanedSubscriptions }),
]
