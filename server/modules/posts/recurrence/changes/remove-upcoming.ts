import { sql } from 'kysely'
import type { Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { deletePosts } from '../../authoring/deletion.ts'

/** Posts at the times of their occurrences that nobody edited. */
export const untouched = sql<boolean>`(post.updated_by_id is null and post.deleted_at is null
  and (post.status = 'scheduled' and post.scheduled_at = occurs_at
    or post.review = 'pending' and post.review_scheduled_at = occurs_at))`

/**
 * Frees the occurrences after a time whose posts nobody edited, so that they can be created again. `removed`: the variant
 * of the first of them that was created in its turn, and the number of all. `remove`: deletes the posts, as the last
 * statements of the transaction.
 */
export async function removeUpcoming(deps: Deps, tx: Tx, caller: Member, recurring_post_id: string, after: Date) {
  const upcoming = await tx
    .selectFrom('post_occurrence')
    .innerJoin('post', 'post.id', 'post_occurrence.post_id')
    .innerJoin('recurring_post', 'recurring_post.id', 'post_occurrence.recurring_post_id')
    .select(['post_occurrence.id', 'post_occurrence.variant', 'post.id as post_id'])
    .select(sql<boolean>`(next_at is null or occurs_at < next_at)`.as('is_in_turn'))
    .where('post_occurrence.recurring_post_id', '=', recurring_post_id)
    .where(untouched)
    .where('post_occurrence.occurs_at', '>', after)
    .orderBy('post_occurrence.occurs_at')
    .forUpdate('post')
    .execute()
  const ids = upcoming.map(({ id }) => id)
  await tx.deleteFrom('post_occurrence').where(sql<boolean>`id = any(${ids}::uuid[])`).execute()
  const post_ids = upcoming.flatMap(({ post_id }) => post_id ?? [])
  return {
    removed: { variant: upcoming.find(({ is_in_turn }) => is_in_turn)?.variant, count: upcoming.length },
    remove: () => deletePosts(deps, tx, caller, post_ids),
  }
}
