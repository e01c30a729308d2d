import { audit } from '../../lib/db/audit.ts'
import type { Tx } from '../../lib/db/database.ts'
import type { User } from '../../lib/http/access.ts'

/** As when a member is removed: an invitation does not outlive the authority behind it. */
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
