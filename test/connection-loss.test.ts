import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, isUnreachable } from '../server/lib/db/database.ts'
import { createInvalidationBus } from '../server/lib/runtime/caches/invalidation-bus.ts'
import { testApp } from './app.ts'
import { cloneDatabase } from './database.ts'
import { expectStatus, withWorkspace } from './factories.ts'
import { postgresProxy } from './postgres-proxy.ts'
import { expectProblem } from './problem.ts'
import { holdTimers } from './timers.ts'
import { until } from './until.ts'

/** The time limit of a query. No other timer has this delay. */
const QUERY_MS = 12_345

test('a node whose connections stop responding without being closed serves requests again before their queries time out', async () => {
  const database = await cloneDatabase(inject('postgres'))
  onTestFinished(database.drop)
  const proxy = await postgresProxy(database.connection)
  onTestFinished(proxy.close)
  const t = await testApp({}, { beside: { database: { ...database, connection: proxy.connection } } })
  onTestFinished(t.close)
  const owner = await withWorkspace(t)
  const list = () => owner.get('/api/v1/posts')
  for (const response of await Promise.all(Array.from({ length: 24 }, list))) expectStatus(response, 200)

  // A query with the usual timeout on a connection that nobody watches.
  const unwatched = createDatabase(proxy.connection, 1)
  onTestFinished(unwatched.close)
  await sql`select`.execute(unwatched.db)
  proxy.freeze()
  let hasTimedOut = false
  const query = sql`select`.execute(unwatched.db).catch(() => {
    hasTimedOut = true
  })
  const responses = await Promise.all(Array.from({ length: 24 }, list))
  for (const { status } of responses) expect([200, 503]).toContain(status)
  expectStatus(await list(), 200)
  expect(hasTimedOut).toBe(false)
  unwatched.destroyOlderThan(performance.now())
  await query
})

test('a connection whose query times out is closed and never reused', async () => {
  const proxy = await postgresProxy(inject('postgres'))
  onTestFinished(proxy.close)
  const limit = holdTimers(QUERY_MS)
  const { db, close } = createDatabase({ ...proxy.connection, query_timeout: QUERY_MS }, 1)
  onTestFinished(close)
  const query = () => sql<{ one: number }>`select ${1}::int as one`.execute(db).then(({ rows }) => rows)
  await query()
  proxy.freeze()
  const failing = query().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  await until(() => expect(limit.count()).toBe(1))
  limit.expire()
  const error = await failing
  expect(isUnreachable(error)).toBe(true)
  expect(await query()).toEqual([{ one: 1 }])
})

test('a database that became read-only is unavailable: 503 for requests and /readyz, in two lines of the log', async () => {
  const lines: { level: number; msg: string; failures?: number }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const t = await testApp({}, { log })
  onTestFinished(t.close)
  const owner = await withWorkspace(t)
  const create = () => owner.post('/api/v1/posts', { content: 'x' })
  const { database } = t.database.connection
  const setReadOnly = async (value: 'on' | 'off') => {
    const client = new pg.Client(inject('postgres'))
    await client.connect()
    await client.query(`alter database ${database} set default_transaction_read_only = ${value}`)
    // A failover ends the connections of the former primary.
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
    await client.end()
  }
  await setReadOnly('on')
  for (let request = 0; request < 5; request++) expectProblem(await create(), 503, 'unavailable')
  const { detail } = expectProblem(await t.anyone.get('/readyz'), 503, 'unavailable')
  expect(detail).toContain('read-only')
  await setReadOnly('off')
  await until(async () => expectStatus(await create(), 201))
  expectStatus(await t.anyone.get('/readyz'), 200)
  await until(() => expect(lines.map(({ msg }) => msg)).toContain('the database works again'))
  const outage = lines.filter(({ msg }) => /^the database (works again|cannot be reached)$/.test(msg))
  expect(outage).toMatchObject([{ level: 50 }, { level: 30, failures: expect.any(Number) }])
  expect(lines.filter(({ msg }) => msg === 'request failed')).toEqual([])
})

test('a statement that PostgreSQL cancels because it took too long is a 503, and the call can be repeated with its key', async () => {
  const t = await testApp()
  onTestFinished(t.close)
  const owner = await withWorkspace(t)
  const create = () => owner.post('/api/v1/posts', { content: 'x' }, { 'idempotency-key': 'slow' })
  const other = new pg.Client(t.database.connection)
  await other.connect()
  onTestFinished(() => other.end())
  await other.query('begin')
  await other.query('lock table post in share mode')
  const waiting = create()
  // It ends a statement as `statement_timeout` does.
  const cancel = `select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => expect((await t.deps.pool.query(cancel)).rowCount).toBe(1))
  expectProblem(await waiting, 503, 'unavailable')
  await other.query('rollback')
  expectStatus(await create(), 201)
})

test('a LISTEN that is refused again and again, as a standby does, leaves no connection behind', async () => {
  const proxy = await postgresProxy(inject('postgres'), { refused: ['listen meydan'] })
  onTestFinished(proxy.close)
  const bus = createInvalidationBus(proxy.connection, pino({ level: 'silent' }))
  onTestFinished(bus.close)
  await until(() => expect(proxy.count().all).toBeGreaterThan(4))
  expect(proxy.count().open).toBeLessThanOrEqual(1)
})
