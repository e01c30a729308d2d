import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import { arrayText, inTransaction } from '../../lib/database.ts'

const FLUSH_MS = 1000
const HOUR_MS = 3600_000

type Count = {
  webhook_id: string
  hour: number
  delivered: number
  failed: number
  duration_ms: number
  success: number
}

/**
 * What is counted of every attempt, kept in this process and added once a second: the counters by the hour, and when the
 * last success was.
 */
export function startTally({ workerDatabase, log }: Pick<Deps, 'workerDatabase' | 'log'>) {
  let counts = new Map<string, Count>()
  let last: Promise<void> = Promise.resolve()

  function add(webhook_id: string, at: Date, { ok, duration_ms }: { ok: boolean; duration_ms: number }) {
    const time = at.getTime()
    const hour = time - (time % HOUR_MS)
    const key = `${webhook_id} ${hour}`
    let count = counts.get(key)
    if (!count) {
      count = { webhook_id, hour, delivered: 0, failed: 0, duration_ms: 0, success: 0 }
      counts.set(key, count)
    }
    count.duration_ms += duration_ms
    if (ok) {
      count.delivered++
      count.success = Math.max(count.success, time)
    } else count.failed++
  }

  /** Adds up what could not be written with what came since. */
  function putBack(unwritten: Count[]) {
    for (const old of unwritten) {
      const key = `${old.webhook_id} ${old.hour}`
      const since = counts.get(key)
      counts.set(
        key,
        since
          ? {
              ...since,
              delivered: since.delivered + old.delivered,
              failed: since.failed + old.failed,
              duration_ms: since.duration_ms + old.duration_ms,
              success: Math.max(since.success, old.success),
            }
          : old,
      )
    }
  }

  async function write() {
    if (counts.size === 0) return
    const taken = [...counts.values()].sort((a, b) => (a.webhook_id < b.webhook_id ? -1 : 1))
    counts = new Map()
    try {
      await inTransaction(workerDatabase.db, (tx) => writeCounts(tx, taken))
    } catch (err) {
      putBack(taken)
      log.warn({ err }, 'counters of webhooks could not be written yet')
    }
  }
  const flush = () => {
    last = last.then(write)
    return last
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)

  return {
    add,
    stop: () => {
      clearInterval(timer)
      return flush()
    },
  }
}

const writeCounts = (tx: Parameters<Parameters<typeof inTransaction>[1]>[0], counts: Count[]) => {
  const list = (name: 'delivered' | 'failed' | 'duration_ms') => arrayText(counts.map((count) => count[name]))
  const time = (ms: number) => (ms === 0 ? null : new Date(ms).toISOString())
  // A success that came after the last failure, but from a node that had not heard of it, ends the run of failures.
  return sql`
    with counted as (
      select counted.* from unnest(${arrayText(counts.map((count) => count.webhook_id))}::uuid[],
        ${arrayText(counts.map(({ hour }) => time(hour)))}::timestamptz[], ${list('delivered')}::int[], ${list('failed')}::int[],
        ${list('duration_ms')}::bigint[], ${arrayText(counts.map(({ success }) => time(success)))}::timestamptz[]
      ) as counted (webhook_id, hour, delivered, failed, duration_ms, success)
      join webhook on webhook.id = counted.webhook_id order by webhook.id for key share of webhook
    ), added as (
      insert into webhook_stat (webhook_id, hour, delivered, failed, duration_ms)
      select webhook_id, hour, delivered, failed, duration_ms from counted
      on conflict (webhook_id, hour) do update set delivered = webhook_stat.delivered + excluded.delivered,
        failed = webhook_stat.failed + excluded.failed, duration_ms = webhook_stat.duration_ms + excluded.duration_ms
    ), latest as (
      select webhook_id, max(success) as success from counted where success is not null group by webhook_id
    ), locked as (
      select webhook_health.webhook_id, success, last_failure_at is not null and last_failure_at < success as recovered
      from webhook_health join latest using (webhook_id) order by webhook_id for no key update of webhook_health
    )
    update webhook_health set last_dispatched_at = greatest(last_dispatched_at, success),
      failure_count = case when recovered then 0 else failure_count end,
      first_failure_at = case when not recovered then first_failure_at end,
      exhausted = case when recovered then 0 else exhausted end,
      circuit_opened = case when recovered then 0 else circuit_opened end,
      circuit_until = case when not recovered then circuit_until end,
      warned = case when recovered then 0 else warned end
    from locked where webhook_health.webhook_id = locked.webhook_id`.execute(tx)
}
