import { sql } from 'kysely'
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
  const slots = new Map([...slotsBetween(postingTimes, from, to)].map((slot) => [minuteOf(slot), slot]))
  const entries = posts
    .map((entry) => ({ ...entry, is_posting_time: slots.has(minuteOf(entry.time)) }))
    .filter(({ queued, is_posting_time }) => queued || is_posting_time)
  const taken = new Set(entries.map(({ time }) => minuteOf(time)))
  const free = [...slots].flatMap(([minute, time]) =>
    taken.has(minute) ? [] : [{ time, is_posting_time: true, queued: false, post: null }],
  )
  const next = await findSlot(db, { workspace_id, account_ids, now })
  return {
    data: [...entries, ...free].toSorted((a, b) => a.time.getTime() - b.time.getTime()),
    next_slot_at: next instanceof Date ? next : null,
  }
}
