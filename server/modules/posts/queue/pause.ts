import { sql } from 'kysely'
import { problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
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
import { holdPosts } from '../publishing/held/late-posts.ts'
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

type Workspace = Pick<Member, 'workspace_id'>

/** Locks the posts that wait for a queue, in their order. */
async function lockWaiting(tx: Tx, workspace: Workspace, account_id: string) {
  const rows = await selectWaiting(tx, workspace, account_id)
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
async function takenMinutes(tx: Tx, { workspace_id }: Workspace, posts: readonly Waiting[], now: Date) {
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

type Timed = { id: string; time: Date; is_moved: boolean }

const refusals = {
  no_posting_times: 'A waiting post needs another time. Set posting times for the account, or give the post a time.',
  queue_full: 'No posting time is free within a year for a post that waits.',
}
type Refusal = keyof typeof refusals

type TimesOf = (post: Waiting) => WeeklyTimes | undefined

/**
 * The times of posts that waited, which are in their order. A post keeps its time if that is to come and behind the post
 * before. Otherwise it gets the next slot that is free on all its accounts. `refused`: those for which there is none.
 */
function timesAfterPause(posts: readonly Waiting[], weekly: TimesOf, taken: Set<string>, now: Date) {
  let last = now.getTime()
  const timed: Timed[] = []
  const refused: { id: string; code: Refusal }[] = []
  for (const post of posts) {
    const time = post.time.getTime() > last ? post.time : nextFree(post, weekly(post), taken, last)
    if (typeof time === 'string') {
      refused.push({ id: post.id, code: time })
      continue
    }
    last = time.getTime()
    for (const account_id of post.account_ids) taken.add(placeOf(account_id, time))
    timed.push({ id: post.id, time, is_moved: time !== post.time })
  }
  return { timed, refused }
}

function nextFree(
  { account_ids }: Waiting,
  times: WeeklyTimes | undefined,
  taken: Set<string>,
  after: number,
): Date | Refusal {
  if (!times) return 'no_posting_times'
  for (const slot of slotsBetween(times, new Date(after + 1), new Date(after + QUEUE_HORIZON_MS)))
    if (!account_ids.some((account_id) => taken.has(placeOf(account_id, slot)))) return slot
  return 'queue_full'
}

/** The posting times of the first account of a post, or those of the queue if that has none. */
async function readTimes(
  tx: Tx,
  workspace: Workspace,
  posts: readonly Waiting[],
  account_id: string,
): Promise<TimesOf> {
  const known = new Map<string, WeeklyTimes>()
  for (const id of new Set([account_id, ...posts.flatMap(({ account_ids }) => account_ids.slice(0, 1))])) {
    const found = await findPostingTimes(tx, workspace, id)
    if (found && found.times.length > 0) known.set(id, found)
  }
  return ({ account_ids: [first = account_id] }) => known.get(first) ?? known.get(account_id)
}

/** Ends the pause of a queue: its posts are scheduled in their order, for their times or later ones. */
export const resumeQueue = (deps: Deps, caller: Member, account_id: string) =>
  inTransaction(deps.db, async (tx) => {
    await readAccount(tx, caller, account_id)
    const ended = await endPause(tx, caller, account_id)
    const now = deps.clock.now()
    if (ended) {
      const { timed, refused } = await findTimes(tx, caller, { account_id, posts: ended, now })
      const [first] = refused
      if (first) throw problem(first.code, { detail: refusals[first.code] })
      await release(tx, { workspace_id: caller.workspace_id, caller, now }, timed)
      await announce(tx, caller, { account_id, paused: false, posts: ended.length, now })
    }
    return readQueue({ ...deps, db: tx }, caller, account_id)
  })

/**
 * Ends the pause of the queue of an account that will be removed, so that no post waits for it. Those that have other
 * accounts go on as when it is resumed, and are held as late if no slot is free. The others fail at their times.
 */
export async function endPauseOfRemoved(
  tx: Tx,
  {
    workspace_id,
    account_id,
    caller,
    now,
  }: { workspace_id: string; account_id: string; caller: Member | null; now: Date },
) {
  const ended = await endPause(tx, { workspace_id }, account_id)
  if (!ended) return
  const kept = await keptAmong(tx, accountsOf(ended), account_id)
  const hasOthers = ({ account_ids }: Waiting) => account_ids.some((id) => kept.has(id))
  const going = ended.filter(hasOthers)
  const { timed, refused } = await findTimes(tx, { workspace_id }, { account_id, posts: going, now })
  const alone = ended.flatMap((post) => (hasOthers(post) ? [] : [{ id: post.id, time: post.time, is_moved: false }]))
  await release(tx, { workspace_id, caller, now }, [...timed, ...alone])
  const late = refused.map(({ id }) => id)
  await holdPosts(tx, workspace_id, late, now)
}

/** Marks a queue as not paused. Returns the posts that wait for no other queue; undefined if it was not paused. */
async function endPause(tx: Tx, workspace: Workspace, account_id: string) {
  const accounts = await selectWaiting(tx, workspace, account_id)
    .innerJoin('post_target', 'post_target.post_id', 'post.id')
    .select('post_target.account_id')
    .distinct()
    .execute()
  await lockQueues(tx, [...new Set([account_id, ...accounts.map((account) => account.account_id)])])
  // Posts are locked before their account, as everywhere.
  await lockWaiting(tx, workspace, account_id)
  if (!(await markQueue(tx, workspace, account_id, { paused_at: null }))) return
  // With those that were scheduled until the account was locked.
  const waiting = await lockWaiting(tx, workspace, account_id)
  const paused = await pausedAmong(tx, accountsOf(waiting))
  return waiting.filter(({ account_ids }) => !account_ids.some((id) => paused.has(id)))
}

/** Of the accounts, those that are not removed when this one is. */
async function keptAmong(tx: Tx, account_ids: string[], removed: string) {
  const rows = await tx
    .selectFrom('account')
    .select('id')
    .where(sql<boolean>`id = any(${account_ids}::uuid[])`)
    .where('id', '<>', removed)
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

async function findTimes(
  tx: Tx,
  workspace: Workspace,
  { account_id, posts, now }: { account_id: string; posts: readonly Waiting[]; now: Date },
) {
  const weekly = await readTimes(tx, workspace, posts, account_id)
  return timesAfterPause(posts, weekly, await takenMinutes(tx, workspace, posts, now), now)
}

type Release = { workspace_id: string; caller: Member | null; now: Date }

async function release(tx: Tx, { workspace_id, caller, now }: Release, timed: readonly Timed[]) {
  if (timed.length === 0) return
  const ids = timed.map(({ id }) => id)
  const moved = timed.filter(({ is_moved }) => is_moved)
  const changes = caller ? changedBy(caller, now) : { updated_at: nextUpdatedAt(now) }
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
  const by = caller && doneBy(caller)
  const released = scheduled.map(({ post }) => ({ post, change: 'released' as const, by }))
  await emitEach(tx, postEvents['post.updated'], workspace_id, released, now)
}
