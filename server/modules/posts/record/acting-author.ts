import type { Tx } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'
import { atLeast } from '../../../lib/http/roles.ts'

/** The member in whose name posts are created, with the role of this moment. Undefined if nobody may any more. */
export async function actingAuthor(
  tx: Tx,
  { author_id, workspace_id }: { author_id: string | null; workspace_id: string },
): Promise<Member | undefined> {
  const found = await tx
    .selectFrom('workspace_member')
    .innerJoin('user', 'user.id', 'workspace_member.user_id')
    .select(['user.id as user_id', 'user.email', 'workspace_member.role'])
    .where('workspace_member.workspace_id', '=', workspace_id)
    .where('user.id', '=', author_id)
    .where('user.banned_at', 'is', null)
    .executeTakeFirst()
  if (!found || !atLeast(found.role, 'author')) return
  return { ...found, workspace_id, is_instance_admin: false, session_id: null, token: null, ip: null, user_agent: null }
}
