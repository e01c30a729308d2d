import type { Static } from 'typebox'
import { invalidTransition } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { postEvents } from '../posts.events.ts'
import { changedBy, isUnapproved, lockPost, readPost, validateAndRead } from '../posts.ts'
import { enqueuePublish } from '../publishing/publish-queue.ts'
import { quotaMonth, updatePostQuota } from '../quota.ts'
import { parseScheduledAt } from '../scheduled-time.ts'
import type { ApprovePost, RejectPost } from './review.schema.ts'

/** Approves a post, also one that was rejected, and schedules it for its planned time. */
export const approvePost = (
  { db, clock, lifecycle }: Deps,
  caller: Member,
  id: string,
  { scheduled_at }: Static<typeof ApprovePost>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const before = await lockPost(tx, caller, id)
    ifMatch(before.version)
    if (!isUnapproved(before)) throw invalidTransition(before.review, 'approve a post')
    const planned = scheduled_at === undefined ? before.review_scheduled_at?.toISOString() : scheduled_at
    const time = planned ? parseScheduledAt(planned, now) : null
    await tx
      .updateTable('post')
      .set({
        review: 'approved',
        review_reason: null,
        review_scheduled_at: null,
        status: time ? 'scheduled' : 'draft',
        scheduled_at: time,
        counted_in: time && quotaMonth(before, now),
        ...changedBy(caller, now),
      })
      .where('id', '=', id)
      .execute()
    const post = await validateAndRead(tx, caller.workspace_id, id)
    if (time) for (const target of post.targets) await enqueuePublish(tx, target, time)
    await emit(tx, postEvents['post.review.approved'], caller.workspace_id, { post, by: doneBy(caller) }, now)
    await lifecycle.onPostReviewed(tx, { post_id: id, review: 'approved', reason: null, now })
    await audit(tx, caller, 'post.approved', id, { status: post.status })
    await updatePostQuota(tx, { workspace_id: caller.workspace_id, before, time, now })
    return post
  })

export const rejectPost = (
  { db, clock, lifecycle }: Deps,
  caller: Member,
  id: string,
  { reason }: Static<typeof RejectPost>,
  ifMatch: IfMatch,
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const before = await lockPost(tx, caller, id)
    ifMatch(before.version)
    if (before.review !== 'pending') throw invalidTransition(before.review, 'reject a post')
    await tx
      .updateTable('post')
      .set({ review: 'rejected', review_reason: reason, ...changedBy(caller, now) })
      .where('id', '=', id)
      .execute()
    const post = await readPost(tx, caller, id)
    await emit(tx, postEvents['post.review.rejected'], caller.workspace_id, { post, by: doneBy(caller) }, now)
    await lifecycle.onPostReviewed(tx, { post_id: id, review: 'rejected', reason, now })
    await audit(tx, caller, 'post.rejected', id, { reason })
    return post
  })
