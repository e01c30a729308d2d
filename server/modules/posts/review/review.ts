import type { Static } from 'typebox'
import { MINUTE } from '../../../../shared/time.ts'
import { invalidTransition, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { postEvents } from '../posts.events.ts'
import { announceReview, changedBy, isUnapproved, lockPost, putInReview, readPost, validateAndRead } from '../posts.ts'
import { enqueuePublish } from '../publishing/publish-queue.ts'
import { quotaMonth, updatePostQuota } from '../quota.ts'
import { parseScheduledAt } from '../scheduled-time.ts'
import { keepsApproval, readApproval, storeApproval } from './approval.ts'
import type { ApprovePost, RejectPost, RequestApproval } from './review.schema.ts'

/** Asks for the approval of a draft or a scheduled post, and again for one that was rejected. */
export const requestApproval = (
  { db, clock }: Deps,
  caller: Member,
  id: string,
  { scheduled_at }: Static<typeof RequestApproval>,
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const before = await lockPost(tx, caller, id)
    const { workspace_id } = caller
    const isDecided =
      before.review === 'pending' ||
      (before.review === 'approved' && (await keepsApproval(tx, { ...before, workspace_id })))
    if (isDecided || (before.status !== 'draft' && before.status !== 'scheduled'))
      throw invalidTransition(isDecided ? before.review : before.status, 'ask for an approval')
    const kept = before.review_scheduled_at ?? before.scheduled_at
    const known = kept && kept > now ? kept : null
    const given = scheduled_at ? parseScheduledAt(scheduled_at, now) : null
    const planned = scheduled_at === undefined ? known : given
    // As a scheduled post, it is refused if its networks would.
    await tx
      .updateTable('post')
      .set({ status: 'scheduled', scheduled_at: planned ?? now, ...changedBy(caller, now) })
      .where('id', '=', id)
      .execute()
    const valid = await validateAndRead(tx, workspace_id, id)
    const post = await putInReview(tx, valid, { planned, now })
    await announceReview(tx, post, caller, now)
    await updatePostQuota(tx, { workspace_id, before, time: null, now })
    return post
  })

type Decision = { decision: 'approved' | 'rejected'; reason: string | null }

/** Keeps a decision on the content as it is now. Returns what is still open. */
async function decide(tx: Tx, caller: Member, id: string, { decision, reason }: Decision, now: Date) {
  const { workspace_id, user_id } = caller
  const { open, content_hash, team } = await readApproval(tx, workspace_id, id)
  const mine = open.filter(({ approvers }) => approvers.some((approver) => approver.user_id === user_id))
  // Policies that became weaker meanwhile can leave nothing open.
  if (open.length > 0 && mine.length === 0) throw notAnApprover(caller, team.author_id)
  await tx
    .insertInto('review_decision')
    .values({
      ...{ workspace_id, post_id: id, decision, reason, content_hash, user_id },
      step: Math.max(...mine.map(({ index }) => index), 0) + 1,
      role: team.members.find((member) => member.user_id === user_id)?.role ?? caller.role,
      token_id: caller.token?.id ?? null,
      decided_at: now,
    })
    .execute()
  return readApproval(tx, workspace_id, id)
}

const notAnApprover = ({ user_id }: Member, author_id: string | null) =>
  problem('not_an_approver', {
    detail:
      user_id === author_id
        ? 'The policy lets nobody approve or reject their own posts.'
        : 'The policy asks other people to decide in this step, or you have decided already.',
  })

/** The time for which a post is approved. One that passed while the post waited is now, unless it is long ago. */
async function approvedTime(
  { options }: Pick<Deps, 'options'>,
  planned: Date | null,
  { review }: { review: string },
  now: Date,
) {
  if (!planned) return null
  const late_ms = (await options.get('posts.publish_late_minutes')) * MINUTE
  const isLate = planned <= now && planned.getTime() >= now.getTime() - late_ms
  return review === 'pending' && isLate ? now : parseScheduledAt(planned.toISOString(), now)
}

/**
 * Approves a post, also one that was rejected, in the name of the caller. The last approval that its policies ask for
 * schedules it for its planned time.
 */
export const approvePost = (
  deps: Deps,
  caller: Member,
  id: string,
  { scheduled_at }: Static<typeof ApprovePost>,
  ifMatch: IfMatch,
) =>
  inTransaction(deps.db, async (tx) => {
    const { lifecycle, clock } = deps
    const now = clock.now()
    const { workspace_id } = caller
    const before = await lockPost(tx, caller, id)
    ifMatch(before.version)
    if (!isUnapproved(before)) throw invalidTransition(before.review, 'approve a post')
    const approval = await decide(tx, caller, id, { decision: 'approved', reason: null }, now)
    const given = scheduled_at ? parseScheduledAt(scheduled_at, now) : null
    const planned = scheduled_at === undefined ? before.review_scheduled_at : given
    if (approval.open.length > 0) {
      await tx
        .updateTable('post')
        .set({ review: 'pending', review_reason: null, review_scheduled_at: planned, updated_at: nextUpdatedAt(now) })
        .where('id', '=', id)
        .execute()
      const post = await readPost(tx, caller, id)
      await emit(tx, postEvents['post.review.step_approved'], workspace_id, { post, by: doneBy(caller) }, now)
      await audit(tx, caller, 'post.step_approved', id)
      return post
    }
    const isDraft = before.status === 'draft'
    const time = isDraft ? await approvedTime(deps, planned, before, now) : null
    await storeApproval(tx, id, approval)
    await tx
      .updateTable('post')
      .set({
        review: 'approved',
        review_reason: null,
        review_scheduled_at: null,
        ...(isDraft && {
          status: time ? 'scheduled' : 'draft',
          scheduled_at: time,
          counted_in: time && quotaMonth(before, now),
        }),
        updated_at: nextUpdatedAt(now),
      })
      .where('id', '=', id)
      .execute()
    const post = await validateAndRead(tx, workspace_id, id)
    if (time) for (const target of post.targets) await enqueuePublish(tx, target, time)
    await emit(tx, postEvents['post.review.approved'], workspace_id, { post, by: doneBy(caller) }, now)
    await lifecycle.onPostReviewed(tx, { post_id: id, review: 'approved', reason: null, now })
    await audit(tx, caller, 'post.approved', id, { status: post.status })
    if (isDraft) await updatePostQuota(tx, { workspace_id, before, time, now })
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
    await decide(tx, caller, id, { decision: 'rejected', reason }, now)
    await tx
      .updateTable('post')
      .set({ review: 'rejected', review_reason: reason, updated_at: nextUpdatedAt(now) })
      .where('id', '=', id)
      .execute()
    const post = await readPost(tx, caller, id)
    await emit(tx, postEvents['post.review.rejected'], caller.workspace_id, { post, by: doneBy(caller) }, now)
    await lifecycle.onPostReviewed(tx, { post_id: id, review: 'rejected', reason, now })
    await audit(tx, caller, 'post.rejected', id, { reason })
    return post
  })
