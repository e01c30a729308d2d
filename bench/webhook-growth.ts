import type { Deps } from '../server/lib/deps.ts'
import {
  beginLease,
  claim as claimDue,
  type EndpointQueue,
  findDueEndpoints,
  releaseClaims,
} from '../server/modules/webhooks/delivery/queue.ts'
import { atMost, type Bench, type Claim, compareWithBaseline, median } from './harness.ts'
import { runLongStatement, withDeps } from './meydan.ts'
import { createDatabase, startPostgres } from './processes.ts'
import { createWebhooks, ENDPOINTS, fillQueue } from './webhook-harness.ts'

const FEW = 10_000
const MANY = 1_000_000
const ATTEMPTS = 10_000_000
const DAYS = 10
/** One claim takes this many deliveries from each of this many endpoints. */
const CLAIMED_ENDPOINTS = 25
const CLAIMED_PER_ENDPOINT = 8
const CLAIMED = CLAIMED_ENDPOINTS * CLAIMED_PER_ENDPOINT

/**
 * Compares finding due endpoints and claiming their deliveries after growth, with a million deliveries queued and ten
 * million attempts recorded, with the same in a small database.
 */
export const claim: Claim = {
  name: 'webhook-growth',
  target: atMost(1.3),
  measure: async (bench) => {
    const large = await startPostgres()
    const small = await createDatabase(large, 'small')
    const scale = bench.quick ? 0.1 : 1
    return withDeps(small, (few) =>
      withDeps(large, async (many) => {
        await fill(few, FEW, 0, bench)
        await fill(many, MANY * scale, ATTEMPTS * scale, bench)
        return compareWithBaseline(bench, {
          unit: 'ms',
          rounds: 10,
          seconds: 2,
          value: claimTime(many),
          baseline: claimTime(few),
        })
      }),
    )
  },
}

async function fill(deps: Deps, deliveries: number, attempts: number, { log }: Bench) {
  const { pool } = deps
  const urls = Array.from({ length: ENDPOINTS }, (_, index) => `https://example.com/${index}`)
  const owners = await createWebhooks(deps, urls)
  const step = Math.min(deliveries, 100_000)
  for (let filled = step; filled <= deliveries; filled += step) {
    await fillQueue({ deps, owners }, step)
    log(`${filled} of ${deliveries} deliveries are queued`)
  }
  // Creates the partitions of past days too, as a node that ran on those days did.
  await pool.query(`select keep_partitions(now() - make_interval(days => $1), interval '30 days')`, [DAYS])
  const part = attempts / DAYS / 2
  for (let written = 0; written < attempts; written += part) {
    await runLongStatement(
      pool,
      `insert into attempt (webhook_id, delivery_id, n, event_id, type, trigger, at, ok, done, status, duration_ms, response)
      select webhook.id, uuidv7(age), 1, uuidv7(age), 'post.created', 'schedule', now() + age, true, true, 200, 20, 'ok'
      from webhook, generate_series(1, $1::int), make_interval(hours => -24 * $2::int) as age order by webhook.id`,
      [part / ENDPOINTS, Math.floor((written / attempts) * DAYS)],
    )
    log(`${written + part} of ${attempts} attempts are recorded`)
  }
  for (const table of ['delivery', 'event', 'attempt']) await runLongStatement(pool, `vacuum analyze ${table}`)
}

/**
 * Median milliseconds of a claim. Claimed deliveries go back to the end of the queue. Each search for due endpoints
 * continues from the one before, as the dispatcher does; the first of a round starts without one.
 */
const claimTime =
  ({ db, clock, timings }: Deps) =>
  async (seconds: number) => {
    const times: number[] = []
    let queues: EndpointQueue[] = []
    for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
      const now = new Date()
      const start = performance.now()
      queues = await findDueEndpoints(db, now, queues)
      const quotas = queues
        .slice(0, CLAIMED_ENDPOINTS)
        .map((queue) => ({ queue, max: CLAIMED_PER_ENDPOINT, isProbe: false }))
      const claimed = await claimDue(db, quotas, CLAIMED, beginLease({ clock, timings }))
      times.push(performance.now() - start)
      if (claimed.length !== CLAIMED) throw new Error(`claimed ${claimed.length} deliveries, expected ${CLAIMED}`)
      await releaseClaims(db, claimed, [], new Date())
    }
    return median(times)
  }
