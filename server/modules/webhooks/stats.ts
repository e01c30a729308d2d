import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import type { Member } from '../../lib/access.ts'
import { findWebhook } from './deliveries.ts'
import type { periods, StatsQuery, WebhookStats } from './webhooks.schema.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Of each period, how many buckets of which length. The last is the one that is running. */
const shapes: Record<(typeof periods)[number], { count: number; length: number }> = {
  '24h': { count: 24, length: HOUR },
  '7d': { count: 7, length: DAY },
  '30d': { count: 30, length: DAY },
}
const COUNTED = 10_000
/** What an answer can hold. */
const MOST = 2_147_483_647

type Bucket = { at: Date; delivered: number; failed: number; duration_ms: number }

export async function readStats(
  { db, clock }: Deps,
  caller: Member,
  id: string,
  { period = '24h' }: Static<typeof StatsQuery>,
): Promise<Static<typeof WebhookStats>> {
  await findWebhook(db, caller, id)
  const { count, length } = shapes[period]
  const last = Math.floor(clock.now().getTime() / length) * length
  const first = last - (count - 1) * length
  // Hours and days of UTC alike are whole multiples of their length since 1970.
  const { rows: buckets } = await sql<Bucket>`
    select to_timestamp(start / 1000.0) as at, coalesce(sum(delivered), 0)::float8 as delivered,
      coalesce(sum(failed), 0)::float8 as failed, coalesce(sum(duration_ms), 0)::float8 as duration_ms
    from generate_series(${first}::bigint, ${last}::bigint, ${length}::bigint) as start
    left join webhook_stat on webhook_id = ${id} and hour >= to_timestamp(start / 1000.0)
      and hour < to_timestamp((start + ${length}::bigint) / 1000.0)
    group by start order by start`.execute(db)
  const { rows } = await sql<{ waiting: number; held: number; exhausted: number }>`
    select ${counted(id, 'waiting')} as waiting, ${counted(id, 'held')} as held, ${counted(id, 'failed')} as exhausted`.execute(
    db,
  )
  const total = (name: 'delivered' | 'failed' | 'duration_ms') => buckets.reduce((sum, bucket) => sum + bucket[name], 0)
  const attempts = total('delivered') + total('failed')
  const kept = (number: number) => Math.min(number, MOST)
  return {
    period,
    delivered: kept(total('delivered')),
    failed: kept(total('failed')),
    mean_duration_ms: attempts === 0 ? null : kept(Math.round(total('duration_ms') / attempts)),
    ...(rows[0] ?? { waiting: 0, held: 0, exhausted: 0 }),
    buckets: buckets.map(({ at, delivered, failed }) => ({ at, delivered: kept(delivered), failed: kept(failed) })),
  }
}

/** Counted up to a bound: to count a million takes longer than anybody waits for a page. */
const counted = (webhook_id: string, state: 'waiting' | 'held' | 'failed') => sql<number>`(
  select count(*)::int from (
    select from delivery where webhook_id = ${webhook_id} and state = ${sql.lit(state)} limit ${COUNTED}) as found)`
