import { sql } from 'kysely'
import { notFound, problem } from '../../../errors.ts'
import { nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'
import { atLeast } from '../../../lib/http/roles.ts'

/**
 * Locks a post for a change. Authors can change only their own. Deleted posts are not found, unless deleted at
 * `orDeletedSince` or later.
 */
export async function lockPost(tx: Tx, caller: Member, id: string, orDeletedSince?: Date) {
  const post = await lockPostOf(tx, caller, id, orDeletedSince)
  if (!atLeast(caller.role, 'editor') && post.author_id !== caller.user_id)
    throw problem('forbidden_role', { detail: 'Authors can change only their own posts.' })
  return post
}

/** The same for a caller who is no member, such as a client. */
export async function lockPostOf(
  tx: Tx,
  { workspace_id }: { workspace_id: string },
  id: string,
  orDeletedSince?: Date,
) {
  const post = await tx
    .selectFrom('post')
    .select(['id', 'status', 'scheduled_at', 'author_id', 'deleted_at', 'version', 'unpublishing_until'])
    .select(['review', 'review_scheduled_at', 'is_idea'])
    .select(sql<string | null>`counted_in::text`.as('counted_in'))
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .where((where) =>
      where.or([
        where('deleted_at', 'is', null),
        ...(orDeletedSince ? [where('deleted_at', '>=', orDeletedSince)] : []),
      ]),
    )
    .forUpdate()
    .executeTakeFirst()
  if (!post) throw notFound()
  return post
}

/** A change that a member asked for, as opposed to one by publishing. */
export const changedBy = (caller: Member, now: Date) => ({
  updated_by_id: caller.user_id,
  updated_at: nextUpdatedAt(now),
})
