import { sql } from 'kysely'
import { audit, auditEach } from '../../../lib/db/audit.ts'
import type { Tx } from '../../../lib/db/database.ts'
import { emitEach } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { actingUser } from '../../notifications/notify.ts'
import { announceReviews, putEachInReview } from '../approval/put-in-review.ts'
import { shownMedia } from '../record/post-media.ts'
import { assertFitsEvents, postEvents } from '../record/posts.events.ts'
import { enqueuePublishes } from '../record/publish-queue.ts'
import { reservePosts } from '../record/quota.ts'
import { readPosts } from '../record/select-posts.ts'
import { insertPosts, type ReadyPost } from './insert-posts.ts'

type Creation = { now: Date; entry?: Entry; details?: Record<string, unknown>; actor_id?: string | null }
type Entry = { action: string; target_id: string; details: Record<string, unknown> }

/**
 * Creates posts that were checked, with the statements of one: their rows, jobs and events, and the reviews that policies
 * ask for. `details`: of their audit entries. `entry`: one for all of them instead. `actor_id`: the member who caused the
 * job that calls this. Throws `limit_exceeded` for all when the plan has not enough left. Locks the usage of the workspace, so call it last before the commit.
 */
export async function createReadyPosts(
  tx: Tx,
  caller: Member,
  ready: readonly ReadyPost[],
  { now, entry, details, actor_id = actingUser(caller) }: Creation,
) {
  if (ready.length === 0) return []
  const { workspace_id } = caller
  const ids = await insertPosts(tx, caller, ready, now)
  const stored = new Map((await readPosts(tx, ids)).map((post) => [post.id, post]))
  const inserted = ready.flatMap(({ media, time }, index) => {
    const post = stored.get(ids[index] ?? '')
    return post ? [{ time, post: { ...post, media: shownMedia(media) } }] : []
  })
  for (const { post } of inserted) assertFitsEvents({ ...post, warnings: [] })

  const timed = inserted.flatMap(({ time, post: { id } }) => (time ? [{ id, status: 'scheduled', planned: time }] : []))
  const waiting = new Set(
    await unapproved(
      tx,
      workspace_id,
      timed.map(({ id }) => id),
    ),
  )
  const inReview = await putEachInReview(
    tx,
    workspace_id,
    timed.filter(({ id }) => waiting.has(id)),
    { now },
  )
  const posts = inserted.map(({ post }) => inReview.get(post.id) ?? post)
  const due = inserted.flatMap(({ time, post }) => (time && !waiting.has(post.id) ? [{ time, post }] : []))
  await enqueuePublishes(
    tx,
    due.flatMap(({ time, post }) =>
      (post.held ? [] : post.targets).map(({ id, account_id }) => ({ id, account_id, runAt: time })),
    ),
  )
  const by = doneBy(caller)
  await emitEach(
    tx,
    postEvents['post.created'],
    workspace_id,
    posts.map((post) => ({ post, by })),
    now,
  )
  if (entry) await audit(tx, caller, entry.action, entry.target_id, { ...entry.details, post_ids: ids })
  else
    await auditEach(
      tx,
      caller,
      'post.created',
      posts.map(({ id, status }) => ({ target_id: id, details: { status, ...details } })),
    )
  await announceReviews(
    tx,
    workspace_id,
    posts.filter(({ review }) => review === 'pending'),
    { caller, now, actor_id },
  )
  await reservePosts(tx, { workspace_id, times: due.map(({ time }) => time), now })
  return posts
}

/** The new posts among these that a policy holds until they are approved. Asks nothing more where there are no policies. */
async function unapproved(tx: Tx, workspace_id: string, ids: string[]) {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::uuid[]) as id
    where exists (select from approval_policy where workspace_id = ${workspace_id}) and not post_is_approved(id)`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}
