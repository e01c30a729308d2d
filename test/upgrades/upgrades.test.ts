import pg from 'pg'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { migrate } from '../../server/lib/db/migrate.ts'
import { readLandedMigrations, readMigrations, readRepairs } from '../../server/lib/db/migrations.ts'
import { testApp } from '../app.ts'
import { cloneDatabase, emptyDatabase } from '../database.ts'
import { expectStatus, sessionCookie } from '../factories.ts'
import { EVERY_UPGRADE } from '../torture/settings.ts'
import { applyAsBefore, earlierSets, type MigrationSet } from './earlier-sets.ts'
import { fill, person } from './rows.ts'
import { schemaOf } from './schema.ts'

const sets = await earlierSets(await readLandedMigrations())
const last = sets.at(-1) ?? { commit: '', migrations: [] }
/** All sets: npm run torture -- upgrades */
const choose = (commits: string[]) => sets.filter(({ commit }) => EVERY_UPGRADE || commits.includes(commit))

let current: string[]
beforeAll(async () => {
  const fresh = await cloneDatabase(inject('postgres'))
  const client = await connect(fresh.connection)
  current = await schemaOf(client)
  await client.end()
  await fresh.drop()
})

async function connect(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  return client
}

/** A filled database of a set of migrations. */
async function databaseOf(set: MigrationSet | undefined) {
  const database = await emptyDatabase(inject('postgres'))
  const client = await connect(database.connection)
  onTestFinished(async () => {
    await client.end()
    await database.drop()
  })
  expect(set && (await applyAsBefore(client, set))).toBe(true)
  await fill(client)
  return { database, client }
}

/** Columns that migrations changed on purpose. */
const changed = ['features', 'payload', 'plan_code', 'published_parts', 'search_text', 'version']

type Rows = Record<string, Record<string, unknown>[]>

/** All rows by table. Deliveries got other ids. */
async function rowsOf(client: pg.Client): Promise<Rows> {
  const { rows: tables } = await client.query<{ name: string }>(`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition and relname not in ('migration', 'delivery')`)
  const rows: Rows = {}
  for (const { name } of tables) {
    const found = await client.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) - $1::text[] as row from "${name}" t`,
      [changed],
    )
    rows[name] = found.rows.map(({ row }) => row)
  }
  return rows
}

/** Expects that no row is gone and no value has changed. */
function expectKept(before: Rows, after: Rows) {
  for (const [table, rows] of Object.entries(before))
    expect([table, after[table]]).toEqual([
      table,
      expect.arrayContaining(rows.map((row) => expect.objectContaining(row))),
    ])
}

describe('the newest version', () => {
  // The first set; before migrations were renumbered, billing was edited, and sign-ins were renumbered.
  test.for(choose(['38cf7bc9', 'e84e7c92', 'a7a02896', 'b383c177']))(
    'starts on a filled database of $commit',
    async (set) => {
      const { database, client } = await databaseOf(set)
      const before = await rowsOf(client)
      await migrate(database.connection)
      expect(await schemaOf(client)).toEqual(current)
      expectKept(before, await rowsOf(client))
    },
  )

  // One fails at the renumbered migrations; the other ends without what was added to billing.
  test.for(choose(['e84e7c92', 'dd8fa9e1']))(
    'starts after a version without checksums has updated a filled database of $commit, or failed to',
    async (set) => {
      const { database, client } = await databaseOf(set)
      await applyAsBefore(client, last)
      const before = await rowsOf(client)
      await Promise.all([migrate(database.connection), migrate(database.connection)])
      expect(await schemaOf(client)).toEqual(current)
      expectKept(before, await rowsOf(client))
    },
  )

  test('lets people of an updated instance sign in and find their posts, and cancels the plan of a deleted workspace', async () => {
    const { database, client } = await databaseOf(sets.find(({ commit }) => commit === 'dd8fa9e1'))
    await migrate(database.connection)
    const t = await testApp({}, { beside: { database } })
    onTestFinished(t.close)
    const { headers } = expectStatus(await t.anyone.post('/api/auth/sign-in/email', person), 200)
    const owner = t.anyone.with({ cookie: sessionCookie(headers) })
    const posts = expectStatus(await owner.get('/api/v1/posts'), 200).body.data
    expect(posts).toMatchObject([{ content: 'İlk gönderi', status: 'published' }])
    expectStatus(await owner.call('DELETE', '/api/v1/workspace', { body: { name: 'Acme' } }), 204)
    await t.runJobs()
    const { rows } = await client.query('select cancel_at_period_end, is_canceled_with_workspace from subscription')
    expect(rows).toEqual([{ cancel_at_period_end: true, is_canceled_with_workspace: true }])
  })
})

describe('the earlier texts of migrations', () => {
  test('are all tried, and so are the former names', async () => {
    const { edited, renamed } = await readLandedMigrations()
    const names = new Set(sets.flatMap(({ migrations }) => migrations.map(({ name }) => name)))
    expect(Object.keys(renamed).filter((name) => !names.has(name))).toEqual([])
    const checksums = new Set(sets.flatMap(({ migrations }) => migrations.map(({ checksum }) => checksum)))
    expect(
      Object.values(edited)
        .flat()
        .filter((checksum) => !checksums.has(checksum)),
    ).toEqual([])
  })

  test('have a repair, unless only comments were edited', async () => {
    const { edited } = await readLandedMigrations()
    const repairs = await readRepairs()
    const withoutComments = (sql: string) => sql.replaceAll(/^ *--.*\n/gm, '')
    const differing = new Set<string>()
    for (const present of await readMigrations())
      for (const { migrations } of sets)
        for (const { sql, checksum } of migrations)
          if (edited[present.name]?.includes(checksum) && withoutComments(sql) !== withoutComments(present.sql))
            differing.add(present.name)
    expect([...repairs.keys()]).toEqual([...differing].sort())
  })
})
