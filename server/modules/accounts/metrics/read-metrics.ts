import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { nextAccountReading } from '../../networks/metrics.ts'
import { findNetwork } from '../../networks/registry.ts'
import { failedReading, openForMetrics } from './metrics-access.ts'

/** Accounts enqueued a minute. Those left over are the first of the next minute. */
const MAX_A_MINUTE = 500

/** Plans the readings of an account that was connected, if its network reports numbers. */
export async function planAccountMetrics(tx: Tx, account: { id: string; network: string }, now: Date) {
  if (!findNetwork(account.network)?.metrics) return
  await tx
    .insertInto('account_metrics')
    .values({ account_id: account.id, due_at: now })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ due_at: now, error_code: null, error_message: null }),
    )
    .execute()
}

/** Enqueues the reading of accounts that are due. One job per account, so that all nodes share them. */
export const findDueAccountMetrics = ({ workerDatabase: { db }, clock }: Deps) =>
  inTransaction(db, async (tx) => {
    const due = await tx
      .selectFrom('account_metrics')
      .select('account_id')
      .where('due_at', '<=', clock.now())
      .orderBy('due_at')
      .limit(MAX_A_MINUTE)
      .execute()
    for (const { account_id } of due)
      await addJob(
        tx,
        'read-account-metrics',
        { account_id },
        {
          key: `account-metrics:${account_id}`,
          queue: `account-metrics:${account_id}`,
          maxAttempts: 1,
          keepsRunAt: true,
        },
      )
  })

/** Reads the numbers of an account from its network, and stores them as those of the day. */
export async function readAccountMetrics(deps: Deps, { account_id }: { account_id: string }) {
  const { db, clock } = deps
  const update = (values: { due_at: Date | null; error_code?: string; error_message?: string | null }) =>
    db.updateTable('account_metrics').set(values).where('account_id', '=', account_id).execute()
  const access = await openForMetrics(deps, account_id)
  if (access.kind === 'later') return update({ due_at: access.due_at })
  try {
    const metrics = JSON.stringify(await access.metrics.readAccount(deps, access.opened))
    const now = clock.now()
    await inTransaction(db, async (tx) => {
      const stored = await tx
        .updateTable('account_metrics')
        .set({ metrics, read_at: now, due_at: nextAccountReading(access.metrics, now) })
        .set({ error_code: null, error_message: null })
        .where('account_id', '=', account_id)
        .returning('account_id')
        .executeTakeFirst()
      // The account was erased in between.
      if (!stored) return
      await tx
        .insertInto('account_metrics_day')
        .values({ account_id, day: sql`(${now}::timestamptz at time zone 'UTC')::date`, metrics })
        .onConflict((conflict) => conflict.columns(['account_id', 'day']).doUpdateSet({ metrics }))
        .execute()
    })
  } catch (thrown) {
    await update(failedReading(deps, thrown))
  }
}
