import type { Db } from '../../../lib/db/database.ts'
import { approversOf, readApprovals, waitsForClient } from './approval.ts'

/** The members who can approve a post that waits for review. `orEditors`: also of one that waits for a client. */
export async function findApprovers(
  db: Db,
  { workspace_id, post_id, orEditors }: { workspace_id: string; post_id: string; orEditors: boolean },
) {
  const waiting = await db
    .selectFrom('post')
    .select('id')
    .where('id', '=', post_id)
    .where('workspace_id', '=', workspace_id)
    .where('review', '=', 'pending')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const approval = waiting && (await readApprovals(db, workspace_id, [post_id])).get(post_id)
  if (!approval) return []
  // A client is told by who sends the link.
  const people = waitsForClient(approval) ? (orEditors ? approval.team.members : []) : approversOf(approval)
  return [...new Set(people.map(({ user_id }) => user_id))]
}
