import { audit } from '../../lib/db/audit.ts'
import type { Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'

/** Permanently revokes tokens on every node, including rotated ones. Leaves already revoked tokens unchanged. */
export async function revokeTokens(
  { clock, invalidationBus }: Deps,
  tx: Tx,
  caller: Member,
  which: { id: string } | { user_id: string; team_id: string },
) {
  const revoked = await tx
    .updateTable('api_token')
    .set({ revoked_at: clock.now(), previous_hashed_token: null, previous_expires_at: null })
    .where((where) => where.and(which))
    .where('revoked_at', 'is', null)
    .returning(['id', 'name', 'user_id'])
    .execute()
  await invalidationBus.invalidate(tx, 'access')
  for (const { id, ...before } of revoked) await audit(tx, caller, 'token.revoked', id, { before })
}

/** Permanently revokes the tokens of a former member that are bound to the workspace. */
export const revokeMemberTokens = (deps: Deps, tx: Tx, caller: Member, user_id: string) =>
  revokeTokens(deps, tx, caller, { user_id, team_id: caller.workspace_id })
