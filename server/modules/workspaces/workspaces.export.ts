import { sql } from 'kysely'
import { exportRows, exportValue } from '../../lib/export.ts'

export const memberships = exportValue((db, user_id) =>
  db
    .selectFrom('workspace_member')
    .innerJoin('workspace', 'workspace.id', 'workspace_member.workspace_id')
    .select(['workspace.id as workspace_id', 'workspace.name', 'workspace.slug'])
    .select(['workspace_member.role', 'workspace_member.created_at'])
    .where('workspace_member.user_id', '=', user_id)
    .where('workspace.deleted_at', 'is', null)
    .orderBy('workspace.id')
    .execute(),
)

export const invitations = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('invitation')
    .select(['id', 'workspace_id', 'email', 'role', 'locale', 'state', 'expires_at', 'created_at'])
    .select([
      sql<boolean>`invited_by is not distinct from ${user_id}::uuid`.as('sent'),
      sql<boolean>`accepted_by is not distinct from ${user_id}::uuid`.as('accepted'),
    ])
    .where((where) => where.or([where('invited_by', '=', user_id), where('accepted_by', '=', user_id)]))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
