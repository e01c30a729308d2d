import { hostname } from 'node:os'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createLog } from '../server/lib/runtime/logging/log.ts'
import { createTimings } from '../server/lib/runtime/timings.ts'
import { startWorker } from '../server/worker.ts'
import { type TestApp, testApp } from './app.ts'
import { cloneDatabase, databaseUrl } from './database.ts'
import { postgresProxy } from './postgres-proxy.ts'
import { freePort, kill, startMeydan } from './processes.ts'
import { until } from './until.ts'

async function countDueJobs({ deps }: TestApp) {
  const { rows } = await sql`select from graphile_worker._private_jobs where run_at <= now()`.execute(deps.db)
  return rows.length
}

test('a node with ROLE=worker serves /healthz and /readyz on HEALTH_PORT, and nothing else', async () => {
  const database = await cloneDatabase(inject('postgres'))
  onTestFinished(database.drop)
  const port = await freePort()
  const worker = await startMeydan({
    ROLE: 'worker',
    HEALTH_PORT: `${port}`,
    SECRET_KEY: 'a secret key for tests, long enough',
    DATABASE_URL: databaseUrl(database.connection),
  })
  onTestFinished(() => kill(worker, 'SIGTERM'))
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
  expect(await statusOf('/healthz')).toBe(200)
  expect(await statusOf('/readyz')).toBe(200)
  expect(await statusOf('/api/v1/me')).toBe(404)
})

test('a worker that starts logs no warning', async () => {
  const lines: { level: number; msg: string }[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const t = await testApp({}, { log })
  onTestFinished(t.close)
  const worker = await startWorker(t.deps, { alone: false })
  await worker.stop()
  expect(lines).toEqual([])
})

test('an outage of the database is a line of the worker when it begins and one when it ends', async () => {
  const lines: { level: number; msg: string; failures?: number }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const database = await cloneDatabase(inject('postgres'))
  onTestFinished(database.drop)
  const proxy = await postgresProxy(database.connection)
  onTestFinished(proxy.close)
  const t = await testApp({}, { log, beside: { database: { ...database, connection: proxy.connection } } })
  onTestFinished(t.close)
  const worker = await startWorker({ ...t.deps, timings: createTimings(50) }, { alone: true })
  onTestFinished(() => worker.stop())
  await t.deps.invalidationBus.started
  await until(async () => expect(await countDueJobs(t)).toBe(0))
  lines.length = 0
  proxy.down()
  const countTries = () => proxy.count().all
  const before = countTries()
  await until(() => expect(countTries()).toBeGreaterThan(before + 30))
  proxy.up()
  await until(() => expect(lines.map(({ msg }) => msg)).toContain('the database works again'))
  const { failures } = lines.find(({ msg }) => msg === 'the database works again') ?? {}
  expect(failures).toBeGreaterThan(3)
  const errors = lines.filter(({ level }) => level >= 50).map(({ msg }) => msg)
  expect(errors).toEqual(['the database cannot be reached'])
  expect(lines.filter(({ msg }) => msg.startsWith('the invalidation bus is disconnected'))).toHaveLength(1)
})

test('a worker whose first query for jobs fails runs jobs as soon as it succeeds', async () => {
  const database = await cloneDatabase(inject('postgres'))
  onTestFinished(database.drop)
  const refused = ['existing.identifier']
  const proxy = await postgresProxy(database.connection, { refused })
  onTestFinished(proxy.close)
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const t = await testApp({}, { log, beside: { database: { ...database, connection: proxy.connection } } })
  onTestFinished(t.close)
  const worker = await startWorker(t.deps, { alone: true })
  onTestFinished(() => worker.stop())
  await until(() => expect(lines.join()).toContain('Error occurred fetching jobs'))
  refused.length = 0
  await until(async () => expect(await countDueJobs(t)).toBe(0))
})

test('each line of the log has the name of its node', () => {
  expect(createLog({ LOG_LEVEL: 'info', NODE_NAME: 'api-1' }).bindings()).toEqual({ node: 'api-1' })
  expect(createLog({ LOG_LEVEL: 'info' }).bindings()).toEqual({ node: hostname() })
})
