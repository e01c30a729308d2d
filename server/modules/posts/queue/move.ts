import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { lockQueues } from '../posting-times/lock.ts'
import { readPostingTimes } from '../posting-times/posting-times.ts'
import { changedBy } from '../record/lock-post.ts'
import { postEvents } from '../record/posts.events.ts'
import { enqueuePublish } from '../record/publish-queue.ts'
import { readPost } from '../record/select-posts.ts'
import type { MoveInQueue } from './queue.schema.ts'
import { readQueue } from './queue.ts'

/** Maximum number of posts whose time one call changes. */
const MAX_CHANGED = 200

/**
 * Locks the posts of a queue that are not due yet, and of a paused one also those whose slots have passed. A post that
 * waits for another queue keeps a time that has passed: one that took it would be published at once.
 */
async function lockQueued(tx: Tx, account_id: string, now: Date) {
  const rows = await tx
    .selectFrom('post')
    .innerJoin('post_target', 'post_target.post_id', 'post.id')
    .select(['post.id', 'post.scheduled_at as time'])
    .where('post_target.account_id', '=', account_id)
    .where('post.status', '=', 'scheduled')
    .where(
      sql<boolean>`(post.scheduled_at > ${now} or post.held = 'queue_paused' and exists (
        select from account where account.id = ${account_id} and queue_paused_at is not null))`,
    )
    .where('post.deleted_at', 'is', null)
    .whereRef('post.queued_for', '=', 'post.scheduled_at')
    .orderBy('post.id')
    .forUpdate('post')
    .execute()
  return rows
    .flatMap(({ id, time }) => (time ? [{ id, time }] : []))
    .toSorted((a, b) => a.time.getTime() - b.time.getTime() || a.id.localeCompare(b.id))
}

/** The account of a queue, and the others of its posts. Their queues are locked before its posts, as by all who lock both. */
async function accountsOfQueue(tx: Tx, { workspace_id }: Member, account_id: string, now: Date) {
  const { rows } = await sql<{ account_id: string }>`
    select distinct other.account_id
    from post join post_target as own on own.post_id = post.id and own.account_id = ${account_id}
    join post_target as other on other.post_id = post.id
    where post.workspace_id = ${workspace_id} and post.status = 'scheduled' and post.deleted_at is null
      and (scheduled_at > ${now} or held = 'queue_paused') and queued_for = scheduled_at`.execute(tx)
  return [...new Set([account_id, ...rows.map((row) => row.account_id)])]
}

/** The same for posts that were added until the queue was locked. */
async function lockOtherQueues(tx: Tx, account_id: string, post_ids: string[]) {
  const others = await tx
    .selectFrom('post_target')
    .select('account_id')
    .distinct()
    .where(sql<boolean>`post_id = any(${post_ids}::uuid[])`)
    .where('account_id', '<>', account_id)
    .execute()
  await lockQueues(
    tx,
    others.map((other) => other.account_id),
  )
}

/** Throws if one of these posts is now at the time of a further post on another of its accounts. */
async function assertFreeElsewhere(tx: Tx, account_id: string, post_ids: string[]) {
  const { rows } = await sql`
    select from post as moved
    join post_target as target on target.post_id = moved.id and target.account_id <> ${account_id}
    join post as other on other.workspace_id = moved.workspace_id and other.id <> moved.id and other.deleted_at is null
      and other.scheduled_at >= date_trunc('minute', moved.scheduled_at)
      and other.scheduled_at < date_trunc('minute', moved.scheduled_at) + interval '1 minute'
    join post_target as same on same.post_id = other.id and same.account_id = target.account_id
    where moved.id = any(${post_ids}::uuid[]) limit 1`.execute(tx)
  if (rows.length > 0)
    throw problem('slot_taken', { detail: 'A post would share its time with another one on its other accounts.' })
}

/** Moves a post within the queue of an account. The posts in between give their times to each other. */
export const moveInQueue = (deps: Deps, caller: Member, account_id: string, input: Static<typeof MoveInQueue>) =>
  inTransaction(deps.db, async (tx) => {
    await readPostingTimes(tx, caller, account_id)
    await lockQueues(tx, await accountsOfQueue(tx, caller, account_id, deps.clock.now()))
    const now = deps.clock.now()
    const queue = await lockQueued(tx, account_id, now)
    const [post_id, before] = [input.post_id.toLowerCase(), input.before?.toLowerCase()]
    const moved = queue.find(({ id }) => id === post_id)
    if (!moved) throw invalid('/post_id', 'This post is not in the queue of the account.')
    const others = queue.filter((post) => post !== moved)
    const place = before === undefined ? others.length : others.findIndex(({ id }) => id === before)
    if (place < 0) throw invalid('/before', 'This post is not another one in the queue of the account.')
    const changed = others.toSpliced(place, 0, moved).flatMap(({ id, time }, index) => {
      const scheduled_at = queue[index]?.time ?? time
      return scheduled_at.getTime() === time.getTime() ? [] : [{ id, scheduled_at }]
    })
    if (changed.length > MAX_CHANGED)
      throw invalid('/before', `A post moves over at most ${MAX_CHANGED - 1} others at a time.`)
    const ids = changed.map(({ id }) => id)
    await lockOtherQueues(tx, account_id, ids)
    for (const { id, scheduled_at } of changed) {
      await tx
        .updateTable('post')
        .set({ scheduled_at, queued_for: scheduled_at, ...changedBy(caller, now) })
        .where('id', '=', id)
        .execute()
      const post = await readPost(tx, caller, id)
      if (!post.held) for (const target of post.targets) await enqueuePublish(tx, target, scheduled_at)
      await emit(
        tx,
        postEvents['post.updated'],
        caller.workspace_id,
        { post, change: 'edited', by: doneBy(caller) },
        now,
      )
      await audit(tx, caller, 'post.updated', id, { fields: ['scheduled_at'] })
    }
    await assertFreeElsewhere(tx, account_id, ids)
    return readQueue({ ...deps, db: tx }, caller, account_id)
  })
