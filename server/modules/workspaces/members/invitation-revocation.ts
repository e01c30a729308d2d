import { audit } from '../../../lib/db/audit.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member, User } from '../../../lib/http/access.ts'
import { atLeast, type Role } from '../../../lib/http/roles.ts'

/**
 * Revokes the pending invitations of a user that the user may no longer send: with the new `role`, or as a former
 * member. The workspace must be locked.
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

/** Revokes invitations as the removal of a member does: none outlives the authority behind it. */
export async function revokeInvitationsOfUser(tx: Tx, caller: User, now: Date) {
  const revoked = await tx
    .updateTable('invitation')
    .set({ state: 'revoked', updated_at: now })
    .where('invited_by', '=', caller.user_id)
    .where('state', '=', 'pending')
    .returning(['id', 'workspace_id'])
    .execute()
  for (const { id, workspace_id } of revoked) await audit(tx, { ...caller, workspace_id }, 'invitation.revoked', id)
}

/** Leaves pending ones, which the address may still accept. */
export const eraseInvitationsTo = (tx: Tx, email: string) =>
  tx.deleteFrom('invitation').where('email', '=', email).where('state', '!=', 'pending').execute()
