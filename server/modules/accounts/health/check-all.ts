import { sql } from 'kysely'
import type { Static } from 'typebox'
import { MINUTE } from '../../../../shared/time.ts'
import { Problem } from '../../../errors.ts'
import { audit, system } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { limitConcurrency } from '../../../lib/runtime/concurrency/concurrency-limit.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { checkAccount } from './check.ts'
import type { AccountCheck } from './health.schema.ts'

/** Accounts that one job checks. The next job goes on, so that other jobs of the node get their turn. */
const MAX_PER_JOB = 20
/** Accounts that one job checks at a time. */
const AT_ONCE = 4
/** Time without progress after which a check no longer keeps others from starting. */
const STALE_MS = 15 * MINUTE

const none = {
  status: 'none',
  total: 0,
  checked: 0,
  disconnected: 0,
  unreachable: 0,
  started_at: null,
  completed_at: null,
} as const satisfies Static<typeof AccountCheck>

/** The last check of all accounts of a workspace. */
export async function readAccountCheck(
  db: Db,
  { workspace_id }: Pick<Member, 'workspace_id'>,
): Promise<Static<typeof AccountCheck>> {
  const check = await db
    .selectFrom('account_check')
    .select(['total', 'disconnected', 'unreachable', 'started_at', 'completed_at'])
    .select(sql<number>`total - cardinality(pending)`.as('checked'))
    .where('workspace_id', '=', workspace_id)
    .executeTakeFirst()
  return check ? { status: check.completed_at ? 'completed' : 'running', ...check } : none
}

const enqueue = (tx: Tx, { id, workspace_id }: { id: string; workspace_id: string }) =>
  addJob(tx, 'check-accounts', { check_id: id }, { key: `check-accounts ${workspace_id}` })

/** Starts to check all accounts of the workspace, unless a check is running. Returns the one that runs. */
export const startAccountCheck = ({ db, clock }: Deps, caller: Member) =>
  inTransaction(db, async (tx) => {
    const { workspace_id } = caller
    const now = clock.now()
    const accounts = await tx
      .selectFrom('account')
      .select('id')
      .where('workspace_id', '=', workspace_id)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
    const row = {
      total: accounts.length,
      pending: accounts.map(({ id }) => id),
      disconnected: 0,
      unreachable: 0,
      started_at: now,
      progressed_at: now,
      completed_at: accounts.length === 0 ? now : null,
    }
    const started = await tx
      .insertInto('account_check')
      .values({ workspace_id, ...row })
      .onConflict((conflict) =>
        conflict
          .column('workspace_id')
          .doUpdateSet({ id: sql`uuidv7()`, ...row })
          .where((where) =>
            where.or([
              where('account_check.completed_at', 'is not', null),
              where('account_check.progressed_at', '<=', new Date(now.getTime() - STALE_MS)),
            ]),
          ),
      )
      .returning(['id', 'workspace_id'])
      .executeTakeFirst()
    if (started) {
      if (accounts.length > 0) await enqueue(tx, started)
      await audit(tx, caller, 'account.check_started', null, { accounts: accounts.length })
    }
    return readAccountCheck(tx, caller)
  })

/** Checks one account, and stores that it was. Skipped if another check began, or another job did this account. */
async function checkNext(deps: Deps, check: { id: string; workspace_id: string }, account_id: string) {
  const { id, workspace_id } = check
  const result = await checkAccount(deps, { ...system(workspace_id), workspace_id }, account_id).catch(
    (err: unknown) => {
      if (err instanceof Problem && err.code === 'not_found') return
      // A check that fails does not stop the others.
      if (!(err instanceof Problem)) deps.log.error({ err, account_id }, 'an account could not be checked')
      return 'unreachable' as const
    },
  )
  const isUnreachable = result === 'unreachable'
  const isDisconnected = !isUnreachable && result?.status === 'disconnected'
  const now = deps.clock.now()
  await deps.db
    .updateTable('account_check')
    .set({
      pending: sql`array_remove(pending, ${account_id}::uuid)`,
      disconnected: sql`disconnected + ${isDisconnected ? 1 : 0}`,
      unreachable: sql`unreachable + ${isUnreachable ? 1 : 0}`,
      progressed_at: now,
      completed_at: sql`case when pending = array[${account_id}::uuid] then ${now}::timestamptz end`,
    })
    .where('id', '=', id)
    .where(sql<boolean>`${account_id}::uuid = any(pending)`)
    .execute()
}

const readPending = (db: Db, check_id: string) =>
  db
    .selectFrom('account_check')
    .innerJoin('workspace', 'workspace.id', 'account_check.workspace_id')
    .select(['account_check.id', 'workspace_id', 'pending'])
    .where('account_check.id', '=', check_id)
    .where('completed_at', 'is', null)
    .where('workspace.deleted_at', 'is', null)
    .executeTakeFirst()

/** Checks the next accounts, and enqueues the rest. A job that is repeated goes on where the former ended. */
export async function checkAccounts(deps: Deps, { check_id }: { check_id: string }) {
  const { db } = deps
  const check = await readPending(db, check_id)
  if (!check) return
  const limited = limitConcurrency(AT_ONCE)
  await Promise.all(check.pending.slice(0, MAX_PER_JOB).map((id) => limited(() => checkNext(deps, check, id))))
  if (check.pending.length > MAX_PER_JOB) await inTransaction(db, (tx) => enqueue(tx, check))
}
