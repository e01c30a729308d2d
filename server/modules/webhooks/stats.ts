import { sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY, HOUR } from '../../../shared/time.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { findWebhook } from './delivery-log/deliveries.ts'
import type { periods, StatsQuery, WebhookStats } from './webhooks.schema.ts'

/** The number and length of the buckets of each period. The last bucket is the current one. */
const shapes: Record<(typeof periods)[number], { count: number; length: number }> = {
  '24h': { count: 24, length: HOUR },
  '7d': { count: 7, length: DAY },
  '30d': { count: 30, length: DAY },
}
const MAX_COUNTED = 10_000
/** The largest count that the response schema allows. */
const MAX_VALUE = 2_147_483_647

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
  // Hours and days of UTC begin at whole multiples of their length since 1970.
  const { rows: buckets } = await sql<Bucket>`
    select to_timestamp(start / 1000.0) as at, coalesce(sum(delivered), 0)::float8 as delivered,
      coalesce(sum(failed), 0)::float8 as failed, coalesce(sum(duration_ms), 0)::float8 as duration_ms
    from generate_series(${first}::bigint, ${last}::bigint, ${length}::bigint) as start
    left join webhook_stat on webhook_id = ${id} and hour >= to_timestamp(start / 1000.0)
      and hour < to_timestamp((start + ${length}::bigint) / 1000.0)
    group by start order by start`.execute(db)
  const { rows } = await sql<{ waiting: number; held: number; exhausted: number }>`
    select ${countUpTo(id, 'waiting')} as waiting, ${countUpTo(id, 'held')} as held, ${countUpTo(id, 'failed')} as exhausted`.execute(
    db,
  )
  const total = (name: 'delivered' | 'failed' | 'duration_ms') => buckets.reduce((sum, bucket) => sum + bucket[name], 0)
  const attempts = total('delivered') + total('failed')
  const capped = (number: number) => Math.min(number, MAX_VALUE)
  return {
    period,
    delivered: capped(total('delivered')),
    failed: capped(total('failed')),
    mean_duration_ms: attempts === 0 ? null : capped(Math.round(total('duration_ms') / attempts)),
    ...(rows[0] ?? { waiting: 0, held: 0, exhausted: 0 }),
    buckets: buckets.map(({ at, delivered, failed }) => ({ at, delivered: capped(delivered), failed: capped(failed) })),
  }
}

/** Counts deliveries up to a limit, because counting a million takes too long for a page. */
const countUpTo = (webhook_id: string, state: 'waiting' | 'held' | 'failed') => sql<number>`(
  select count(*)::int from (
    select from delivery where webhook_id = ${webhook_id} and state = ${sql.lit(state)} limit ${MAX_COUNTED}) as found)`
