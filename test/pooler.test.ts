import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, inject, onTestFinished, test } from 'vitest'
import { readConfig } from '../server/config/config.ts'
import { inTransaction } from '../server/lib/db/database.ts'
import { addJob } from '../server/lib/runtime/jobs.ts'
import { holdInstallation } from '../server/modules/installation/hold.ts'
import { testApp } from './app.ts'
import { cloneDatabase, databaseUrl } from './database.ts'
import { expectStatus, signedIn, withWorkspace } from './factories.ts'
import { postgresProxy } from './postgres-proxy.ts'
import { until } from './until.ts'

/** The database behind two addresses. The pooled one refuses what PgBouncer in transaction mode does not support. */
async function behindPooler() {
  const database = await cloneDatabase(inject('postgres'))
  onTestFinished(database.drop)
  const direct = await postgresProxy(database.connection)
  const pooled = await postgresProxy(database.connection, {
    refused: ['listen ', 'LISTEN ', 'advisory_lock(', 'statement_timeout\0', 'idle_in_transaction_session_timeout\0'],
  })
  onTestFinished(() => {
    direct.close()
    pooled.close()
  })
  return { database: { ...database, connection: pooled.connection }, direct, pooled }
}

test('with DATABASE_DIRECT_URL, requests use the pooler, and migrations, messages and jobs PostgreSQL itself', async () => {
  const { database, direct, pooled } = await behindPooler()
  const lines: string[] = []
  const t = await testApp(
    { DATABASE_URL: databaseUrl(database.connection), DATABASE_DIRECT_URL: databaseUrl(direct.connection) },
    { beside: { database }, log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }) },
  )
  onTestFinished(t.close)
  await t.deps.invalidationBus.started
  const owner = await withWorkspace(t)
  const { all } = direct.count()
  await Promise.all(
    [1, 2, 3].map(() => owner.post('/api/v1/posts', { content: 'x' }).then((r) => expectStatus(r, 201))),
  )
  expect(direct.count().all).toBe(all)
  expect(pooled.count().all).toBeGreaterThan(2)
  await t.deps.workerDatabase.pool.query('select 1')
  expect(direct.count().all).toBe(all + 1)
  await until(() => expect(t.deps.invalidationBus.isConnected()).toBe(true))
  expect(lines.join()).toContain("set statement_timeout = '30s'")
})

test('behind a pooler, jobs that lock their session and releases use PostgreSQL itself', async () => {
  const { database, direct } = await behindPooler()
  const t = await testApp(
    { DATABASE_URL: databaseUrl(database.connection), DATABASE_DIRECT_URL: databaseUrl(direct.connection) },
    { beside: { database } },
  )
  onTestFinished(t.close)
  await inTransaction(t.deps.db, (tx) => addJob(tx, 'keep-webhook-history', {}))
  await t.runJobs()
  const { rows } = await sql`select last_error from graphile_worker._private_jobs where last_error is not null`.execute(
    t.deps.db,
  )
  expect(rows).toEqual([])
  await inTransaction(t.deps.db, (tx) => holdInstallation(tx, t.clock.now()))
  const boss = await signedIn(t, { instanceAdmin: true })
  const choices = { posts: 'publish', deliveries: 'send', mails: 'send' }
  expectStatus(await boss.post('/api/v1/admin/hold/release', choices), 200)
})

test('DATABASE_DIRECT_URL alone is refused', () => {
  expect(() => readConfig({ DATABASE_DIRECT_URL: 'postgres://a@b/c' })).toThrow(
    'DATABASE_DIRECT_URL requires DATABASE_URL',
  )
})
