import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, isUnreachable } from '../server/lib/db/database.ts'
import { testApp } from './app.ts'
import { cloneDatabase } from './database.ts'
import { expectStatus, withWorkspace } from './factories.ts'
import { postgresProxy } from './postgres-proxy.ts'

test('a node whose connections stop responding without being closed serves requests again within ten seconds', async () => {
  const database = await cloneDatabase(inject('postgres'))
  onTestFinished(database.drop)
  const proxy = await postgresProxy(database.connection)
  onTestFinished(proxy.close)
  const t = await testApp({}, { beside: { database: { ...database, connection: proxy.connection } } })
  onTestFinished(t.close)
  const owner = await withWorkspace(t)
  const list = () => owner.get('/api/v1/posts')
  for (const answer of await Promise.all(Array.from({ length: 24 }, list))) expectStatus(answer, 200)

  proxy.freeze()
  const frozenAt = performance.now()
  const answers = await Promise.all(Array.from({ length: 24 }, list))
  for (const { status } of answers) expect([200, 503]).toContain(status)
  expectStatus(await list(), 200)
  expect(performance.now() - frozenAt).toBeLessThan(10_000)
}, 60_000)

test('a connection whose query times out is closed and never reused', async () => {
  const proxy = await postgresProxy(inject('postgres'))
  onTestFinished(proxy.close)
  const { db, close } = createDatabase({ ...proxy.connection, query_timeout: 500 }, 1)
  onTestFinished(close)
  const query = () => sql<{ one: number }>`select ${1}::int as one`.execute(db).then(({ rows }) => rows)
  await query()
  proxy.freeze()
  const error = await query().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(isUnreachable(error)).toBe(true)
  expect(await query()).toEqual([{ one: 1 }])
})
