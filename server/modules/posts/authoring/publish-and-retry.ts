import type { Static } from 'typebox'
import { invalidTransition, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { keepsApproval } from '../approval/approval.ts'
import { announceReview, isUnapproved, putInReview } from '../approval/put-in-review.ts'
import { changedBy, lockPost } from '../record/lock-post.ts'
import { postEvents } from '../record/posts.events.ts'
import type { RetryPost } from '../record/posts.schema.ts'
import { enqueuePublish } from '../record/publish-queue.ts'
import { quotaMonth, updatePostQuota } from '../record/quota.ts'
import { validateAndRead } from './create-and-change.ts'
import { refuseUnresolved, reopenTargets } from './targets.ts'

export const publishPost = ({ db, clock }: Deps, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const before = await lockPost(tx, caller, id)
    if (before.status !== 'draft' && before.status !== 'scheduled')
      throw invalidTransition(before.status, 'publish a post')
    if (before.is_idea) throw invalidTransition('idea', 'publish a post')
    if (isUnapproved(before)) throw problem('post_not_approved')
    await tx
      .updateTable('post')
      .set({
        status: 'scheduled',
        scheduled_at: now,
        counted_in: quotaMonth(before, now),
        ...changedBy(caller, now),
      })
      .where('id', '=', id)
      .execute()
    const valid = await validateAndRead(tx, caller.workspace_id, id)
    const waits = !(await keepsApproval(tx, valid))
    const post = waits ? await putInReview(tx, valid, { planned: now, now }) : valid
    if (!waits) for (const target of post.targets) await enqueuePublish(tx, target)
    await emit(
      tx,
      postEvents['post.updated'],
      caller.workspace_id,
      { post, change: 'publish_requested', by: doneBy(caller) },
      now,
    )
    await audit(tx, caller, 'post.publish_requested', id)
    if (waits) await announceReview(tx, post, caller, now)
    await updatePostQuota(tx, { workspace_id: caller.workspace_id, before, time: waits ? null : now, now })
    return post
  })

/** Retries the failed targets, unless the post needs an approval for that. */
export const retryPost = (
  { db, clock }: Deps,
  caller: Member,
  id: string,
  { confirm_not_published: confirmed = false }: Static<typeof RetryPost> = {},
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const before = await lockPost(tx, caller, id)
    if (before.status !== 'failed' && before.status !== 'partially_published')
      throw invalidTransition(before.status, 'retry a post')
    if (before.unpublishing_until && before.unpublishing_until > now)
      throw invalidTransition('unpublishing', 'retry a post')
    if (isUnapproved(before)) throw problem('post_not_approved')
    if (!(await keepsApproval(tx, { ...before, workspace_id: caller.workspace_id })))
      return retryLater(tx, caller, before, { confirmed, now })
    if (!confirmed) await refuseUnresolved(tx, id)
    const failed = await reopenTargets(tx, id, now)
    if (failed.length === 0) throw invalidTransition(before.status, 'retry a post without a failed target')
    await tx
      .updateTable('post')
      .set({ status: 'publishing', ...changedBy(caller, now) })
      .where('id', '=', id)
      .execute()
    const post = await validateAndRead(tx, caller.workspace_id, id)
    for (const target of failed) await enqueuePublish(tx, target)
    await emit(
      tx,
      postEvents['post.updated'],
      caller.workspace_id,
      { post, change: 'retry_requested', by: doneBy(caller) },
      now,
    )
    await audit(tx, caller, 'post.retry_requested', id)
    return post
  })

/** A failed post becomes a draft in review. One that is on some networks can be retried once it is approved. */
async function retryLater(
  tx: Tx,
  caller: Member,
  before: Awaited<ReturnType<typeof lockPost>>,
  { confirmed, now }: { confirmed: boolean; now: Date },
) {
  const { id, status } = before
  const { workspace_id } = caller
  if (status === 'failed') {
    if (!confirmed) await refuseUnresolved(tx, id)
    await reopenTargets(tx, id, now)
  }
  const post = await putInReview(tx, { id, workspace_id, status }, { planned: null, now })
  await emit(tx, postEvents['post.updated'], workspace_id, { post, change: 'retry_requested', by: doneBy(caller) }, now)
  await audit(tx, caller, 'post.retry_requested', id)
  await announceReview(tx, post, caller, now)
  if (status === 'failed') await updatePostQuota(tx, { workspace_id, before, time: null, now })
  return post
}
