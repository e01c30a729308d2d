import { sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import { auditEach, system } from '../../../lib/db/audit.ts'
import { nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { PostReview } from '../../../lib/db/database-types.ts'
import { emitEach } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { actingUser, notifyEach } from '../../notifications/notify.ts'
import { postEvents } from '../record/posts.events.ts'
import { enqueuePublish, removePublishJobs } from '../record/publish-queue.ts'
import { updatePostQuota } from '../record/quota.ts'
import { readPost, readPosts } from '../record/select-posts.ts'
import { isApproved, keepsApproval } from './approval.ts'

type Reviewed = { id: string; status: string; planned: Date | null }
type How = { now: Date; cameDue?: boolean }

/**
 * Lets posts wait for an approval, which then gives them their planned times. `cameDue`: the time comes before anybody
 * was asked, as opposed to posts that are to be published at once. Returns their records by their ids.
 */
export async function putEachInReview(
  tx: Tx,
  workspace_id: string,
  posts: readonly Reviewed[],
  { now, cameDue = false }: How,
) {
  if (posts.length === 0) return new Map<string, PostRecord>()
  const ids = posts.map(({ id }) => id)
  await removePublishJobs(tx, ids)
  const changes = posts.map(({ id, status, planned }) => ({
    ...{ id, planned },
    missed_for: planned && planned <= now && !cameDue ? planned : null,
    // A post that is on some networks already cannot be a draft.
    becomes_draft: status !== 'partially_published',
  }))
  await sql`update post set
      status = case when becomes_draft then 'draft' else post.status end,
      scheduled_at = case when becomes_draft then null else post.scheduled_at end,
      counted_in = case when becomes_draft then null else post.counted_in end,
      review = 'pending', review_reason = null, review_scheduled_at = planned, review_missed_for = missed_for,
      review_missed_mail = false, updated_at = ${nextUpdatedAt(now)}
    from json_to_recordset(${JSON.stringify(changes)}::json) as listed (id uuid, planned timestamptz,
      missed_for timestamptz, becomes_draft boolean)
    where post.id = listed.id and workspace_id = ${workspace_id}`.execute(tx)
  return new Map((await readPosts(tx, ids)).map((post) => [post.id, post]))
}

/** The same for one post. */
export async function putInReview(
  tx: Tx,
  { id, workspace_id, status }: { id: string; workspace_id: string; status: string },
  { planned, ...how }: { planned: Date | null } & How,
) {
  const post = (await putEachInReview(tx, workspace_id, [{ id, status, planned }], how)).get(id)
  if (!post) throw notFound()
  return post
}

type PostRecord = Awaited<ReturnType<typeof readPosts>>[number]

type Announced = { caller: Member | null; now: Date; actor_id?: string | null }

/**
 * `caller`: null when no member asked, but a policy did. `actor_id`: the member because of whom it is asked, who is not
 * notified.
 */
export async function announceReviews(
  tx: Tx,
  workspace_id: string,
  posts: readonly PostRecord[],
  { caller, now, actor_id = actingUser(caller) }: Announced,
) {
  if (posts.length === 0) return
  const by = caller && doneBy(caller)
  await emitEach(
    tx,
    postEvents['post.review.requested'],
    workspace_id,
    posts.map((post) => ({ post, by })),
    now,
  )
  await auditEach(
    tx,
    caller ?? system(workspace_id),
    'post.review_requested',
    posts.map(({ id }) => ({ target_id: id })),
  )
  await notifyApprovers(tx, posts, { actor_id, now })
}

export const announceReview = (tx: Tx, post: PostRecord, caller: Member | null, now: Date) =>
  announceReviews(tx, post.workspace_id, [post], { caller, now })

/** Tells those who can approve posts that these wait for them. */
export const notifyApprovers = (
  tx: Tx,
  posts: readonly { id: string; workspace_id: string; content: string; version: number }[],
  { actor_id, now }: { actor_id: string | null; now: Date },
) =>
  notifyEach(
    tx,
    posts.map(({ id, workspace_id, content, version }) => ({
      ...{ kind: 'review.requested', workspace_id, subject: { id, name: content }, actor_id, cause: String(version) },
      // Those of a workspace within an hour are shown as one.
      group: `${workspace_id}:${now.toISOString().slice(0, 13)}`,
    })),
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
 * whose decisions meet the policies as they are now stays approved. `actor_id`: the member who changed the policies, if
 * known.
 */
export async function askForApproval(
  tx: Tx,
  { id, workspace_id, actor_id = null }: { id: string; workspace_id: string; actor_id?: string | null },
  now: Date,
) {
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
  await announceReviews(tx, workspace_id, [post], { caller: null, now, actor_id })
  await updatePostQuota(tx, { workspace_id, before, time: null, now })
}
