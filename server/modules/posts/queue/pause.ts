import { sql } from 'kysely'
import { problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { emit, emitEach } from '../../../lib/events/emit.ts'
import type { Member } from '../../../lib/http/access.ts'
import { accountEvents } from '../../accounts/accounts.events.ts'
import { readAccount } from '../../accounts/accounts.ts'
import { markQueue } from '../../accounts/pauses.ts'
import { doneBy } from '../../auth/event-actor.ts'
import { lockQueues } from '../posting-times/lock.ts'
import { minuteOf, QUEUE_HORIZON_MS } from '../posting-times/next-slot.ts'
import { findPostingTimes } from '../posting-times/posting-times.ts'
import { slotsBetween, type WeeklyTimes } from '../posting-times/slots.ts'
import { holdQueuedPosts } from '../publishing/held/stopped-posts.ts'
import { changedBy } from '../record/lock-post.ts'
import { postEvents } from '../record/posts.events.ts'
import { enqueuePublishes } from '../record/publish-queue.ts'
import { readPosts } from '../record/select-posts.ts'
import { readQueue, selectWaiting } from './queue.ts'

/** Holds what the queue of an account would publish. Nothing of it is sent once this has committed. */
export const pauseQueue = (deps: Deps, caller: Member, account_id: string) =>
  inTransaction(deps.db, async (tx) => {
    await readAccount(tx, caller, account_id)
    await lockQueues(tx, [account_id])
    const now = deps.clock.now()
    const { workspace_id } = caller
    // Posts are locked before their account, as everywhere. Those that were scheduled in between are found again.
    const held = await holdQueuedPosts(tx, { workspace_id, account_id, now })
    if (await markQueue(tx, caller, account_id, { paused_at: now })) {
      const posts = held + (await holdQueuedPosts(tx, { workspace_id, account_id, now }))
      await announce(tx, caller, { account_id, paused: true, posts, now })
    }
    return readQueue({ ...deps, db: tx }, caller, account_id)
  })

async function announce(
  tx: Tx,
  caller: Member,
  { account_id, paused, posts, now }: { account_id: string; paused: boolean; posts: number; now: Date },
) {
  const type = paused ? accountEvents['account.queue_paused'] : accountEvents['account.queue_resumed']
  const account = await readAccount(tx, caller, account_id)
  await emit(tx, type, caller.workspace_id, { account, posts, by: doneBy(caller) }, now)
  await audit(tx, caller, paused ? 'account.queue_paused' : 'account.queue_resumed', account_id, { posts })
}

/** Locks the posts that wait for a queue, in their order. */
async function lockWaiting(tx: Tx, caller: Member, account_id: string) {
  const rows = await selectWaiting(tx, caller, account_id)
    .select(['post.id', 'post.scheduled_at as time'])
    .select(
      sql<string[]>`array(select account_id from post_target where post_id = post.id order by position)`.as(
        'account_ids',
      ),
    )
    .orderBy('post.id')
    .forUpdate('post')
    .execute()
  return rows
    .flatMap(({ time, ...post }) => (time ? [{ ...post, time }] : []))
    .toSorted((a, b) => a.time.getTime() - b.time.getTime() || a.id.localeCompare(b.id))
}
type Waiting = Awaited<ReturnType<typeof lockWaiting>>[number]

const accountsOf = (posts: readonly Waiting[]) => [...new Set(posts.flatMap(({ account_ids }) => account_ids))]

/** Of the accounts, those whose queues are paused. */
async function pausedAmong(tx: Tx, account_ids: string[]) {
  const rows = await tx
    .selectFrom('account')
    .select('id')
    .where(sql<boolean>`id = any(${account_ids}::uuid[])`)
    .where('queue_paused_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The minutes that other posts take on each of these accounts. */
async function takenMinutes(tx: Tx, { workspace_id }: Member, posts: readonly Waiting[], now: Date) {
  const { rows } = await sql<{ account_id: string; time: Date }>`
    select target.account_id, at_times.time from (
      select id, scheduled_at as time from post
      where workspace_id = ${workspace_id} and deleted_at is null and scheduled_at >= ${now}
      union all
      select id, review_scheduled_at from post
      where workspace_id = ${workspace_id} and deleted_at is null and review = 'pending' and review_scheduled_at >= ${now}
    ) as at_times
    join post_target as target on target.post_id = at_times.id
    where target.account_id = any(${accountsOf(posts)}::uuid[])
      and at_times.id <> all(${posts.map(({ id }) => id)}::uuid[])`.execute(tx)
  return new Set(rows.map(({ account_id, time }) => placeOf(account_id, time)))
}
const placeOf = (account_id: string, time: Date) => `${account_id} ${minuteOf(time)}`

type TimesOf = (post: Waiting) => WeeklyTimes | undefined

/**
 * The times of posts that waited, which are in their order. A post keeps its time if that is to come and behind the post
 * before. Otherwise it gets the next slot that is free on all its accounts.
 */
function timesAfterPause(posts: readonly Waiting[], timesOf: TimesOf, taken: Set<string>, now: Date) {
  let last = now.getTime()
  return posts.map((post) => {
    const time = post.time.getTime() > last ? post.time : nextFree(post, timesOf(post), taken, last)
    last = time.getTime()
    for (const account_id of post.account_ids) taken.add(placeOf(account_id, time))
    return { ...post, time, is_moved: time !== post.time }
  })
}

function nextFree({ account_ids }: Waiting, times: WeeklyTimes | undefined, taken: Set<string>, after: number) {
  if (!times)
    throw problem('no_posting_times', {
      detail: 'A waiting post needs another time. Set posting times for the account, or give the post a time.',
    })
  for (const slot of slotsBetween(times, new Date(after + 1), new Date(after + QUEUE_HORIZON_MS)))
    if (!account_ids.some((account_id) => taken.has(placeOf(account_id, slot)))) return slot
  throw problem('queue_full', { detail: 'No posting time is free within a year for a post that waits.' })
}

/** The posting times of the first account of a post, or those of the queue if that has none. */
async function readTimes(tx: Tx, caller: Member, posts: readonly Waiting[], account_id: string): Promise<TimesOf> {
  const known = new Map<string, WeeklyTimes>()
  for (const id of new Set([account_id, ...posts.flatMap(({ account_ids }) => account_ids.slice(0, 1))])) {
    const found = await findPostingTimes(tx, caller, id)
    if (found && found.times.length > 0) known.set(id, found)
  }
  return ({ account_ids: [first = account_id] }) => known.get(first) ?? known.get(account_id)
}

/** Ends the pause of a queue: its posts are scheduled in their order, for their times or later ones. */
export const resumeQueue = (deps: Deps, caller: Member, account_id: string) =>
  inTransaction(deps.db, async (tx) => {
    await readAccount(tx, caller, account_id)
    await lockQueues(tx, [account_id])
    await lockQueues(tx, accountsOf(await lockWaiting(tx, caller, account_id)))
    const now = deps.clock.now()
    if (await markQueue(tx, caller, account_id, { paused_at: null })) {
      // With those that were scheduled until the account was locked.
      const waiting = await lockWaiting(tx, caller, account_id)
      const paused = await pausedAmong(tx, accountsOf(waiting))
      const ended = waiting.filter(({ account_ids }) => !account_ids.some((id) => paused.has(id)))
      await schedule(tx, caller, { account_id, posts: ended, now })
      await announce(tx, caller, { account_id, paused: false, posts: ended.length, now })
    }
    return readQueue({ ...deps, db: tx }, caller, account_id)
  })

async function schedule(
  tx: Tx,
  caller: Member,
  { account_id, posts, now }: { account_id: string; posts: readonly Waiting[]; now: Date },
) {
  if (posts.length === 0) return
  const timesOf = await readTimes(tx, caller, posts, account_id)
  const timed = timesAfterPause(posts, timesOf, await takenMinutes(tx, caller, posts, now), now)
  const ids = timed.map(({ id }) => id)
  const moved = timed.filter(({ is_moved }) => is_moved)
  const changes = changedBy(caller, now)
  await sql`
    update post set scheduled_at = moved.time, queued_for = moved.time
    from unnest(${moved.map(({ id }) => id)}::uuid[], ${moved.map(({ time }) => time)}::timestamptz[]) as moved (id, time)
    where post.id = moved.id`.execute(tx)
  await tx
    .updateTable('post')
    .set({ held: null, ...changes })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  const read = new Map((await readPosts(tx, ids)).map((post) => [post.id, post]))
  const scheduled = timed.flatMap(({ id, time }) => {
    const post = read.get(id)
    return post ? [{ post, time }] : []
  })
  await enqueuePublishes(
    tx,
    scheduled.flatMap(({ post, time }) => post.targets.map(({ id, account_id }) => ({ id, account_id, runAt: time }))),
  )
  const by = doneBy(caller)
  const released = scheduled.map(({ post }) => ({ post, change: 'released' as const, by }))
  await emitEach(tx, postEvents['post.updated'], caller.workspace_id, released, now)
}
