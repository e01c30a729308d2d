import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { addJob, job } from '../../../lib/runtime/jobs.ts'
import { NetworkFault } from '../../networks/network.ts'
import { mailEndingSoon } from '../account-mails.ts'
import { ENDS_SOON_MS, readGrant } from './grants.ts'
import { disconnectGrant, renewGrant } from './renewal.ts'
import { deleteOldReleases, type Revocation, revokeGrant } from './revocation.ts'

declare module '../../../lib/runtime/jobs.ts' {
  interface Jobs {
    'find-due-grants': object
    'renew-grant': { grant_id: string }
    'remind-of-sign-ins': object
    'revoke-grant': Revocation
    'delete-old-releases': object
  }
}

/** Grants enqueued a minute. Those left over are the first of the next minute. */
const MAX_A_MINUTE = 2000

/** Enqueues the renewal of tokens that end soon. One job per grant, so that all nodes share them. */
export const findDueGrants = ({ workerDatabase: { db }, clock }: Deps) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const due = await tx
      .selectFrom('oauth_grant')
      .select('id')
      .where('ended_at', 'is', null)
      .where((where) =>
        where.or([
          where('renew_at', '<=', now),
          where.and([where('renew_at', 'is', null), where('expires_at', '<=', now)]),
        ]),
      )
      .orderBy('expires_at')
      .limit(MAX_A_MINUTE)
      .execute()
    for (const { id } of due)
      await addJob(tx, 'renew-grant', { grant_id: id }, { key: `renew:${id}`, maxAttempts: 1, keepsRunAt: true })
  })

/** Renews the tokens of a grant, unless that has happened since. Without a renewal the grant ends with its tokens. */
async function renewDueGrant(deps: Deps, { grant_id }: { grant_id: string }) {
  const grant = await readGrant(deps.db, grant_id)
  const now = deps.clock.now()
  if (!grant || grant.ended_at) return
  try {
    if (grant.renew_at !== null && grant.renew_at <= now) await renewGrant(deps, grant)
    else if (grant.renew_at === null && grant.expires_at !== null && grant.expires_at <= now)
      await disconnectGrant(deps, grant, 'The sign-in at the network has ended. Sign in again.')
  } catch (thrown) {
    // It is noted, and due again.
    if (!(thrown instanceof NetworkFault)) throw thrown
  }
}

/** Reminds once of each sign-in that ends soon. */
export const remindOfEndingGrants = (deps: Deps) =>
  inTransaction(deps.workerDatabase.db, async (tx) => {
    const now = deps.clock.now()
    const ending = await tx
      .updateTable('oauth_grant')
      .set({ reminded_at: now })
      .where('renew_at', 'is', null)
      .where('ended_at', 'is', null)
      .where('reminded_at', 'is', null)
      .where('expires_at', '>', now)
      .where('expires_at', '<=', new Date(now.getTime() + ENDS_SOON_MS))
      .returning(['id', 'expires_at'])
      .execute()
    for (const { id, expires_at } of ending) {
      const accounts = await tx.selectFrom('account').select('id').where('grant_id', '=', id).orderBy('id').execute()
      for (const account of accounts) if (expires_at) await mailEndingSoon(deps, tx, account.id, expires_at)
    }
  })

export const grantJobs = [
  job({ name: 'find-due-grants', cron: '* * * * *', maxAttempts: 1, run: findDueGrants }),
  job({ name: 'renew-grant', run: renewDueGrant }),
  job({ name: 'revoke-grant', run: revokeGrant }),
  job({ name: 'delete-old-releases', cron: '37 * * * *', maxAttempts: 1, run: deleteOldReleases }),
  job({ name: 'remind-of-sign-ins', cron: '23 * * * *', maxAttempts: 1, run: remindOfEndingGrants }),
]
