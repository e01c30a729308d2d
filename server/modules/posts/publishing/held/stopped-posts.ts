import { sql } from 'kysely'
import { type Actor, audit } from '../../../../lib/db/audit.ts'
import { nextUpdatedAt, type Tx } from '../../../../lib/db/database.ts'
import type { PostHold } from '../../../../lib/db/database-types.ts'
import { emitEach } from '../../../../lib/events/emit.ts'
import { postEvents } from '../../record/posts.events.ts'
import { removePublishJobsOf } from '../../record/publish-queue.ts'
import { readPosts } from '../../record/select-posts.ts'
import { settlePost } from '../publish-outcome.ts'
import { isSent } from './sent-targets.ts'

const STOPPED = 'The agent that scheduled the post was stopped before this attempt. Retry to publish the post now.'

type Stopped = { workspace_id: string; ids: readonly string[]; actor: Actor; now: Date }

/**
 * Holds posts that nobody decided to publish. Of a post that is being published, what was not sent yet is not sent any
 * more: all of it is held, or its other accounts fail. An account on which it failed before is tried again with the others
 * when it is released. Returns how many posts are held.
 */
export async function holdStoppedPosts(tx: Tx, { workspace_id, ids, actor, now }: Stopped) {
  if (ids.length === 0) return 0
  // Every change of a target locks its post first, so each attempt has begun before this, or finds the post held.
  const posts = await tx
    .selectFrom('post')
    .select(['id', 'status'])
    .where('id', 'in', ids)
    .where('workspace_id', '=', workspace_id)
    .where('status', 'in', ['scheduled', 'publishing'])
    .where('review', '=', 'none')
    .where('deleted_at', 'is', null)
    .where('held', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  const unsent: string[] = []
  for (const { id, status } of posts) {
    if (status === 'scheduled' || (await recallPost(tx, id))) unsent.push(id)
    else {
      await failUnsent(tx, id)
      await settlePost(tx, { post_id: id, workspace_id }, now)
    }
  }
  const held = await holdPosts(tx, { workspace_id, ids: unsent, reason: 'agents_stopped', now })
  for (const { id, scheduled_at } of held)
    await audit(tx, actor, 'post.held', id, { reason: 'agents_stopped', scheduled_at })
  return held.length
}

/**
 * Holds posts of the queue of an account. One that is being published is held as well while nothing of it was sent, and
 * is finished otherwise. Returns how many posts are held.
 */
export async function holdQueuedPosts(
  tx: Tx,
  { workspace_id, account_id, now }: { workspace_id: string; account_id: string; now: Date },
) {
  const posts = await tx
    .selectFrom('post')
    .select(['id', 'status'])
    .where('workspace_id', '=', workspace_id)
    .where('status', 'in', ['scheduled', 'publishing'])
    .where('deleted_at', 'is', null)
    .where('held', 'is', null)
    .whereRef('queued_for', '=', 'scheduled_at')
    .where(
      sql<boolean>`exists (select from post_target where post_target.post_id = post.id and account_id = ${account_id})`,
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  const unsent: string[] = []
  for (const { id, status } of posts) if (status === 'scheduled' || (await recallPost(tx, id))) unsent.push(id)
  const held = await holdPosts(tx, { workspace_id, ids: unsent, reason: 'queue_paused', now })
  return held.length
}

const lockTargets = (tx: Tx, post_id: string) =>
  tx
    .selectFrom('post_target')
    .select(['id', 'status', isSent.as('is_sent')])
    .where('post_id', '=', post_id)
    .forUpdate()
    .execute()

/** Makes a post that is being published wait again. Returns false if something of it was sent, or soon will be. */
async function recallPost(tx: Tx, post_id: string) {
  const targets = await lockTargets(tx, post_id)
  if (targets.some(({ is_sent }) => is_sent)) return false
  await tx
    .updateTable('post_target')
    .set({ ...overtaken, status: 'pending', attempts: 0, error_code: null, error_message: null })
    .where('post_id', '=', post_id)
    .execute()
  return true
}

/** Fails the accounts on which nothing of a post was sent. One that failed before keeps its reason. */
async function failUnsent(tx: Tx, post_id: string) {
  const targets = await lockTargets(tx, post_id)
  const unsent = targets.filter(({ is_sent, status }) => !is_sent && status !== 'failed').map(({ id }) => id)
  if (unsent.length === 0) return
  await removePublishJobsOf(tx, unsent)
  await tx
    .updateTable('post_target')
    .set({ ...overtaken, status: 'failed', error_code: 'agents_stopped', error_message: STOPPED })
    .where('id', 'in', unsent)
    .execute()
}

/** The attempt that is under way finds that it was overtaken, and sends nothing. */
const overtaken = { attempt_id: null }

type Held = { workspace_id: string; ids: string[]; reason: PostHold; now: Date }

async function holdPosts(tx: Tx, { workspace_id, ids, reason, now }: Held) {
  if (ids.length === 0) return []
  const isOne = sql<boolean>`post_id = any(${ids}::uuid[])`
  const targets = await tx.selectFrom('post_target').select('id').where(isOne).execute()
  await removePublishJobsOf(
    tx,
    targets.map(({ id }) => id),
  )
  await tx
    .updateTable('post')
    .set({ status: 'scheduled', held: reason, updated_at: nextUpdatedAt(now) })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  const posts = await readPosts(tx, ids)
  await emitEach(
    tx,
    postEvents['post.held'],
    workspace_id,
    posts.map((post) => ({ post })),
    now,
  )
  return posts
}
