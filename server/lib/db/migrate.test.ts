import { randomBytes } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { cloneDatabase } from '../../../test/database.ts'
import { until } from '../../../test/until.ts'
import { surviveBrokenConnections } from './database.ts'
import { locks } from './locks.ts'
import { isMigrated, migrate } from './migrate.ts'
import { migrationNames, readLandedMigrations, readMigration, readMigrations } from './migrations.ts'

let server: pg.Client
const made: string[] = []
beforeAll(async () => {
  server = new pg.Client(inject('postgres'))
  await server.connect()
})
afterAll(async () => {
  for (const name of made) await server.query(`drop database if exists ${name} with (force)`)
  await server.end()
})

async function emptyDatabase(options = '') {
  const database = `migrate_${randomBytes(5).toString('hex')}`
  await server.query(`create database ${database} ${options}`)
  made.push(database)
  return { ...inject('postgres'), database }
}

/** All migrations take over a second. */
const someMigrations = async () => (await migrationNames()).slice(0, 6)

describe('migrate', () => {
  test('several nodes that start at once run each migration once', async () => {
    const connection = await emptyDatabase()
    const said: string[] = []
    await Promise.all(Array.from({ length: 6 }, () => migrate(connection, (message) => said.push(message))))
    const migrated = said.filter((message) => message.startsWith('Migrating'))
    expect(migrated).toEqual((await migrationNames()).map((name) => `Migrating: ${name}`))
    const pool = new pg.Pool(connection)
    expect(await isMigrated(pool)).toBe(true)
    await pool.end()
  })

  test('running the migrations a second time changes nothing', async () => {
    const { connection, drop } = await cloneDatabase(inject('postgres'))
    onTestFinished(drop)
    const said: string[] = []
    await migrate(connection, (message) => said.push(message))
    expect(said).toEqual([])
  })

  test('migrations wait for the end of a backup', async () => {
    const connection = await emptyDatabase()
    const backup = new pg.Client(connection)
    await backup.connect()
    await backup.query('select pg_advisory_lock($1)', [locks.backup])
    const said: string[] = []
    const migrating = migrate(connection, (message) => said.push(message), await someMigrations())
    await until(async () => expect(said).toEqual(['Waiting for a backup of this database to end …']))
    expect((await backup.query(`select to_regclass('public."user"') as "user"`)).rows).toEqual([{ user: null }])
    await backup.end()
    await migrating
    expect(said.length).toBeGreaterThan(2)
  })

  /** A migrated database, and how its migrations are recorded. */
  async function migratedDatabase() {
    const { connection, drop } = await cloneDatabase(inject('postgres'))
    const pool = new pg.Pool(connection)
    // The database is dropped while the server still ends their sessions.
    surviveBrokenConnections(pool)
    onTestFinished(async () => {
      await pool.end()
      await drop()
    })
    const recorded = async () => (await pool.query('select name, checksum from migration order by name')).rows
    return { connection, pool, recorded }
  }

  /** A database that a newer Meydan has migrated. */
  async function migratedByNewer(contracts: boolean) {
    const { connection, pool } = await migratedDatabase()
    await pool.query("insert into migration (name, contracts) values ('9999_future.sql', $1)", [contracts])
    return { connection, pool }
  }

  test('a newer version that only added to the schema leaves this version running and able to start', async () => {
    const { connection, pool } = await migratedByNewer(false)
    expect(await isMigrated(pool)).toBe(true)
    await migrate(connection)
  })

  test('a newer version that removed something from the schema stops this version from starting', async () => {
    const { connection, pool } = await migratedByNewer(true)
    expect(await isMigrated(pool)).toBe(false)
    await expect(migrate(connection)).rejects.toThrow(
      /newer Meydan, .* \(9999_future\.sql\)\. Start the newer version, or restore the backup/,
    )
  })

  test('a migration that drops or renames something says that it does, so that former versions stop', async () => {
    // A function may drop what it made itself, such as a partition.
    const ownOf = (sql: string) => sql.replaceAll(/create (or replace )?function.*?\$\$.*?\$\$/gis, '')
    const unmarked = (await readMigrations())
      .filter(({ sql }) => /\b(drop (table|column|constraint|function|type|trigger)|rename)\b/i.test(ownOf(sql)))
      .filter(({ contracts }) => !contracts)
      .map(({ name }) => name)
    // Written before the rule.
    expect(unmarked).toEqual(['0007_access.sql', '0009_webhook_engine.sql'])
  })

  test('a migration has a number of its own', async () => {
    const numbers = (await migrationNames()).map((name) => name.slice(0, 4))
    expect(numbers).toEqual([...new Set(numbers)])
  })

  test('migrations that were recorded without a checksum get it', async () => {
    const { connection, pool, recorded } = await migratedDatabase()
    await pool.query('alter table migration drop column checksum')
    await migrate(connection)
    expect(await recorded()).toEqual((await readMigrations()).map(({ name, checksum }) => ({ name, checksum })))
  })

  test('a migration that was edited after it was applied stops the start, which names the file', async () => {
    const { connection, pool, recorded } = await migratedDatabase()
    await pool.query("update migration set checksum = repeat('0', 64) where name = '0108_checkout_reads.sql'")
    const before = await recorded()
    await expect(migrate(connection)).rejects.toThrow(
      'migrated with another text of migrations/0108_checkout_reads.sql. Restore the file',
    )
    expect(await recorded()).toEqual(before)
  })

  test('a known former text is accepted, and recorded as repaired', async () => {
    const { connection, pool, recorded } = await migratedDatabase()
    const before = await recorded()
    const { edited } = await readLandedMigrations()
    await pool.query("update migration set checksum = $1 where name = '0053_billing.sql'", [
      edited['0053_billing.sql']?.[0],
    ])
    await pool.query('drop index invoice_issued')
    const said: string[] = []
    await migrate(connection, (message) => said.push(message))
    expect(said).toEqual(['Repairing: 0053_billing.sql'])
    expect(await recorded()).toEqual(before)
    expect((await pool.query("select to_regclass('invoice_issued') as index")).rows).toEqual([
      { index: 'invoice_issued' },
    ])
  })

  test('a migration that was renamed after it was applied does not run again', async () => {
    const { connection, pool, recorded } = await migratedDatabase()
    const before = await recorded()
    await pool.query("update migration set name = '0099_reads.sql' where name = '0108_checkout_reads.sql'")
    const said: string[] = []
    await migrate(connection, (message) => said.push(message))
    expect(said).toEqual([])
    expect(await recorded()).toEqual(before)
  })

  test('line endings do not change the checksum of a migration', async () => {
    const folder = pathToFileURL(`${await mkdtemp(join(tmpdir(), 'migrations-'))}/`)
    const [text, windows] = ['0001_unix.sql', '0001_windows.sql']
    await writeFile(new URL(text, folder), '-- contract\ndrop table x;\n')
    await writeFile(new URL(windows, folder), '-- contract\r\ndrop table x;\r\n')
    const { name: _, ...expected } = await readMigration(text, folder)
    expect(await readMigration(windows, folder)).toEqual({ ...expected, name: windows })
  })

  test('a database whose migrations were recorded without their kind is brought up to date', async () => {
    const { connection, pool } = await migratedDatabase()
    await pool.query('alter table migration drop column contracts')
    await migrate(connection)
    expect(await isMigrated(pool)).toBe(true)
  })

  test('workspaces whose names look alike keep them, and only the oldest keeps others from taking it', async () => {
    const { connection, pool } = await migratedDatabase()
    const migration = '0015_workspace_name_skeleton.sql'
    await pool.query(`
      drop trigger workspace_name_skeleton on workspace; drop function set_name_skeleton;
      alter table workspace drop column name_skeleton; drop function name_skeleton;
      insert into workspace (name, slug) values ('Acme', 'one'), ('Αcme', 'two'), ('Ａｃｍｅ', 'three'), ('Other', 'four')`)
    await pool.query('delete from migration where name = $1', [migration])
    await migrate(connection)
    const { rows } = await pool.query('select name, name_skeleton from workspace order by id')
    expect(rows).toEqual([
      { name: 'Acme', name_skeleton: 'acme' },
      { name: 'Αcme', name_skeleton: null },
      { name: 'Ａｃｍｅ', name_skeleton: null },
      { name: 'Other', name_skeleton: 'other' },
    ])
    // A form that sends the unchanged name is not refused.
    await pool.query("update workspace set name = name where slug = 'two'")
    await expect(pool.query("update workspace set name = 'acmе' where slug = 'two'")).rejects.toMatchObject({
      constraint: 'workspace_name_skeleton_key',
    })
  })

  describe('in a database whose locale is Turkish', () => {
    const turkish = () => emptyDatabase("template template0 locale 'C' locale_provider icu icu_locale 'tr-TR'")
    async function connect(connection: pg.ClientConfig) {
      const client = new pg.Client(connection)
      await client.connect()
      onTestFinished(() => client.end())
      return client
    }

    test('names and codes are unique like in every other', async () => {
      const connection = await turkish()
      await migrate(connection)
      const client = await connect(connection)
      await client.query(
        "insert into workspace (name, slug) values ('Iğdır', 'one'), ('ığdır', 'two'), ('INFO', 'three')",
      )
      await expect(
        client.query("insert into workspace (name, slug, name_skeleton) values ('info', 'four', null)"),
      ).rejects.toMatchObject({ code: '23505' })
      const plan = (code: string) =>
        client.query(
          `insert into plan select (jsonb_populate_record(plan, jsonb_build_object('code', $1::text))).*
           from plan where code = 'free'`,
          [code],
        )
      await plan('MINI')
      await expect(plan('mini')).rejects.toMatchObject({ constraint: 'plan_code_key' })
    })

    test('of names that have become equal, the oldest stays, and the others get the next free number', async () => {
      const connection = await turkish()
      const before = (await migrationNames()).filter((name) => name < '0115')
      await migrate(connection, () => undefined, before)
      const client = await connect(connection)
      const long = 'i'.repeat(80)
      // Named before their looks were compared.
      await client.query(`
        alter table workspace disable trigger workspace_name_skeleton;
        insert into workspace (name, slug, created_at) values
          ('info', 'first', '2026-01-01'), ('INFO', 'second', '2026-01-02'), ('Info 2', 'other', '2026-01-03'),
          ('${long}', 'long', '2026-01-01'), ('${long.toUpperCase()}', 'longer', '2026-01-02');
        alter table workspace enable trigger workspace_name_skeleton`)
      await client.query(`
        insert into snippet (id, workspace_id, name, content, created_at)
        select gen_random_uuid(), workspace.id, text.name, '', at from workspace, (values
          ('INI', '2026-01-02'::timestamptz), ('ini', '2026-01-01'), ('Ini', '2026-01-03')) as text (name, at)
        where slug in ('first', 'second')`)
      await client.query(`
        insert into plan select (jsonb_populate_record(plan, copy)).* from plan, (values
          (jsonb_build_object('code', 'MINI', 'created_at', '2026-01-02')),
          (jsonb_build_object('code', 'mini', 'created_at', '2026-01-01'))) as copies (copy)
        where code = 'free'`)
      await client.query(`
        update workspace set plan_code = case slug when 'second' then 'MINI' else 'mini' end;
        insert into option (key, value) values ('billing.default_plan', '"MINI"')`)
      await migrate(connection)
      const read = async (query: string) => (await client.query({ text: query, rowMode: 'array' })).rows
      expect(await read('select slug, name, plan_code from workspace order by slug')).toEqual([
        ['first', 'info', 'mini'],
        ['long', long, 'mini'],
        ['longer', `${'I'.repeat(78)} 2`, 'mini'],
        ['other', 'Info 2', 'mini'],
        ['second', 'INFO 3', 'MINI-2'],
      ])
      expect(await read('select name from snippet group by name order by name collate "C"')).toEqual([
        ['INI 2'],
        ['Ini 3'],
        ['ini'],
      ])
      expect(await read('select count(*)::int from snippet')).toEqual([[6]])
      expect(await read("select code from plan where name_key(code) like 'mini%' order by created_at")).toEqual([
        ['mini'],
        ['MINI-2'],
      ])
      expect(await read('select value from option')).toEqual([['MINI-2']])
    })
  })

  test('a node waits for another that is migrating, and reports that it waits', async () => {
    const connection = await emptyDatabase()
    const other = new pg.Client(connection)
    await other.connect()
    await other.query('select pg_advisory_lock($1)', [locks.migrations])
    const messages: string[] = []
    const migrated = migrate(connection, (message) => messages.push(message), await someMigrations())
    await until(() => expect(messages).toEqual(['Waiting for another node that is migrating the database …']))
    await other.end()
    await migrated
    expect(messages.length).toBeGreaterThan(5)
  })

  test('a read-only server is not used: a start waits for the primary', async () => {
    const connection = await emptyDatabase()
    await server.query(`alter database ${connection.database} set default_transaction_read_only = on`)
    const messages: string[] = []
    const migrated = migrate(connection, (message) => messages.push(message), await someMigrations())
    await until(() => expect(messages[0]).toContain('the server is read-only'))
    await server.query(`alter database ${connection.database} reset default_transaction_read_only`)
    await migrated
  })

  test('a database that is not encoded in UTF-8 is refused', async () => {
    const connection = await emptyDatabase("encoding 'SQL_ASCII' locale 'C' template template0")
    await expect(migrate(connection)).rejects.toThrow('must be encoded in UTF8')
  })
})
