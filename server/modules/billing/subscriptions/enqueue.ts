import type { Tx } from '../../../lib/db/database.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'

/** Carries out at the provider what was decided here. */
export const enqueueSync = (tx: Tx, subscription_id: string, runAt?: Date) =>
  addJob(
    tx,
    'sync-subscription',
    { subscription_id },
    {
      key: `sync-subscription ${subscription_id}`,
      maxAttempts: 25,
      ...(runAt && { runAt }),
    },
  )
