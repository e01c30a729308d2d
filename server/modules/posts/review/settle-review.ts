import type { Insertable } from 'kysely'
import type { Static } from 'typebox'
import { MINUTE } from '../../../../shared/time.ts'
import { type Actor, audit } from '../../../lib/db/audit.ts'
import { nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { ReviewDecision } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { By } from '../../auth/event-actor.ts'
import { notify } from '../../notifications/notify.ts'
import { type Approval, readApproval, storeApproval } from '../approval/approval.ts'
import { notifyApprovers } from '../approval/put-in-review.ts'
import { validateAndRead } from '../authoring/create-and-change.ts'
import type { lockPost } from '../record/lock-post.ts'
import { postEvents } from '../record/posts.events.ts'
import { enqueuePublish } from '../record/publish-queue.ts'
import { quotaMonth, updatePostQuota } from '../record/quota.ts'
import { parseScheduledAt } from '../record/scheduled-time.ts'
import { readPost } from '../record/select-posts.ts'

/** A member, or the client of a link, who decides on a post. */
export type Decider = {
  workspace_id: string
  actor: Actor
  by: Static<typeof By> | null
  client_link: { id: string; name: string } | null
}

export type Decision = { decision: 'approved' | 'rejected'; reason: string | null }

type Decided = { workspace_id: string; post_id: string }

/** Keeps a decision. Returns what is open after it. */
export async function storeDecision(
  tx: Tx,
  { workspace_id, post_id }: Decided,
  decision: Omit<Insertable<ReviewDecision>, keyof Decided>,
) {
  await tx
    .insertInto('review_decision')
    .values({ workspace_id, post_id, ...decision })
    .execute()
  return readApproval(tx, workspace_id, post_id)
}

const lateMs = async ({ options }: Pick<Deps, 'options'>) => (await options.get('posts.publish_late_minutes')) * MINUTE

/** Whether a planned time passed too long ago for the post to be published at once. */
export const isTooLate = async (deps: Pick<Deps, 'options'>, planned: Date, now: Date) =>
  planned.getTime() < now.getTime() - (await lateMs(deps))

/** The time for which a post is approved. One that passed while the post waited is now, unless it is long ago. */
async function approvedTime(
  deps: Pick<Deps, 'options'>,
  planned: Date | null,
  { review }: { review: string },
  now: Date,
) {
  if (!planned) return null
  const isLate = planned <= now && !(await isTooLate(deps, planned, now))
  return review === 'pending' && isLate ? now : parseScheduledAt(planned.toISOString(), now)
}

type Settled = {
  before: Awaited<ReturnType<typeof lockPost>>
  /** State of the approval after the decision. */
  approval: Approval
  planned: Date | null
  now: Date
}

/** Lets an approval take effect: the last one that the policies ask for schedules the post for its planned time. */
export async function settleApproval(
  deps: Deps,
  tx: Tx,
  { workspace_id, actor, by, client_link }: Decider,
  { before, approval, planned, now }: Settled,
) {
  const { id } = before
  if (approval.open.length > 0) {
    await tx
      .updateTable('post')
      .set({ review: 'pending', review_reason: null, review_scheduled_at: planned, updated_at: nextUpdatedAt(now) })
      .where('id', '=', id)
      .execute()
    const post = await readPost(tx, { workspace_id }, id)
    await emit(tx, postEvents['post.review.step_approved'], workspace_id, { post, by, client_link }, now)
    await audit(tx, actor, 'post.step_approved', id)
    if (await isNewStep(tx, id, approval)) await notifyApprovers(tx, [post], { actor_id: actor.user_id, now })
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
  if (time && !post.held) for (const target of post.targets) await enqueuePublish(tx, target, time)
  await emit(tx, postEvents['post.review.approved'], workspace_id, { post, by, client_link }, now)
  await deps.lifecycle.onPostReviewed(tx, { post_id: id, review: 'approved', reason: null, now })
  await audit(tx, actor, 'post.approved', id, { status: post.status })
  await notifyAuthor(tx, 'review.approved', post, { actor_id: actor.user_id, now })
  if (isDraft) await updatePostQuota(tx, { workspace_id, before, time, now })
  return post
}

/** Whether a step is open beyond that of the last decision, so that others are asked. */
async function isNewStep(tx: Tx, post_id: string, { open }: Approval) {
  const last = await tx
    .selectFrom('review_decision')
    .select('step')
    .where('post_id', '=', post_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return open.some(({ index }) => index + 1 > (last?.step ?? 0))
}

type Reviewed = { id: string; workspace_id: string; content: string; author_id: string | null; version: number }

/** Tells the author of a post what was decided on it. */
export const notifyAuthor = (
  tx: Tx,
  kind: 'review.approved' | 'review.rejected',
  { id, workspace_id, content, author_id, version }: Reviewed,
  { actor_id, detail, now }: { actor_id: string | null; detail?: string; now: Date },
) =>
  notify(
    tx,
    {
      ...{ kind, workspace_id, actor_id, cause: String(version) },
      subject: { id, name: content },
      to: { user_ids: [author_id] },
      ...(detail !== undefined && { detail }),
    },
    now,
  )

/** Lets a rejection take effect: the post stays a draft with the reason. */
export async function settleRejection(
  { lifecycle }: Pick<Deps, 'lifecycle'>,
  tx: Tx,
  { workspace_id, actor, by, client_link }: Decider,
  { id, reason, now }: { id: string; reason: string; now: Date },
) {
  await tx
    .updateTable('post')
    .set({ review: 'rejected', review_reason: reason, updated_at: nextUpdatedAt(now) })
    .where('id', '=', id)
    .execute()
  const post = await readPost(tx, { workspace_id }, id)
  await emit(tx, postEvents['post.review.rejected'], workspace_id, { post, by, client_link }, now)
  const rejectedBy = { actor, client_name: client_link?.name ?? null }
  await lifecycle.onPostReviewed(tx, { post_id: id, review: 'rejected', reason, by: rejectedBy, now })
  await audit(tx, actor, 'post.rejected', id, { reason })
  await notifyAuthor(tx, 'review.rejected', post, { actor_id: actor.user_id, detail: reason, now })
  return post
}
