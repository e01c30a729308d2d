import { sql } from 'kysely'
import type { Origin } from '../http/access.ts'
import { prepared, type Tx } from './database.ts'

/** The actor of an audit entry: a caller, or Meydan itself. */
export type Actor = Partial<Origin> & {
  user_id: string | null
  workspace_id?: string | null
  token?: { id: string } | null
}

export const system = (workspace_id: string | null = null): Actor => ({ user_id: null, workspace_id })

export const pickFields = (record: object, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([field]) => fields.includes(field)))

/** Details of a change of these fields. */
export const changedFields = (before: object, after: object, fields: readonly string[]) => ({
  before: pickFields(before, fields),
  after: pickFields(after, fields),
})

/** Writes an audit entry in the transaction of the action. `details` must hold no secret. */
export async function audit(
  tx: Tx,
  actor: Actor,
  action: string,
  target_id: string | null,
  details: Record<string, unknown> = {},
) {
  await insertEntry(tx, {
    workspace_id: actor.workspace_id ?? null,
    actor_id: actor.user_id,
    token_id: actor.token?.id ?? null,
    action,
    target_id,
    details: JSON.stringify(details),
    ip: actor.ip ?? null,
    user_agent: actor.user_agent ?? null,
  })
}

type Entry = Record<'workspace_id' | 'actor_id' | 'token_id' | 'target_id' | 'ip' | 'user_agent', string | null> &
  Record<'action' | 'details', string>
const insertEntry = prepared((db, entry: Entry) =>
  db.insertInto('audit_entry').values({
    workspace_id: entry.workspace_id,
    actor_id: entry.actor_id,
    token_id: entry.token_id,
    action: entry.action,
    target_id: entry.target_id,
    details: entry.details,
    ip: entry.ip,
    user_agent: entry.user_agent,
  }),
)

/** Removes addresses, user agents and details from the entries of a workspace or an actor. */
export const blankAuditEntries = (
  tx: Tx,
  { workspace_id = null, actor_id = null }: { workspace_id?: string | null; actor_id?: string | null },
) => sql`select blank_audit_entries(${workspace_id}::uuid, ${actor_id}::uuid)`.execute(tx)
