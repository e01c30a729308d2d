import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Db } from '../../lib/db/database.ts'
import type { Member } from '../../lib/http/access.ts'
import type { Checklist } from './workspaces.schema.ts'

/**
 * The first steps in a workspace. Their results belong to modules above this one, so only the tables are named.
 *
 * Posts are looked up in the order of an index, which a plan for any workspace must use. With `exists`, it would expect to
 * find one soon in the whole table, and read the posts of all other workspaces.
 */
export async function readChecklist(db: Db, { workspace_id, user_id }: Member) {
  // A range, because PostgreSQL drops an order by a column that has one value.
  const ofWorkspace = sql`workspace_id between ${workspace_id} and ${workspace_id}`
  const { rows } = await sql<Static<typeof Checklist>>`select
    exists (select from account where workspace_id = ${workspace_id} and deleted_at is null) as connected,
    (select true from post where ${ofWorkspace} and deleted_at is null and not is_idea
      order by workspace_id limit 1) is not null as written,
    (select true from post where ${ofWorkspace} and deleted_at is null and published_at is not null
      order by workspace_id limit 1) is not null as published,
    exists (select from webhook where team_id = ${workspace_id}) as webhook,
    exists (select from workspace_member where workspace_id = ${workspace_id} and user_id = ${user_id}
      and checklist_dismissed) as dismissed`.execute(db)
  if (!rows[0]) throw new Error('PostgreSQL returned no row')
  return rows[0]
}

/** Hides the list for this member only. */
export async function dismissChecklist(db: Db, caller: Member) {
  await db
    .updateTable('workspace_member')
    .set({ checklist_dismissed: true })
    .where('workspace_id', '=', caller.workspace_id)
    .where('user_id', '=', caller.user_id)
    .execute()
  return readChecklist(db, caller)
}
