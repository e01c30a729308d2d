import { sql } from 'kysely'
import { exportRows } from '../../../lib/export.ts'

export const calendarNotes = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('calendar_note')
    .select(['id', 'workspace_id', 'text', 'created_at', 'updated_at', sql<string>`day::text`.as('day')])
    .where('created_by', '=', user_id)
    // Notes in workspaces that the user has left belong to the others.
    .where('workspace_id', 'in', (of) =>
      of
        .selectFrom('workspace_member')
        .innerJoin('workspace', 'workspace.id', 'workspace_member.workspace_id')
        .select('workspace.id')
        .where('workspace_member.user_id', '=', user_id)
        .where('workspace.deleted_at', 'is', null),
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
