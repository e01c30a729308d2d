import { type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import type { Db } from '../../lib/database.ts'
import { page } from '../../lib/page.ts'
import type { AuditQuery } from './audit.schema.ts'

type Actor = { id: string; name: string | null; email: string | null }

/** Entries of a workspace; with null those that belong to none. */
export function listEntries(
  db: Db,
  workspace_id: string | null,
  { actor, action, since, until, ...cut }: Static<typeof AuditQuery>,
) {
  let query = db
    .selectFrom('audit_entry')
    .leftJoin('user', 'user.id', 'audit_entry.actor_id')
    .select([
      'audit_entry.id',
      'audit_entry.at',
      'audit_entry.token_id',
      'audit_entry.action',
      'audit_entry.target_id',
      sql<Record<string, unknown>>`audit_entry.details`.as('details'),
      'audit_entry.ip',
      'audit_entry.user_agent',
      sql<Actor | null>`case when audit_entry.actor_id is not null then json_build_object(
        'id', audit_entry.actor_id, 'name', "user".name, 'email', "user".email) end`.as('actor'),
    ])
    .where('audit_entry.workspace_id', workspace_id === null ? 'is' : '=', workspace_id)
  if (actor) query = query.where('audit_entry.actor_id', '=', actor)
  if (action?.endsWith('*')) query = query.where(sql<SqlBool>`starts_with(audit_entry.action, ${action.slice(0, -1)})`)
  else if (action) query = query.where('audit_entry.action', '=', action)
  if (since) query = query.where('audit_entry.at', '>=', new Date(since))
  if (until) query = query.where('audit_entry.at', '<', new Date(until))
  return page(query, 'audit_entry.id', cut)
}
