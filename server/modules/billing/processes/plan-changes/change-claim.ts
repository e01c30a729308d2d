import { sql } from 'kysely'
import { MINUTE } from '../../../../../shared/time.ts'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { addJob, removeJob } from '../../../../lib/runtime/jobs.ts'

/** Longer than any call of a provider. */
const READ_AFTER_MS = MINUTE
/** Bounds the time without another change after failures. The nightly comparison reads the provider too. */
const MAX_ATTEMPTS = 6

const keyOf = (subscription_id: string) => `change ${subscription_id}`

/**
 * Claims the subscription for a change that its provider charges at once: the job that reads its outcome is the claim.
 * After a lost response no other change is made until that job has run. The billing must be locked.
 */
export const claimChange = ({ clock }: Pick<Deps, 'clock'>, tx: Tx, subscription_id: string) =>
  addJob(
    tx,
    'sync-subscription',
    { subscription_id },
    {
      key: keyOf(subscription_id),
      runAt: new Date(clock.now().getTime() + READ_AFTER_MS),
      maxAttempts: MAX_ATTEMPTS,
    },
  )

/** Whether a change is being made whose outcome is not known yet. */
export async function isChanging(tx: Tx, subscription_id: string) {
  const { rows } = await sql`
    select from graphile_worker.jobs where key = ${keyOf(subscription_id)} and attempts < max_attempts`.execute(tx)
  return rows.length > 0
}

/** Ends the claim of a change whose outcome is known. */
export const releaseChange = ({ db }: Pick<Deps, 'db'>, subscription_id: string) =>
  inTransaction(db, (tx) => removeJob(tx, keyOf(subscription_id)))
