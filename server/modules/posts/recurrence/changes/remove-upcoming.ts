import { sql } from 'kysely'
import type { Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { deletePost } from '../../authoring/deletion.ts'

/** Posts at the times of their occurrences that nobody edited. */
export const untouched = sql<boolean>`(post.updated_by_id is null and post.deleted_at is null
  and (post.status = 'scheduled' and post.scheduled_at = occurs_at
    or post.review = 'pending' and post.review_scheduled_at = occurs_at))`

/**
 * Deletes the posts of a recurring post after a time that nobody edited, so that their occurrences can be created again.
 * Returns the variant of the first of them, and their number.
 */
export async function removeUpcoming(deps: Deps, tx: Tx, caller: Member, recurring_post_id: string, after: Date) {
  const upcoming = await tx
    .selectFrom('post_occurrence')
    .innerJoin('post', 'post.id', 'post_occurrence.post_id')
    .select(['post_occurrence.id', 'post_occurrence.variant', 'post.id as post_id'])
    .where('post_occurrence.recurring_post_id', '=', recurring_post_id)
    .where(untouched)
    .where('post_occurrence.occurs_at', '>', after)
    .orderBy('post_occurrence.occurs_at')
    .forUpdate('post')
    .execute()
  for (const { id, post_id } of upcoming) {
    await deletePost(deps, caller, post_id)
    await tx.deleteFrom('post_occurrence').where('id', '=', id).execute()
  }
  return { variant: upcoming[0]?.variant, count: upcoming.length }
}
