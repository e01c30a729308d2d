import { sql } from 'kysely'
import type { Db, Tx } from '../../../lib/db/database.ts'
import { locks } from '../../../lib/db/locks.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Provider } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'

/** Whether new subscriptions can begin with a trial: the payment provider must keep a payment method. */
export const offersTrials = async ({ options }: Pick<Deps, 'options'>) =>
  (await options.get('billing.enabled')) && providerOf(await options.get('billing.provider')).trials

/** Whether the workspace may have a trial: it and each of its owners have one. */
export async function hasTrial(db: Db, workspace_id: string, provider: Provider) {
  if (!provider.trials) return false
  const trial = await db
    .selectFrom('billing_trial')
    .select('created_at')
    .where((where) =>
      where.or([where('workspace_id', '=', workspace_id), where('user_id', 'in', ownersOf(db, workspace_id))]),
    )
    .limit(1)
    .executeTakeFirst()
  return trial === undefined
}

/** Locks all trials until the commit, and returns whether the workspace may have one. */
export async function claimTrial(tx: Tx, workspace_id: string, provider: Provider) {
  await sql`select pg_advisory_xact_lock(${locks.trial})`.execute(tx)
  return hasTrial(tx, workspace_id, provider)
}

/** Days of the trial that a checkout begins with; 0 without one. */
export const trialDays = async (db: Db, workspace_id: string, days: number | null, provider: Provider) =>
  days && (await hasTrial(db, workspace_id, provider)) ? days : 0

/** Records that the workspace and its owners had their trial. That of the workspace outlives their accounts. */
export const noteTrial = (tx: Tx, workspace_id: string) =>
  tx
    .insertInto('billing_trial')
    .columns(['user_id', 'workspace_id'])
    .expression(ownersOf(tx, workspace_id).select('workspace_id'))
    .onConflict((conflict) => conflict.doNothing())
    .execute()

const ownersOf = (db: Db, workspace_id: string) =>
  db
    .selectFrom('workspace_member')
    .select('user_id')
    .where('workspace_id', '=', workspace_id)
    .where('role', '=', 'owner')
