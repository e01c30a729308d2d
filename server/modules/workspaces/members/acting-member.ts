import type { Tx } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'
import { atLeast, type Role } from '../../../lib/http/roles.ts'

/**
 * Reads the member in whose name a job acts, with the role of this moment. Undefined if the user is no member any more,
 * is banned, or has a role below `least`.
 */
export async function readActingMember(
  tx: Tx,
  { user_id, workspace_id }: { user_id: string | null; workspace_id: string },
  least: Role,
): Promise<Member | undefined> {
  const member = await tx
    .selectFrom('workspace_member')
    .innerJoin('user', 'user.id', 'workspace_member.user_id')
    .select(['user.id as user_id', 'user.email', 'workspace_member.role'])
    .where('workspace_member.workspace_id', '=', workspace_id)
    .where('user.id', '=', user_id)
    .where('user.banned_at', 'is', null)
    .executeTakeFirst()
  if (!member || !atLeast(member.role, least)) return
  return {
    ...member,
    workspace_id,
    is_instance_admin: false,
    session_id: null,
    token: null,
    ip: null,
    user_agent: null,
  }
}
