import type { Tx } from '../../../lib/db/database.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import type { ProviderName } from './provider.ts'

/** Compares a subscription with its provider: carries out what was decided here, and applies what happened there. */
export const enqueueSubscriptionSync = (tx: Tx, subscription_id: string, runAt?: Date) =>
  addJob(
    tx,
    'sync-subscription',
    { subscription_id },
    { key: `sync-subscription ${subscription_id}`, maxAttempts: 25, ...(runAt && { runAt }) },
  )

/** Reads the state of a checkout from its provider, and applies it. */
export const enqueueCheckoutSync = (tx: Tx, checkout_id: string) =>
  addJob(tx, 'sync-checkout', { checkout_id }, { key: `sync-checkout ${checkout_id}` })

/** Compares the refunds and disputes of a payment with its provider. */
export const enqueueRefundSync = (tx: Tx, payment_id: string, runAt?: Date) =>
  addJob(tx, 'sync-refunds', { payment_id }, { key: `sync-refunds ${payment_id}`, ...(runAt && { runAt }) })

/** Ends a subscription at its provider that has ended here, or that never began here. */
export const enqueueProviderEnd = (tx: Tx, provider: ProviderName, provider_subscription_id: string) =>
  addJob(
    tx,
    'end-provider-subscription',
    { provider, provider_subscription_id },
    { key: `end ${provider} ${provider_subscription_id}`, maxAttempts: 25 },
  )
