import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { emptyDatabase } from '../../../test/database.ts'
import { until } from '../../../test/until.ts'
import { createDatabase, type Database, inTransaction } from './database.ts'

let server: Awaited<ReturnType<typeof emptyDatabase>>
let database: Database
let begun = performance.now()
let passed = 0

beforeAll(async () => {
  server = await emptyDatabase(inject('postgres'))
  vi.spyOn(performance, 'now').mockImplementation(() => begun + passed)
  const first = createDatabase(server.connection, 1)
  await first.pool.query('create table item (id int primary key, owner int, rest text)')
  // Autovacuum would have statements planned again, whenever it comes by.
  await first.pool.query('alter table item set (autovacuum_enabled = false)')
  await first.pool.query('create index item_owner on item (owner, id)')
  await first.pool.query("insert into item select n, 1, 'x' from generate_series(1, 100) as n")
  await first.close()
  return () => server.drop()
})
beforeEach(() => {
  begun += passed + 1
  passed = 0
  database = createDatabase(server.connection, 1)
  return database.close
})

const text = `select * from item where id = any(array(
  select id from item where (owner, id) > ($1::int, $2::int) order by owner, id limit 26))`
const list = () => database.pool.query(text, [1, 0])
/** The prepared statements with this text, which the connection still has. */
const prepared = async () =>
  (await database.pool.query('select name from pg_prepared_statements where statement = $1', [text])).rows.map(
    ({ name }) => name as string,
  )

async function buffers() {
  const [name] = await prepared()
  const { rows } = await database.pool.query(`explain (analyze, buffers, format json) execute "${name}"(1, 0)`)
  return rows[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks'] as number
}

test('a statement keeps its plan until it is twice as old, and then replaces it', async () => {
  const names: string[][] = []
  for (const time of [0, 900, 1100, 1900, 2300, 4000, 4700]) {
    passed = time
    await list()
    names.push(await prepared())
  }
  expect(names.every((found) => found.length === 1)).toBe(true)
  const changes = names.map(([name], index) => index > 0 && name !== names[index - 1]?.[0])
  expect(changes).toEqual([false, false, true, false, true, false, true])
})

test('a list that was read from a small table does not read the whole table after it grew', async () => {
  // PostgreSQL also replaces a plan when changes in other databases overflow its queue of invalidations.
  await until(async () => {
    await database.pool.query('truncate item')
    await database.pool.query("insert into item select n, 1, repeat('x', 100) from generate_series(1, 100) as n")
    await database.pool.query('analyze item')
    passed += 100_000
    for (let n = 0; n < 12; n++) await list()
    await database.pool.query("insert into item select n, 1, repeat('x', 100) from generate_series(101, 20000) as n")
    expect(await buffers()).toBeGreaterThan(300)
  })
  passed *= 3
  for (let n = 0; n < 12; n++) await list()
  expect(await buffers()).toBeLessThan(100)
})

test('queries that were sent together all succeed while their statement is prepared again', async () => {
  const client = await database.pool.connect()
  await client.query(text, [1, 0])
  passed = 1_000_000
  const results = await Promise.all([0, 1, 2].map(() => client.query(text, [1, 0])))
  expect(results.map(({ rowCount }) => rowCount)).toEqual([26, 26, 26])
  passed = 4_000_000
  const inTransaction = [client.query('begin'), client.query(text, [1, 0]), client.query('commit')]
  expect((await Promise.all(inTransaction))[1]?.rowCount).toBe(26)
  client.release()
  expect(await prepared()).toHaveLength(1)
})

test('a running node survives a migration that adds a column, in each way in which it asks', async () => {
  await database.pool.query('create table growing (id int primary key)')
  await database.pool.query('insert into growing values (1)')
  const migration = createDatabase(server.connection, 1)
  const other = createDatabase(server.connection, 1)
  const select = sql<{ id: number }>`select * from growing where id = ${1}`
  const change = sql<{ id: number }>`update growing set id = id where id = ${1} returning *`
  type Ask = (from: Database) => Promise<{ id: number }[]>
  const asks: Ask[] = [
    async ({ pool }) => (await pool.query('select * from growing where id = $1', [1])).rows,
    async ({ db }) => (await select.execute(db)).rows,
    async ({ db }) => (await change.execute(db)).rows,
    ({ db }) => inTransaction(db, async (tx) => (await select.execute(tx)).rows),
    ({ db }) => inTransaction(db, async (tx) => [...(await change.execute(tx)).rows]),
  ]
  for (const [n, ask] of asks.entries()) {
    for (const from of [database, other]) expect(await ask(from)).toHaveLength(1)
    await migration.pool.query(`alter table growing add column added_${n} int`)
    for (const from of [database, other])
      expect(await ask(from)).toEqual([expect.objectContaining({ id: 1, [`added_${n}`]: null })])
  }
  await Promise.all([migration.close(), other.close()])
})

test('through PgBouncer, a statement keeps its plan', async () => {
  const pooled = createDatabase(server.connection, 1, { pooled: true })
  const names = new Set<string>()
  for (const time of [0, 10_000, 1_000_000]) {
    passed = time
    await pooled.pool.query(text, [1, 0])
    const { rows } = await pooled.pool.query('select name from pg_prepared_statements where statement = $1', [text])
    for (const { name } of rows) names.add(name)
  }
  await pooled.close()
  expect(names.size).toBe(1)
})
