import { type NotNull, sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../../shared/time.ts'
import { invalid } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { selectSummaries } from '../lists/list.ts'
import { findSlot, minuteOf, postsAtTimes, type Span } from '../posting-times/next-slot.ts'
import { readPostingTimes } from '../posting-times/posting-times.ts'
import { slotsBetween } from '../posting-times/slots.ts'
import { MAX_DAYS, type QueueQuery } from './queue.schema.ts'

const DEFAULT_DAYS = 14
const MAX_POSTS = 2000

/** Whether a post has the time that the queue chose. */
const isQueued = sql<boolean>`coalesce(post.queued_for = post.scheduled_at, false)`

async function selectAtTimes(db: Db, span: Span) {
  const posts = await selectSummaries(db)
    .innerJoin(sql<{ id: string; time: Date }>`(${postsAtTimes(span)})`.as('at_times'), 'at_times.id', 'post.id')
    .select(['at_times.time', isQueued.as('queued')])
    .orderBy('at_times.time')
    .orderBy('post.id')
    .limit(MAX_POSTS)
    .execute()
  return posts.map(({ time, queued, ...post }) => ({ time, queued, post }))
}

/** Posts that wait because a queue is paused. The index `post_held` serves it. */
export const selectWaiting = (db: Db, { workspace_id }: { workspace_id: string }, account_id: string) =>
  db
    .selectFrom('post')
    .where('post.workspace_id', '=', workspace_id)
    .where('post.held', '=', 'queue_paused')
    .where('post.deleted_at', 'is', null)
    .where(
      sql<boolean>`exists (select from post_target where post_target.post_id = post.id and account_id = ${account_id})`,
    )

/** Those whose slots have passed. */
const selectMissed = (db: Db, caller: Member, account_id: string, now: Date) =>
  selectSummaries(db)
    .select('post.scheduled_at')
    .$narrowType<{ scheduled_at: NotNull }>()
    .where(
      'post.id',
      'in',
      selectWaiting(db, caller, account_id).select('post.id').where('post.scheduled_at', '<=', now),
    )
    .orderBy('post.scheduled_at')
    .orderBy('post.id')
    .limit(MAX_POSTS)
    .execute()

async function readPause(db: Db, caller: Member, account_id: string) {
  const { paused_at } = await db
    .selectFrom('account')
    .select('queue_paused_at as paused_at')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  const { waiting } = await selectWaiting(db, caller, account_id)
    .select(sql<number>`count(*)::int`.as('waiting'))
    .executeTakeFirstOrThrow()
  return { paused_at, waiting }
}

/** The slots of an account in a span, each with its post, and queued posts at other times. */
export async function readQueue(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Member,
  account_id: string,
  query: Static<typeof QueueQuery> = {},
) {
  const now = clock.now()
  const postingTimes = await readPostingTimes(db, caller, account_id)
  const start = query.from ? new Date(query.from) : now
  const to = query.to ? new Date(query.to) : new Date(start.getTime() + DEFAULT_DAYS * DAY)
  if (to.getTime() - start.getTime() > MAX_DAYS * DAY) throw invalid('/to', `The span is longer than ${MAX_DAYS} days.`)
  const from = start > now ? start : now
  const { workspace_id } = caller
  const account_ids = [account_id]
  const posts = await selectAtTimes(db, { workspace_id, account_ids, from, to })
  const pause = await readPause(db, caller, account_id)
  const missed = start <= now && pause.waiting > 0 ? await selectMissed(db, caller, account_id, now) : []
  const slots = new Map([...slotsBetween(postingTimes, from, to)].map((slot) => [minuteOf(slot), slot]))
  const entries = posts
    .map((entry) => ({ ...entry, is_posting_time: slots.has(minuteOf(entry.time)) }))
    .filter(({ queued, is_posting_time }) => queued || is_posting_time)
  const taken = new Set(entries.map(({ time }) => minuteOf(time)))
  const free = [...slots].flatMap(([minute, time]) =>
    taken.has(minute) ? [] : [{ time, is_posting_time: true, queued: false, post: null }],
  )
  const late = missed.map((post) => ({ time: post.scheduled_at, is_posting_time: false, queued: true, post }))
  const next = await findSlot(db, { workspace_id, account_ids, now })
  return {
    data: [...late, ...entries, ...free].toSorted((a, b) => a.time.getTime() - b.time.getTime()),
    next_slot_at: next instanceof Date ? next : null,
    ...pause,
  }
}
