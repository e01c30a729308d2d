import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../../../test/factories.ts'
import { holdTimers, stopPerformanceClock } from '../../../test/timers.ts'
import { until } from '../../../test/until.ts'
import { startWorker } from '../../worker.ts'
import { startDatabaseClock } from './clock.ts'

const HOUR_MS = 3600_000
/** Times of PostgreSQL have microseconds, which a Date leaves out. */
const ROUNDING_MS = 1
const SYNCHRONIZE_MS = 5000

const t = await testApp()
afterEach(() => vi.restoreAllMocks())

function setAhead(ms: number) {
  const { now } = Date
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ms)
}

const databaseTime = async () => {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(t.deps.db)
  return rows[0]?.now.getTime() ?? 0
}

const startClock = async (log = t.deps.log) => {
  const clock = await startDatabaseClock(t.deps.db, log)
  onTestFinished(() => clock.stop?.())
  return clock
}

test.each([HOUR_MS, -HOUR_MS])(
  'business time is the time of PostgreSQL on a machine that is %d ms ahead',
  async (ms) => {
    stopPerformanceClock()
    setAhead(ms)
    const earliest = await databaseTime()
    const clock = await startClock()
    const latest = await databaseTime()
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(earliest - ROUNDING_MS)
    expect(clock.now().getTime()).toBeLessThanOrEqual(latest + ROUNDING_MS)
  },
)

test('setting the clock of the machine does not change business time', async () => {
  const clock = await startClock()
  const advance = stopPerformanceClock()
  const before = clock.now().getTime()
  setAhead(-HOUR_MS)
  expect(clock.now().getTime()).toBe(before)
  setAhead(HOUR_MS)
  expect(clock.now().getTime()).toBe(before)
  advance(250)
  expect(clock.now().getTime()).toBe(before + 250)
})

test('a machine whose clock is wrong is reported once, and once more when it is right', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) })
  const comparisons = holdTimers(SYNCHRONIZE_MS)
  setAhead(HOUR_MS)
  await startClock(log)
  vi.restoreAllMocks()
  comparisons.expire()
  await until(() => expect(lines).toHaveLength(2))
  expect(lines[0]).toContain('differs from the clock of PostgreSQL')
  expect(lines[1]).toContain('agrees')
})

test('the job runners start again when the clock of the machine was set, because cron jobs wait by that clock', async () => {
  // One of them publishes, one takes the steps of agents, and one does all else.
  const pools = async () => {
    const { rows } =
      await sql`select from worker_node, unnest(worker_ids) as worker where worker like 'pool-%'`.execute(t.deps.db)
    return rows.length
  }
  const worker = await startWorker({ ...t.deps, timings: { ...t.deps.timings, heartbeat: 100 } }, { alone: false })
  onTestFinished(() => worker.stop())
  await until(async () => expect(await pools()).toBe(3))
  setAhead(HOUR_MS)
  await until(async () => expect(await pools()).toBe(6))
})

describe('a worker whose business time is an hour behind', () => {
  test('publishes a post when it is due by the time of PostgreSQL, in one run of its job', async () => {
    const slow = await testApp()
    onTestFinished(slow.close)
    const owner = await withWorkspace(slow)
    const account = await playgroundAccount(owner)
    slow.advance((await databaseTime()) - HOUR_MS - slow.clock.now().getTime())
    const scheduled_at = new Date((await databaseTime()) + 1000).toISOString()
    const { body: post } = expectStatus(
      await owner.post('/api/v1/posts', { content: 'x', account_ids: [account], scheduled_at }),
      201,
    )
    const worker = await startWorker(slow.deps, { alone: false })
    await until(async () => expect((await owner.get(`/api/v1/posts/${post.id}`)).body.status).toBe('published'))
    await worker.stop()
    const { body } = await owner.get(`/api/v1/posts/${post.id}`)
    expect(body.targets).toMatchObject([{ attempts: 1 }])
  })
})
