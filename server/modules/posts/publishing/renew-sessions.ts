import { sql } from 'kysely'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { accountVersion } from '../../accounts/accounts.ts'
import { openAccount } from '../../accounts/open-account.ts'
import { networkOf } from '../../networks/registry.ts'
import { accountQueue } from '../record/publish-queue.ts'

/** Time before a post is due from which the session of its account is renewed: twice the interval of the job that finds it. */
const AHEAD_MS = 120_000

/** Enqueues the renewal of the sessions of accounts on which posts are due soon. */
export const enqueueRenewals = ({ workerDatabase: { db }, clock }: Deps) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { rows } = await sql<{ id: string; network: string }>`
      select distinct account.id, network
      from post join post_target as target on target.post_id = post.id join account on account.id = target.account_id
      where post.status in ('scheduled', 'publishing') and post.deleted_at is null
        and scheduled_at > ${now} and scheduled_at <= ${new Date(now.getTime() + AHEAD_MS)}
        and target.status = 'pending' and account.status = 'connected'
        and (held_until is null or held_until <= ${now})`.execute(tx)
    for (const { id, network } of rows)
      if (networkOf({ network }).renewSession)
        await addJob(
          tx,
          'renew-session',
          { account_id: id },
          { key: `renew-session:${id}`, queue: accountQueue(id), maxAttempts: 1 },
        )
  })

/**
 * Renews what has expired on an account, so that its posts take one call when they are due. It runs in the queue of the
 * account, so that a session is renewed once. What fails here is tried and reported when a post is published.
 */
export async function renewSession(deps: Deps, { account_id }: { account_id: string }) {
  const account = await deps.db
    .selectFrom('account')
    .select(['id', 'workspace_id', 'network', 'external_id', 'handle', 'credentials', accountVersion.as('version')])
    .where('id', '=', account_id)
    .where('status', '=', 'connected')
    .executeTakeFirst()
  if (!account) return
  const { network, ...read } = account
  try {
    await networkOf(account).renewSession?.(deps, openAccount(deps, read))
  } catch (err) {
    deps.log.debug({ err, network, account_id }, 'the session of an account could not be renewed')
  }
}
