import type { Origin } from './access.ts'
import type { Tx } from './database.ts'

/** Who did it: a caller, or Meydan itself. */
export type Actor = Partial<Origin> & {
  user_id: string | null
  workspace_id?: string | null
  token?: { id: string } | null
}

export const system = (workspace_id: string | null = null): Actor => ({ user_id: null, workspace_id })

/** Notes an act in the audit log, in the transaction of the act. `details` must hold no secret. */
export async function audit(
  tx: Tx,
  actor: Actor,
  action: string,
  target_id: string | null,
  details: Record<string, unknown> = {},
) {
  await tx
    .insertInto('audit_entry')
    .values({
      workspace_id: actor.workspace_id ?? null,
      actor_id: actor.user_id,
      token_id: actor.token?.id ?? null,
      action,
      target_id,
      details: JSON.stringify(details),
      ip: actor.ip ?? null,
      user_agent: actor.user_agent ?? null,
    })
    .execute()
}
