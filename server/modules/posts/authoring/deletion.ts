import { type NotNull, sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import { invalidTransition } from '../../../errors.ts'
import { audit, auditEach } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit, emitEach } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { release } from '../../usage/quotas.ts'
import { excerpt } from '../record/excerpt.ts'
import { changedBy, lockPost, lockPosts } from '../record/lock-post.ts'
import { findMedia } from '../record/post-media.ts'
import { postEvents } from '../record/posts.events.ts'
import { postsPerMonth } from '../record/posts.meters.ts'
import { enqueuePublish, removePublishJobs } from '../record/publish-queue.ts'
import { endQueueHold } from '../record/queue-hold.ts'
import { quotaMonth, releasePosts, uncounted, updatePostQuota } from '../record/quota.ts'
import { readPost, readPosts } from '../record/select-posts.ts'
import { validateAndRead } from './create-and-change.ts'

/** Time in which a deleted post can be restored. */
const KEPT_MS = DAY
/** Rows erased per statement. */
const BATCH = 1000

const keptSince = (now: Date) => new Date(now.getTime() - KEPT_MS)

/** Deletes a post. It can be restored for a day. Published copies stay on the networks. */
export const deletePost = (deps: Deps, caller: Member, id: string) =>
  inTransaction(deps.db, (tx) => deletePosts(deps, tx, caller, [id]))

/** Deletes posts with the statements of one. Locks the usage of the workspace, so call it last before the commit. */
export async function deletePosts(
  { clock, lifecycle }: Pick<Deps, 'clock' | 'lifecycle'>,
  tx: Tx,
  caller: Member,
  ids: string[],
) {
  if (ids.length === 0) return
  const { workspace_id } = caller
  const now = clock.now()
  const before = await lockPosts(tx, caller, ids)
  if (before.some(({ status }) => status === 'publishing')) throw invalidTransition('publishing', 'delete a post')
  const posts = await readPosts(tx, ids)
  await removePublishJobs(tx, ids)
  // A post with published targets stays counted.
  await sql`update post set deleted_at = ${now},
      counted_in = case when status in ('scheduled', 'failed') then null else counted_in end
    where id = any(${ids}::uuid[])`.execute(tx)
  const restorable_until = new Date(now.getTime() + KEPT_MS)
  for (const { id, review } of before)
    if (review === 'pending')
      await lifecycle.onPostReviewed(tx, { post_id: id, review: 'expired', reason: 'post_deleted', now })
  await emitEach(
    tx,
    postEvents['post.deleted'],
    workspace_id,
    posts.map((post) => ({ post, deleted_at: now, restorable_until, by: doneBy(caller) })),
    now,
  )
  await auditEach(
    tx,
    caller,
    'post.deleted',
    before.map(({ id, status }) => ({ target_id: id, details: { status } })),
  )
  const released = before.filter(({ status }) => status === 'scheduled' || status === 'failed')
  await releasePosts(tx, workspace_id, released)
}

/** Lists deleted posts. Reads only the index, as `listPosts` does for time ranges. */
export const listDeletedPosts = (db: Db, { workspace_id }: Member, since?: string) =>
  db
    .selectFrom('post')
    .select(['post.id', 'post.status', 'post.author_id', 'post.deleted_at'])
    .select(excerpt)
    .where('post.deleted_at', 'is not', null)
    .$narrowType<{ deleted_at: NotNull }>()
    .where(
      sql<boolean>`post.id = any(array(
        select id from post where workspace_id = ${workspace_id} and deleted_at is not null
          and deleted_at >= ${since ? new Date(since) : '-infinity'}::timestamptz))`,
    )

/**
 * Restores a deleted post. If its time has passed it becomes a draft: nobody wants it published late. So does one whose
 * file was deleted meanwhile, and one of a recurring post that has, or will have, another post in its place.
 */
export const restorePost = ({ db, clock }: Deps, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { status, scheduled_at, deleted_at } = await lockPost(tx, caller, id, keptSince(now))
    if (!deleted_at) throw invalidTransition(status, 'restore a post that was not deleted')
    await tx.updateTable('post').set({ deleted_at: null }).where('id', '=', id).execute()
    await endQueueHold(tx, id)
    const { missing } = await findMedia(tx, caller.workspace_id, await readPost(tx, caller, id))
    const isReplaced = await hasLostOccurrence(tx, id)
    const isDue = status === 'scheduled' && scheduled_at !== null && scheduled_at > now && !isReplaced
    const time = isDue && missing.length === 0 ? scheduled_at : null
    const isMissed = status === 'scheduled' && !time
    // A failed post can be retried, so it counts as before.
    const counts = time ?? (status === 'failed' ? now : null)
    await tx
      .updateTable('post')
      .set({
        ...changedBy(caller, now),
        ...(isMissed && { status: 'draft', scheduled_at: null }),
        ...(isReplaced && { review_scheduled_at: null }),
        ...(counts && { counted_in: quotaMonth(uncounted, now) }),
      })
      .where('id', '=', id)
      .execute()
    const isChecked = isMissed && missing.length === 0
    const post = isChecked ? await validateAndRead(tx, caller.workspace_id, id) : await readPost(tx, caller, id)
    if (time && !post.held) for (const target of post.targets) await enqueuePublish(tx, target, time)
    await emit(
      tx,
      postEvents['post.updated'],
      caller.workspace_id,
      { post, change: 'restored', by: doneBy(caller) },
      now,
    )
    await audit(tx, caller, 'post.restored', id, { status: post.status })
    if (counts) await updatePostQuota(tx, { workspace_id: caller.workspace_id, before: uncounted, time: counts, now })
    return post
  })

/** Whether a post was created for an occurrence that is no longer its own: it is created again, or was. */
async function hasLostOccurrence(tx: Tx, id: string) {
  const row = await tx
    .selectFrom('post')
    .select('id')
    .where('id', '=', id)
    .where('recurring_post_id', 'is not', null)
    .where(sql<boolean>`not exists (select from post_occurrence where post_id = post.id)`)
    .executeTakeFirst()
  return row !== undefined
}

/** Time after a deletion in which calendar feeds show the post as canceled. Programs read some of them once a day. */
const CANCELED_MS = 7 * DAY

/**
 * Erases posts that can no longer be restored. Each row is checked again, as it may have been restored. Of those with a
 * time, what calendar feeds show as canceled is kept for some days.
 */
export async function eraseDeletedPosts({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const now = clock.now()
  const before = keptSince(now)
  const canceledSince = new Date(now.getTime() - CANCELED_MS)
  await db.deleteFrom('calendar_cancellation').where('deleted_at', '<', canceledSince).execute()
  for (;;) {
    const { rows } = await sql<{ count: number }>`
      with erased as (
        delete from post where deleted_at < ${before}
          and id = any(array(select id from post where deleted_at < ${before} limit ${BATCH}))
        returning id, workspace_id, labels, review_scheduled_at, coalesce(review_scheduled_at, scheduled_at) as time,
          version, deleted_at
      ), kept as (
        insert into calendar_cancellation
          (post_id, workspace_id, account_ids, labels, was_approved, time, version, deleted_at)
        select id, workspace_id, array(select account_id from post_target where post_id = erased.id order by account_id),
          labels, review_scheduled_at is null, time, version, deleted_at
        from erased where time is not null and deleted_at >= ${canceledSince}
        on conflict do nothing
      )
      select count(*)::int as count from erased`.execute(db)
    if ((rows[0]?.count ?? 0) < BATCH) return
  }
}

/** Turns scheduled posts of a workspace into drafts, and frees their quota until they are scheduled again. */
export async function unschedulePosts(tx: Tx, workspace_id: string, now: Date) {
  const { rows } = await sql<{ month: string | null; posts: number }>`
    with unscheduled as (
      update post set status = 'draft', scheduled_at = null, counted_in = null,
        updated_at = ${nextUpdatedAt(now)}
      where workspace_id = ${workspace_id} and status = 'scheduled' and deleted_at is null
      returning old.counted_in
    ) select counted_in::text as month, count(*)::int as posts from unscheduled group by 1 order by 1`.execute(tx)
  return {
    details: { unscheduled_posts: rows.reduce((sum, { posts }) => sum + posts, 0) },
    finish: async () => {
      for (const { month, posts } of rows)
        if (month !== null) await release(tx, postsPerMonth, { workspace_id, amount: posts, month })
    },
  }
}

export const erasePosts = (tx: Tx, workspace_id: string) =>
  tx.deleteFrom('post').where('workspace_id', '=', workspace_id).execute()
