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
  refuseOthers(caller, [post])
  return post
}

/** The same for several posts, which are locked in the order of their ids. Throws if one of them is not found. */
export async function lockPosts(tx: Tx, caller: Member, ids: readonly string[]) {
  const posts = await selectForUpdate(tx, caller, ids).execute()
  if (posts.length !== new Set(ids).size) throw notFound()
  refuseOthers(caller, posts)
  return posts
}

function refuseOthers({ role, user_id }: Member, posts: readonly { author_id: string | null }[]) {
  if (!atLeast(role, 'editor') && posts.some(({ author_id }) => author_id !== user_id))
    throw problem('forbidden_role', { detail: 'Authors can change only their own posts.' })
}

/** Locks a post for a caller who is no member, such as a client. */
export async function lockPostOf(
  tx: Tx,
  { workspace_id }: { workspace_id: string },
  id: string,
  orDeletedSince?: Date,
) {
  const post = await selectForUpdate(tx, { workspace_id }, [id], orDeletedSince).executeTakeFirst()
  if (!post) throw notFound()
  return post
}

const selectForUpdate = (
  tx: Tx,
  { workspace_id }: { workspace_id: string },
  ids: readonly string[],
  orDeletedSince?: Date,
) =>
  tx
    .selectFrom('post')
    .select(['id', 'status', 'scheduled_at', 'author_id', 'deleted_at', 'version', 'unpublishing_until'])
    .select(['review', 'review_scheduled_at', 'is_idea'])
    .select(sql<string | null>`counted_in::text`.as('counted_in'))
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('workspace_id', '=', workspace_id)
    .where((where) =>
      where.or([
        where('deleted_at', 'is', null),
        ...(orDeletedSince ? [where('deleted_at', '>=', orDeletedSince)] : []),
      ]),
    )
    .orderBy('id')
    .forUpdate()

/** A change that a member asked for, as opposed to one by publishing. */
export const changedBy = (caller: Member, now: Date) => ({
  updated_by_id: caller.user_id,
  updated_at: nextUpdatedAt(now),
})
