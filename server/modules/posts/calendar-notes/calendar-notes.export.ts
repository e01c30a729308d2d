import { sql } from 'kysely'
import { exportRows } from '../../../lib/export.ts'
import { ownWorkspaces } from '../../workspaces/members/own-workspaces.ts'

export const calendarNotes = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('calendar_note')
    .select(['id', 'workspace_id', 'text', 'created_at', 'updated_at', sql<string>`day::text`.as('day')])
    .where('created_by', '=', user_id)
    .where('workspace_id', 'in', ownWorkspaces(user_id))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
