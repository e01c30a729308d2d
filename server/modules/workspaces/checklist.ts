import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Db } from '../../lib/db/database.ts'
import type { Member } from '../../lib/http/access.ts'
import type { Checklist } from './workspaces.schema.ts'

/** The first steps in a workspace. Their results belong to modules above this one, so only the tables are named. */
export async function readChecklist(db: Db, { workspace_id, user_id }: Member) {
  const { rows } = await sql<Static<typeof Checklist>>`select
    exists (select from account where workspace_id = ${workspace_id} and deleted_at is null) as connected,
    exists (select from post where workspace_id = ${workspace_id} and deleted_at is null) as written,
    exists (select from post where workspace_id = ${workspace_id} and deleted_at is null
      and published_at is not null) as published,
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
