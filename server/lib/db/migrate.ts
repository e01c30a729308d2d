import { setTimeout } from 'node:timers/promises'
import { Logger, runMigrations as migrateWorker } from 'graphile-worker'
import pg from 'pg'
import { codeOf } from '../error-code.ts'
import { explainedError, StartError } from '../runtime/start-error.ts'
import { type ConnectionConfig, isUnreachable, surviveBrokenConnections } from './database.ts'
import { locks } from './locks.ts'
import {
  type LandedMigrations,
  type Migration,
  migrationNames,
  readLandedMigrations,
  readMigrations,
  readRepairs,
} from './migrations.ts'

// Silences graphile-worker, which logs each of its own migrations.
const quiet = new Logger(() => () => undefined)

/**
 * Checks the server, then brings the schema up to date. Safe to run on several nodes at once. `only`: the migrations to
 * apply, for a database that has to be as it was at a backup.
 */
export async function migrate(
  connection: ConnectionConfig,
  log: (message: string) => void = () => undefined,
  only?: readonly string[],
) {
  const client = await connect(connection, log)
  try {
    await checkServer(client)
    await lockMigrations(client, log)
    await createMigrationTable(client)
    const migrations = await readMigrations()
    const landed = await readLandedMigrations()
    await client.query('begin')
    await recognizeRenamed(client, migrations, landed)
    await refuseNewer(client, migrations)
    await client.query('commit')
    await compareApplied(client, migrations, landed, log)
    const applied = new Set((await appliedMigrations(client)).map(({ name }) => name))
    const missing = migrations.filter(({ name }) => !applied.has(name) && (only?.includes(name) ?? true))
    if (missing.length > 0) await waitForBackup(client, log)
    for (const { name, sql, checksum, contracts } of missing) {
      log(`Migrating: ${name}`)
      await client.query('begin')
      // The commit of the last one waits for the disk, and for all before it.
      if (name !== missing.at(-1)?.name) await client.query('set local synchronous_commit = off')
      await client.query(sql)
      await client.query('insert into migration (name, checksum, contracts) values ($1, $2, $3)', [
        name,
        checksum,
        contracts,
      ])
      await client.query('commit')
    }
    const pool = new pg.Pool({ ...connection, max: 1 })
    surviveBrokenConnections(pool)
    try {
      await migrateWorker({ pgPool: pool, logger: quiet })
    } finally {
      await pool.end()
    }
  } catch (error) {
    if (error instanceof Error && codeOf(error) === '42501')
      throw new StartError(
        `The database must be migrated, and the role in DATABASE_URL is not allowed to (${error.message}). Run \`meydan migrate\` with a role that is.`,
      )
    throw error
  } finally {
    await client.end()
  }
}

/** Waits for other nodes that migrate: a session lock, which ends with the connection. */
async function lockMigrations(client: pg.Client, log: (message: string) => void) {
  for (let waited = 0; ; waited += LOCK_POLL_MS) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      locks.migrations,
    ])
    if (rows[0]?.locked) return
    if (waited === 2000) log('Waiting for another node that is migrating the database …')
    if (waited >= LOCK_WAIT_MS)
      throw new StartError(
        'Another connection has held the lock for migrations for ten minutes. If DATABASE_URL leads to a pooler in transaction mode, set DATABASE_DIRECT_URL.',
      )
    await setTimeout(LOCK_POLL_MS)
  }
}

/** A migration that waited for the tables that a backup reads would hold up all requests that come after it. */
async function waitForBackup(client: pg.Client, log: (message: string) => void) {
  for (let waited = 0; ; waited += LOCK_POLL_MS) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      locks.backup,
    ])
    if (rows[0]?.locked) return
    if (waited === 2000) log('Waiting for a backup of this database to end …')
    await setTimeout(LOCK_POLL_MS)
  }
}

/** Checked first, because a role that only runs Meydan may not create anything, not even `if not exists`. */
async function createMigrationTable(client: pg.Client) {
  const { rows } = await client.query<{ name: string }>(
    "select attname as name from pg_attribute where attrelid = to_regclass('migration') and attnum > 0",
  )
  const columns = rows.map(({ name }) => name)
  if (columns.length === 0)
    await client.query('create table migration (name text primary key, applied_at timestamptz not null default now())')
  if (!columns.includes('contracts'))
    await client.query('alter table migration add column contracts boolean not null default false')
  // Null: applied by a version that kept no checksums.
  if (!columns.includes('checksum')) await client.query('alter table migration add column checksum text')
}

async function appliedMigrations(client: pg.Client) {
  const { rows } = await client.query<{ name: string; checksum: string | null; contracts: boolean }>(
    'select name, checksum, contracts from migration',
  )
  return rows
}

async function refuseNewer(client: pg.Client, migrations: Migration[]) {
  const names = migrations.map(({ name }) => name)
  const breaking = (await appliedMigrations(client)).filter(({ name, contracts }) => contracts && !names.includes(name))
  if (breaking.length > 0)
    throw new StartError(
      `The database was migrated by a newer Meydan, and this version cannot use it (${breaking.map(({ name }) => name).join(', ')}). Start the newer version, or restore the backup from before the update into an empty installation of this one.`,
    )
}

/**
 * Records migrations that were applied under another name under the present one, so that they do not run again. They are
 * known by their checksum, or by their former name if they were applied by a version that kept no checksums.
 */
async function recognizeRenamed(client: pg.Client, migrations: Migration[], { renamed }: LandedMigrations) {
  const rows = await appliedMigrations(client)
  const applied = new Set(rows.map(({ name }) => name))
  for (const { name, checksum } of rows.filter((row) => !migrations.some((migration) => migration.name === row.name))) {
    const present = renamed[name] ?? migrations.find((migration) => migration.checksum === checksum)?.name
    if (!present) continue
    // Both are there if a version in between applied it again.
    if (applied.has(present)) await client.query('delete from migration where name = $1', [name])
    else await client.query('update migration set name = $2 where name = $1', [name, present])
  }
}

/**
 * Refuses a database that was migrated with another text of a migration. Where the former text is known, or was applied
 * by a version that kept no checksums, repairs what it lacks.
 */
async function compareApplied(
  client: pg.Client,
  migrations: Migration[],
  { edited }: LandedMigrations,
  log: (message: string) => void,
) {
  const repairs = await readRepairs()
  const applied = new Map((await appliedMigrations(client)).map((row) => [row.name, row]))
  for (const { name, checksum, contracts } of migrations) {
    const row = applied.get(name)
    if (!row || row.checksum === checksum) continue
    if (row.checksum !== null && !edited[name]?.includes(row.checksum))
      throw new StartError(
        `The database was migrated with another text of migrations/${name}. Restore the file as it was, or start the version of Meydan that last migrated this database.`,
      )
    const repair = repairs.get(name)
    // One at a time: together, the locks of all repairs would stop other nodes for as long as the last one waits.
    await client.query('begin')
    if (repair) {
      log(`Repairing: ${name}`)
      await client.query(repair)
    }
    await client.query('update migration set checksum = $2, contracts = $3 where name = $1', [
      name,
      checksum,
      contracts,
    ])
    await client.query('commit')
  }
}

const LOCK_POLL_MS = 100
const LOCK_WAIT_MS = 600_000
const WAIT_MS = 30_000
/** The longest limit that PostgreSQL knows. */
const LONGEST_MS = 2 ** 31 - 1

async function connect(connection: ConnectionConfig, log: (message: string) => void) {
  const giveUpAt = Date.now() + WAIT_MS
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({
      ...connection,
      application_name: 'meydan-migrate',
      connectionTimeoutMillis: 10_000,
      // Sent at the start, as by the pools: a PgBouncer that refuses it is noticed before it keeps a lock.
      statement_timeout: LONGEST_MS,
    })
    try {
      await client.connect()
      // For a role or a PgBouncer that sets its own limit.
      await client.query('set statement_timeout = 0')
      if (await isReadOnly(client)) throw new ReadOnly()
      return client
    } catch (error) {
      await client.end().catch(() => undefined)
      // Passes when services start together, and during a failover.
      const mayPass = isUnreachable(error) || error instanceof ReadOnly
      if (!mayPass || Date.now() > giveUpAt) throw unusableDatabase(error)
      if (attempt === 1) log(`Waiting for PostgreSQL (${messageOf(error)}) …`)
      await setTimeout(500)
    }
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The error of a connection that could not be opened, with what to do. */
export const unusableDatabase = (error: unknown) =>
  explainedError(`PostgreSQL cannot be used: ${messageOf(error)}. Check DATABASE_URL.`)

class ReadOnly extends Error {
  override message = 'the server is read-only, such as a standby'
}

/** Whether this connection leads to a standby, or to a primary that was made read-only. */
export async function isReadOnly(client: Pick<pg.ClientBase, 'query'>) {
  const { rows } = await client.query<{ read_only: boolean }>(
    "select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only",
  )
  return rows[0]?.read_only ?? false
}

async function checkServer(client: pg.Client) {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    "select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding",
  )
  const [server] = rows
  if (!server || server.version < 180_000)
    throw new StartError(
      `Meydan requires PostgreSQL 18 or later; DATABASE_URL points to version ${Math.floor((server?.version ?? 0) / 10_000)}.`,
    )
  if (server.encoding !== 'UTF8')
    throw new StartError(
      `The database must be encoded in UTF8; DATABASE_URL points to one encoded in ${server.encoding}.`,
    )
}

/** Whether this database has all migrations of this version, and no later one that this version cannot work with. */
export async function isMigrated(client: Pick<pg.ClientBase, 'query'>) {
  const { rows } = await client.query<{ name: string; contracts: boolean }>('select name, contracts from migration')
  const names = await migrationNames()
  const applied = new Set(rows.map(({ name }) => name))
  return (
    names.every((name) => applied.has(name)) && rows.every(({ name, contracts }) => !contracts || names.includes(name))
  )
}
