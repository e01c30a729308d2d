import type { Deps } from '../../deps.ts'
import { atLeast, type Member, type Role } from '../../lib/access.ts'
import { audit } from '../../lib/audit.ts'
import type { Tx } from '../../lib/database.ts'

/** Revokes tokens on every node, for good, with what is left of a rotation. Those that are revoked already stay as they are. */
export async function revokeTokens(
  { clock, pulse }: Deps,
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
  await pulse.announce(tx, 'authority')
  for (const { id, ...before } of revoked) await audit(tx, caller, 'token.revoked', id, { before })
}

/**
 * Revokes the pending invitations that somebody made and could no longer make: with `role` now, or as a member no more.
 * The workspace has to be locked.
 */
export async function revokeInvitationsOf(
  { clock }: Deps,
  tx: Tx,
  caller: Member,
  { user_id, role }: { user_id: string; role?: Role },
) {
  if (role === 'owner') return
  const now = clock.now()
  let lost = tx
    .updateTable('invitation')
    .set({ state: 'revoked', updated_at: now })
    .where('workspace_id', '=', caller.workspace_id)
    .where('invited_by', '=', user_id)
    .where('state', '=', 'pending')
    .where('expires_at', '>', now)
  if (role && atLeast(role, 'admin')) lost = lost.where('role', '=', 'owner')
  for (const { id, ...invitation } of await lost.returning(['id', 'email', 'role']).execute())
    await audit(tx, caller, 'invitation.revoked', id, { before: { state: 'pending', ...invitation } })
}
