import pg from 'pg'
import type { Deps } from '../server/deps.ts'
import type { ConnectionConfig } from '../server/lib/database.ts'
import { claim as claimDue, dueLanes, giveBack, type Lane } from '../server/modules/webhooks/lanes.ts'
import { type Bench, type Claim, median, sideBySide, startPostgres } from './harness.ts'
import { inMeydan } from './meydan.ts'
import { ENDPOINTS, fillQueue, subscribe } from './webhooks.ts'

const TIMES = 1.3
const FEW = 10_000
const MANY = 1_000_000
const ATTEMPTS = 10_000_000
const DAYS = 10
/** What is claimed at a time: full lanes. */
const LANES = 25
const LANE = 8

/** What a claim takes, with the look for what is due, when a million deliveries wait after ten million attempts. */
export const claim: Claim = {
  name: 'webhook-growth',
  wanted: `ratio ≤ ${TIMES.toFixed(2)}`,
  holds: ({ ratio }) => ratio <= TIMES,
  measure: async (bench) => {
    const { quick, say } = bench
    const large = await startPostgres()
    const small = { ...large, database: 'small' }
    await createDatabase(large, small.database)
    const scale = quick ? 0.1 : 1
    return inMeydan(small, (few) =>
      inMeydan(large, async (many) => {
        await fill(few, FEW, 0, bench)
        await fill(many, MANY * scale, ATTEMPTS * scale, bench)
        const measured = await sideBySide({
          rounds: quick ? 4 : 10,
          seconds: quick ? 1 : 2,
          value: claimTime(many),
          floor: claimTime(few),
          say,
        })
        return { ...measured, unit: 'ms' }
      }),
    )
  },
}

async function createDatabase(connection: ConnectionConfig, name: string) {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
}

async function fill(deps: Deps, waiting: number, attempts: number, { say }: Bench) {
  const { pool } = deps
  const urls = Array.from({ length: ENDPOINTS }, (_, index) => `https://example.com/${index}`)
  const owners = await subscribe(deps, urls)
  const step = Math.min(waiting, 100_000)
  for (let filled = step; filled <= waiting; filled += step) {
    await fillQueue({ deps, owners }, step)
    say(`${filled} of ${waiting} deliveries wait`)
  }
  // Of the days before as well, where a Meydan that ran then would have made their partitions.
  await pool.query(`select keep_partitions(now() - make_interval(days => $1), interval '30 days')`, [DAYS])
  const part = attempts / DAYS / 2
  for (let written = 0; written < attempts; written += part) {
    await pool.query(
      `insert into attempt (webhook_id, delivery_id, n, event_id, type, trigger, at, ok, done, status, duration_ms, response)
      select webhook.id, uuidv7(age), 1, uuidv7(age), 'post.created', 'schedule', now() + age, true, true, 200, 20, 'ok'
      from webhook, generate_series(1, $1::int), make_interval(hours => -24 * $2::int) as age order by webhook.id`,
      [part / ENDPOINTS, Math.floor((written / attempts) * DAYS)],
    )
    say(`${written + part} of ${attempts} attempts are kept`)
  }
  for (const table of ['delivery', 'event', 'attempt']) await pool.query(`vacuum analyze ${table}`)
}

/**
 * Milliseconds that it takes to claim; what was claimed goes to the end of the queue. Each look goes on from the one
 * before, as in lane-list.ts, and the first of a round from none.
 */
const claimTime =
  ({ db }: Deps) =>
  async (seconds: number) => {
    const times: number[] = []
    let lanes: Lane[] = []
    for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
      const now = new Date()
      const begun = performance.now()
      lanes = await dueLanes(db, now, lanes)
      const rooms = lanes.slice(0, LANES).map((lane) => ({ lane, room: LANE, isProbe: false }))
      const claimed = await claimDue(db, rooms, LANES * LANE, now)
      times.push(performance.now() - begun)
      if (claimed.length !== LANES * LANE) throw new Error(`only ${claimed.length} were claimed`)
      await giveBack(db, claimed, [], new Date())
    }
    return median(times)
  }
