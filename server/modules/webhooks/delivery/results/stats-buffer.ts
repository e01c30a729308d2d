import { sql } from 'kysely'
import { HOUR } from '../../../../../shared/time.ts'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import { rowsOf } from '../../../../lib/db/rows.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { resetFailuresIf } from '../circuit-breaker.ts'

const FLUSH_MS = 1000

/** The attempts of a webhook that began in one hour. */
type Count = {
  webhook_id: string
  hour: number
  delivered: number
  failed: number
  duration_ms: number
  /** When the last successful one began; 0 when there was none. */
  last_success: number
}

export type StatsBuffer = ReturnType<typeof startStatsBuffer>

/**
 * Counts every attempt in memory, and saves once a second: the statistics by the hour, and when the last success was.
 */
export function startStatsBuffer({ workerDatabase, outageLog }: Pick<Deps, 'workerDatabase' | 'outageLog'>) {
  let counts = new Map<string, Count>()
  let last: Promise<void> = Promise.resolve()

  function add(webhook_id: string, at: Date, { ok, duration_ms }: { ok: boolean; duration_ms: number }) {
    const time = at.getTime()
    const hour = time - (time % HOUR)
    const key = `${webhook_id} ${hour}`
    let count = counts.get(key)
    if (!count) {
      count = { webhook_id, hour, delivered: 0, failed: 0, duration_ms: 0, last_success: 0 }
      counts.set(key, count)
    }
    count.duration_ms += duration_ms
    if (ok) {
      count.delivered++
      count.last_success = Math.max(count.last_success, time)
    } else count.failed++
  }

  /** Adds counts that could not be saved to those that came in since. */
  function mergeBack(unsaved: Count[]) {
    for (const old of unsaved) {
      const key = `${old.webhook_id} ${old.hour}`
      const since = counts.get(key)
      counts.set(key, since ? sumOf(since, old) : old)
    }
  }

  async function save() {
    if (counts.size === 0) return
    const taken = [...counts.values()].sort((a, b) => (a.webhook_id < b.webhook_id ? -1 : 1))
    counts = new Map()
    try {
      await inTransaction(workerDatabase.db, (tx) => saveCounts(tx, taken))
    } catch (err) {
      mergeBack(taken)
      outageLog.report(err, 'webhook statistics could not be saved; retrying')
    }
  }
  const flush = () => {
    last = last.then(save)
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

const sumOf = (a: Count, b: Count) => ({
  ...a,
  delivered: a.delivered + b.delivered,
  failed: a.failed + b.failed,
  duration_ms: a.duration_ms + b.duration_ms,
  last_success: Math.max(a.last_success, b.last_success),
})

const countColumns = {
  webhook_id: 'uuid',
  hour: 'timestamptz',
  delivered: 'int',
  failed: 'int',
  duration_ms: 'bigint',
  last_success: 'timestamptz',
} as const

/**
 * `counted` locks the webhooks, so that none is deleted before its counts are added; `former` locks their health. A
 * success that is later than the last failure resets the failures: it comes from a node that did not know of them.
 */
const saveCounts = (tx: Tx, counts: Count[]) => {
  const rows = counts.map((count) => ({
    ...count,
    hour: new Date(count.hour),
    last_success: count.last_success === 0 ? null : new Date(count.last_success),
  }))
  const resets = resetFailuresIf(sql`recovered`).map(({ column, value }) => sql`${column} = ${value}`)
  return sql`
    with counted as (
      select count.* from ${rowsOf(rows, countColumns, 'count')}
      join webhook on webhook.id = count.webhook_id order by webhook.id for key share of webhook
    ), added as (
      insert into webhook_stat (webhook_id, hour, delivered, failed, duration_ms)
      select webhook_id, hour, delivered, failed, duration_ms from counted
      on conflict (webhook_id, hour) do update set delivered = webhook_stat.delivered + excluded.delivered,
        failed = webhook_stat.failed + excluded.failed, duration_ms = webhook_stat.duration_ms + excluded.duration_ms
    ), success as (
      select webhook_id, max(last_success) as at from counted where last_success is not null group by webhook_id
    ), former as (
      select webhook_id, success.at as last_success, last_failure_at is not null and last_failure_at < success.at as recovered
      from webhook_health join success using (webhook_id) order by webhook_id for no key update of webhook_health
    )
    update webhook_health as health
    set last_dispatched_at = greatest(last_dispatched_at, last_success), ${sql.join(resets)}
    from former where health.webhook_id = former.webhook_id`.execute(tx)
}
