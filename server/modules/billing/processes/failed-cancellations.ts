import { sql } from 'kysely'
import type { Db, Tx } from '../../../lib/db/database.ts'
import { enqueueProviderEnd, enqueueSubscriptionSync } from '../providers/enqueue-sync.ts'
import { providerNames } from '../providers/provider.ts'

type Row = { key: string; subscription_id: string | null; attempts: number; max_attempts: number; error: string | null }

/**
 * Jobs that have failed to end a subscription at its provider, which ended here or never began here. One that another
 * replaced while it ran has lost its key.
 */
async function failedEnds(db: Db) {
  const { rows } = await sql<Row>`
    select job.key, subscription.id as subscription_id, job.attempts, job.max_attempts, job.last_error as error
    from graphile_worker.jobs job
    left join subscription on job.key = 'sync-subscription ' || subscription.id
    where job.last_error is not null and job.key is not null and (job.task_identifier = 'end-provider-subscription'
      or (job.task_identifier = 'sync-subscription' and subscription.status in ('canceled', 'expired')))
    order by job.id limit 1000`.execute(db)
  return rows
}

/** Subscriptions that their provider may still charge, although they ended here. */
export const listFailedEnds = async (db: Db) =>
  (await failedEnds(db)).slice(0, 100).map(({ key, subscription_id, error }) => ({
    subscription_id,
    provider_subscription_id: subscription_id ? null : (key.split(' ')[2] ?? null),
    error: error?.slice(0, 400) ?? null,
  }))

/** Retries those whose job gave up, until the provider confirms the end. */
export async function retryFailedEnds(tx: Tx) {
  for (const { key, subscription_id, attempts, max_attempts } of await failedEnds(tx)) {
    if (attempts < max_attempts) continue
    if (subscription_id) await enqueueSubscriptionSync(tx, subscription_id)
    else {
      const [, name, id] = key.split(' ')
      const provider = providerNames.find((each) => each === name)
      if (provider && id) await enqueueProviderEnd(tx, provider, id)
    }
  }
}
