import { sql } from 'kysely'
import { exportRows } from '../../lib/export.ts'

export const auditLog = exportRows((db, user_id, after, limit) =>
  db
    .selectFrom('audit_entry')
    .select(['id', 'at', 'workspace_id', 'token_id', 'action', 'target_id', 'details', 'user_agent'])
    .select(sql<string | null>`host(ip)`.as('ip'))
    .where('actor_id', '=', user_id)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute(),
)
