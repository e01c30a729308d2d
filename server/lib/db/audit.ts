import { sql } from 'kysely'
import { problem } from '../../errors.ts'
import type { Origin } from '../http/access.ts'
import type { Role } from '../http/roles.ts'
import { prepared, type Tx } from './database.ts'

/** The actor of an audit entry: a caller, or Meydan itself. */
export type Actor = Partial<Origin> & {
  user_id: string | null
  workspace_id?: string | null
  token?: { id: string } | null
  /** Only members have one. */
  role?: Role
  /** Link by which a client of the workspace acts. */
  client_link_id?: string
}

export const system = (workspace_id: string | null = null): Actor => ({ user_id: null, workspace_id })

export const pickFields = (record: object, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([field]) => fields.includes(field)))

/** Details of a change of these fields. */
export const changedFields = (before: object, after: object, fields: readonly string[]) => ({
  before: pickFields(before, fields),
  after: pickFields(after, fields),
})

/**
 * Writes an audit entry in the transaction of the action. `details` must hold no secret. Throws for a member or a client
 * whose workspace was deleted, or moved to another installation, after the request began: it would not have the change.
 */
export const audit = (
  tx: Tx,
  actor: Actor,
  action: string,
  target_id: string | null,
  details: Record<string, unknown> = {},
) => auditEach(tx, actor, action, [{ target_id, details }])

/** The same for many targets of one action, in one statement. */
export async function auditEach(
  tx: Tx,
  actor: Actor,
  action: string,
  targets: readonly { target_id: string | null; details?: Record<string, unknown> }[],
) {
  if (targets.length === 0) return
  const { workspace_id = null, role, client_link_id } = actor
  const written = await insertEntries(tx, {
    workspace_id,
    writes_in: role === undefined && client_link_id === undefined ? null : workspace_id,
    actor_id: actor.user_id,
    token_id: actor.token?.id ?? null,
    action,
    target_ids: targets.map(({ target_id }) => target_id),
    details: targets.map(({ details = {} }) =>
      JSON.stringify(client_link_id === undefined ? details : { ...details, client_link_id }),
    ),
    ip: actor.ip ?? null,
    user_agent: actor.user_agent ?? null,
  })
  if (written.length === 0)
    throw problem('not_found', { detail: 'The workspace was deleted, or moved to another installation.' })
}

type Entries = Record<'workspace_id' | 'writes_in' | 'actor_id' | 'token_id' | 'ip' | 'user_agent', string | null> & {
  action: string
  target_ids: (string | null)[]
  details: string[]
}
const insertEntries = prepared(
  (_, entry: Entries) => sql`
    insert into audit_entry (workspace_id, actor_id, token_id, action, target_id, details, ip, user_agent)
    select ${entry.workspace_id}::uuid, ${entry.actor_id}::uuid, ${entry.token_id}::uuid, ${entry.action},
      target_id, details, ${entry.ip}::inet, ${entry.user_agent}
    from unnest(${entry.target_ids}::text[], ${entry.details}::jsonb[]) as listed (target_id, details)
    where (${entry.writes_in}::uuid is null or workspace_takes_writes(${entry.writes_in}::uuid))
    returning id`,
)

/** Removes addresses, user agents and details from the entries of a workspace or an actor. */
export const blankAuditEntries = (
  tx: Tx,
  { workspace_id = null, actor_id = null }: { workspace_id?: string | null; actor_id?: string | null },
) => sql`select blank_audit_entries(${workspace_id}::uuid, ${actor_id}::uuid)`.execute(tx)
