import { sql } from 'kysely'
import { DAY } from '../../../shared/time.ts'
import { type Actor, audit, system } from '../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { languageOf } from '../../lib/language.ts'
import type { ImportStep } from '../../lib/lifecycle.ts'
import { listBillingContacts } from '../billing/records/contacts.ts'
import { queueMail } from '../mail/mail.ts'
import { findExcessBefore } from '../usage/excess.ts'
import { limitOf } from '../usage/plan-in-force.ts'
import { lockGauge } from '../usage/quotas.ts'
import { publishingAccounts, socialAccounts } from './accounts.meters.ts'

/** Time in which a workspace over its limit can choose its accounts itself. */
const PAUSE_AFTER_MS = 14 * DAY

const { meter } = socialAccounts

/** Records that an account was paused or resumed. `from` and `to` are its `paused_by`. */
export const auditPause = (
  tx: Tx,
  actor: Actor,
  id: string,
  { from, to }: { from: string | null; to: string | null },
) =>
  audit(tx, actor, to === null ? 'account.resumed' : 'account.paused', id, {
    before: { paused_by: from },
    after: { paused_by: to },
  })

/** Pauses or resumes the queue of an account. Returns false if it was so already. */
export async function markQueue(
  tx: Tx,
  { workspace_id }: { workspace_id: string },
  id: string,
  { paused_at }: { paused_at: Date | null },
) {
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set({ queue_paused_at: paused_at, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .where('queue_paused_at', paused_at ? 'is' : 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Pauses the accounts of a workspace from another installation, so that its members resume each when it is time. */
export const pauseImported: ImportStep = async (_, tx, workspace_id) => {
  const paused = await tx
    .updateTable('account')
    .set({ paused_by: 'member', updated_at: sql`now()` })
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`paused_by is distinct from 'member'`)
    .returning(['id', sql<string | null>`old.paused_by`.as('from')])
    .execute()
  for (const { id, from } of paused) await auditPause(tx, system(workspace_id), id, { from, to: 'member' })
  return { paused_accounts: paused.length }
}

/**
 * Resumes accounts that the plan had paused, as far as its limit allows, the first connected first. Accounts that members
 * paused keep their place, so that a choice of the workspace is not undone.
 */
export async function resumeWithinLimit(tx: Tx, workspace_id: string) {
  const paused = await tx
    .selectFrom('account')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('paused_by', '=', 'plan')
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (!paused) return
  await lockGauge(tx, socialAccounts, workspace_id)
  const { rows } = await sql<{ id: string }>`
    with room as materialized (
      select case when most < 0 then null else greatest(0, most - (
        select count(*)::int from account
        where workspace_id = ${workspace_id} and deleted_at is null and paused_by is distinct from 'plan')) end as size
      from (select ${limitOf(workspace_id, meter)} as most) allowed
    )
    update account set paused_by = null, updated_at = now() where id in (
      select id from account where workspace_id = ${workspace_id} and deleted_at is null and paused_by = 'plan'
      order by created_at, id limit (select size from room))
    returning id`.execute(tx)
  for (const { id } of rows) await auditPause(tx, system(workspace_id), id, { from: 'plan', to: null })
}

/** Mails the owners and admins which accounts were paused, and what they can do. */
async function mailPaused(tx: Tx, deps: Deps, workspace_id: string, names: string[]) {
  for (const { email, name, locale, workspace_name, slug } of await listBillingContacts(tx, workspace_id))
    await queueMail(tx, deps, {
      key: 'accounts-paused',
      to: { address: email, name },
      locale,
      variables: {
        workspace_name,
        accounts: new Intl.ListFormat(languageOf(locale), { type: 'unit' }).format(names),
        accounts_url: `${deps.baseUrl}/w/${slug}/accounts`,
      },
    })
}

/** Pauses accounts over the limit, the latest connected first. */
async function pauseOverLimit(tx: Tx, deps: Deps, workspace_id: string, now: Date) {
  await lockGauge(tx, socialAccounts, workspace_id)
  const { rows } = await sql<{ id: string; name: string }>`
    with excess as materialized (
      select case when most < 0 then 0 else greatest(0, ${publishingAccounts.count(workspace_id, now)} - most) end as size
      from (select ${limitOf(workspace_id, meter)} as most) allowed
    )
    update account set paused_by = 'plan', updated_at = now() where id in (
      select id from account where workspace_id = ${workspace_id} and deleted_at is null and paused_by is null
      order by created_at desc, id desc limit (select size from excess))
    returning id, name`.execute(tx)
  for (const { id } of rows) await auditPause(tx, system(workspace_id), id, { from: null, to: 'plan' })
  if (rows.length > 0)
    await mailPaused(
      tx,
      deps,
      workspace_id,
      rows.map(({ name }) => name),
    )
}

/** Pauses accounts of workspaces that were over their limit for 14 days, and resumes those that a plan allows again. */
export async function applyAccountLimits(deps: Deps) {
  const {
    workerDatabase: { db },
    clock,
  } = deps
  const now = clock.now()
  const due = await findExcessBefore(db, meter, new Date(now.getTime() - PAUSE_AFTER_MS))
  for (const workspace_id of due) await inTransaction(db, (tx) => pauseOverLimit(tx, deps, workspace_id, now))
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from (select distinct workspace_id from account where paused_by = 'plan' and deleted_at is null) held
    cross join lateral (select ${limitOf(sql`held.workspace_id`, meter)} as most) allowed
    where most < 0 or most > (select count(*) from account
      where account.workspace_id = held.workspace_id and deleted_at is null and paused_by is distinct from 'plan')`.execute(
    db,
  )
  for (const { workspace_id } of rows) await inTransaction(db, (tx) => resumeWithinLimit(tx, workspace_id))
}
