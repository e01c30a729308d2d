import { isDeepStrictEqual } from 'node:util'
import { type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, limitExceeded, notFound } from '../../../errors.ts'
import { audit, changedFields } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, newId, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import type { AccountGroupChanges, NewAccountGroup } from './groups.schema.ts'

const MAX_GROUPS = 50

export const listAccountGroups = (db: Db, { workspace_id }: Pick<Member, 'workspace_id'>) =>
  db
    .selectFrom('account_group')
    .select(['id', 'name', 'created_by', 'created_at', 'updated_at', 'version'])
    .select(
      sql<string[]>`array(select account.id::text from grouped_account join account on account.id = account_id
        where group_id = account_group.id and account.deleted_at is null order by position)`.as('account_ids'),
    )
    .where('workspace_id', '=', workspace_id)

export async function readAccountGroup(db: Db, caller: Pick<Member, 'workspace_id'>, id: string) {
  const group = await listAccountGroups(db, caller).where('id', '=', id).executeTakeFirst()
  if (!group) throw notFound()
  return group
}

/** Replaces the accounts of a group. Those that are being disconnected are waited for, and do not exist then. */
async function writeAccounts(tx: Tx, workspace_id: string, group_id: string, account_ids: readonly string[]) {
  const rows = await tx
    .selectFrom('account')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .where(sql<SqlBool>`id = any(${account_ids}::uuid[])`)
    .orderBy('id')
    .forShare()
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  const unknown = account_ids.findIndex((account_id) => !known.has(account_id))
  if (unknown >= 0)
    throw invalid(`/account_ids/${unknown}`, { en: 'This account does not exist.', tr: 'Bu hesap yok.' })
  await tx.deleteFrom('grouped_account').where('group_id', '=', group_id).execute()
  const grouped = account_ids.map((account_id, position) => ({ group_id, account_id, position }))
  if (grouped.length > 0) await tx.insertInto('grouped_account').values(grouped).execute()
}

/** Ids as they are stored. Clients may write one in either case. */
const storedIds = (ids: readonly string[]) => [...new Set(ids.map((id) => id.toLowerCase()))]

export const createAccountGroup = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  input: Static<typeof NewAccountGroup>,
) =>
  inTransaction(db, async (tx) => {
    const { workspace_id, user_id } = caller
    // The lock keeps concurrent calls from exceeding the limit.
    await tx.selectFrom('workspace').select('id').where('id', '=', workspace_id).forNoKeyUpdate().execute()
    const { count } = await tx
      .selectFrom('account_group')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('workspace_id', '=', workspace_id)
      .executeTakeFirstOrThrow()
    if (count >= MAX_GROUPS)
      throw limitExceeded(
        'account_groups',
        MAX_GROUPS,
        count,
        `A workspace can have at most ${MAX_GROUPS} account groups.`,
      )
    const id = await newId(tx)
    const now = clock.now()
    const name = input.name.trim()
    const account_ids = storedIds(input.account_ids ?? [])
    await tx
      .insertInto('account_group')
      .values({ id, workspace_id, created_by: user_id, name, created_at: now, updated_at: now })
      .execute()
    await writeAccounts(tx, workspace_id, id, account_ids)
    await audit(tx, caller, 'account_group.created', id, { after: { name, account_ids } })
    return readAccountGroup(tx, caller, id)
  })

export const changeAccountGroup = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  id: string,
  input: Static<typeof AccountGroupChanges>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    await tx.selectFrom('account_group').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    const before = await readAccountGroup(tx, caller, id)
    ifMatch(before.version)
    const after = {
      name: input.name?.trim() ?? before.name,
      account_ids: input.account_ids ? storedIds(input.account_ids) : before.account_ids,
    }
    const changed = (['name', 'account_ids'] as const).filter(
      (field) => !isDeepStrictEqual(after[field], before[field]),
    )
    if (changed.length === 0) return before
    if (changed.includes('account_ids')) await writeAccounts(tx, caller.workspace_id, id, after.account_ids)
    await tx
      .updateTable('account_group')
      .set({ name: after.name, updated_at: later(clock.now()) })
      .where('id', '=', id)
      .execute()
    await audit(tx, caller, 'account_group.changed', id, changedFields(before, after, changed))
    return readAccountGroup(tx, caller, id)
  })

const later = (now: Date) => sql<Date>`greatest(updated_at + interval '1 ms', ${now}::timestamptz)`

export const deleteAccountGroup = (db: Db, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const { name, account_ids } = await readAccountGroup(tx, caller, id)
    const { numDeletedRows } = await tx.deleteFrom('account_group').where('id', '=', id).executeTakeFirst()
    if (numDeletedRows === 0n) throw notFound()
    await audit(tx, caller, 'account_group.deleted', id, { before: { name, account_ids } })
  })

/** Removes an account from its groups. */
export const leaveGroups = (tx: Tx, account_id: string, now: Date) =>
  sql`
    with removed as (delete from grouped_account where account_id = ${account_id} returning group_id)
    update account_group set updated_at = ${later(now)} where id in (select group_id from removed)`.execute(tx)

/** The accounts of groups, each once, in the order of the groups. 400 at the place of one that does not exist. */
export async function accountsOfGroups(db: Db, caller: Pick<Member, 'workspace_id'>, given: readonly string[]) {
  const ids = given.map((id) => id.toLowerCase())
  const groups = await listAccountGroups(db, caller).where(sql<SqlBool>`id = any(${ids}::uuid[])`).execute()
  const accounts = ids.flatMap((id, index) => {
    const group = groups.find((one) => one.id === id)
    if (!group) throw invalid(`/account_group_ids/${index}`, { en: 'This group does not exist.', tr: 'Bu grup yok.' })
    return group.account_ids
  })
  return [...new Set(accounts)]
}
