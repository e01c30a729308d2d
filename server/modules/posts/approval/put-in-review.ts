import { sql } from 'kysely'
import { audit, system } from '../../../lib/db/audit.ts'
import { nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { PostReview } from '../../../lib/db/database-types.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { actingUser, notify } from '../../notifications/notify.ts'
import { postEvents } from '../record/posts.events.ts'
import { enqueuePublish, removePublishJobs } from '../record/publish-queue.ts'
import { updatePostQuota } from '../record/quota.ts'
import { readPost } from '../record/select-posts.ts'
import { isApproved, keepsApproval } from './approval.ts'

type InReview = { id: string; workspace_id: string; status: string }

/**
 * Lets a post wait for an approval, which then gives it the planned time. `cameDue`: its time comes before anybody was
 * asked, as opposed to one that is to be published at once.
 */
export async function putInReview(
  tx: Tx,
  { id, workspace_id, status }: InReview,
  { planned, now, cameDue = false }: { planned: Date | null; now: Date; cameDue?: boolean },
) {
  await removePublishJobs(tx, id)
  await tx
    .updateTable('post')
    .set({
      // A post that is on some networks already cannot be a draft.
      ...(status !== 'partially_published' && { status: 'draft', scheduled_at: null, counted_in: null }),
      review: 'pending',
      review_reason: null,
      review_scheduled_at: planned,
      review_missed_for: planned && planned <= now && !cameDue ? planned : null,
      review_missed_mail: false,
      updated_at: nextUpdatedAt(now),
    })
    .where('id', '=', id)
    .execute()
  return readPost(tx, { workspace_id }, id)
}

/** `caller`: null when no member asked, but a policy did. */
export async function announceReview(
  tx: Tx,
  post: Awaited<ReturnType<typeof readPost>>,
  caller: Member | null,
  now: Date,
) {
  const by = caller && doneBy(caller)
  await emit(tx, postEvents['post.review.requested'], post.workspace_id, { post, by }, now)
  await audit(tx, caller ?? system(post.workspace_id), 'post.review_requested', post.id)
  await notifyApprovers(tx, post, { actor_id: actingUser(caller), now })
}

/** Tells those who can approve a post that it waits for them. */
export const notifyApprovers = (
  tx: Tx,
  { id, workspace_id, content, version }: { id: string; workspace_id: string; content: string; version: number },
  { actor_id, now }: { actor_id: string | null; now: Date },
) =>
  notify(
    tx,
    { kind: 'review.requested', workspace_id, subject: { id, name: content }, actor_id, cause: String(version) },
    now,
  )

/** Whether the post is a draft that nothing may schedule or publish before it is approved. */
export const isUnapproved = ({ review }: { review: PostReview }) => review === 'pending' || review === 'rejected'

/** Locks the posts of a workspace that a further condition names, in their order. */
export const lockForReview = (tx: Tx, workspace_id: string) =>
  tx
    .selectFrom('post')
    .select(['post.id', 'post.status', 'post.scheduled_at', 'post.review'])
    .select(sql<string | null>`counted_in::text`.as('counted_in'))
    .where('post.workspace_id', '=', workspace_id)
    .where('post.deleted_at', 'is', null)
    .orderBy('post.id')
    .forUpdate('post')

/**
 * Asks for the approval of a scheduled post that lacks one, because its policies changed or a change went unnoticed. One
 * whose decisions meet the policies as they are now stays approved.
 */
export async function askForApproval(tx: Tx, { id, workspace_id }: { id: string; workspace_id: string }, now: Date) {
  const [before] = await lockForReview(tx, workspace_id)
    .where('post.id', '=', id)
    .where('post.status', '=', 'scheduled')
    .execute()
  if (!before || (await isApproved(tx, id))) return
  if (await keepsApproval(tx, { ...before, workspace_id })) {
    const { targets } = await readPost(tx, { workspace_id }, id)
    for (const target of targets) await enqueuePublish(tx, target, before.scheduled_at ?? now)
    return
  }
  const post = await putInReview(
    tx,
    { id, workspace_id, status: before.status },
    { planned: before.scheduled_at, now, cameDue: true },
  )
  await announceReview(tx, post, null, now)
  await updatePostQuota(tx, { workspace_id, before, time: null, now })
}
