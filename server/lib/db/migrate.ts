import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { Logger, runMigrations as migrateWorker } from 'graphile-worker'
import pg from 'pg'
import { codeOf } from '../error-code.ts'
import { StartError } from '../runtime/start-error.ts'
import { type ConnectionConfig, surviveBrokenConnections } from './database.ts'
import { locks } from './locks.ts'

// Silences graphile-worker, which logs each of its own migrations.
const quiet = new Logger(() => () => undefined)

const folder = new URL('../../../migrations/', import.meta.url)

export const migrationNames = async () => (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()

/** Checks the server, then brings the schema up to date. Safe to run on several nodes at once. */
export async function migrate(connection: ConnectionConfig, log: (message: string) => void = () => undefined) {
  const client = await connect(connection, log)
  try {
    await checkServer(client)
    await client.query('select pg_advisory_lock($1)', [locks.migrations])
    const { rows: there } = await client.query<{ there: boolean }>(
      "select to_regclass('migration') is not null as there",
    )
    // Checked first, because a role that only runs Meydan may not create anything, not even `if not exists`.
    if (!there[0]?.there)
      await client.query(
        'create table migration (name text primary key, applied_at timestamptz not null default now())',
      )
    const { rows } = await client.query<{ name: string }>('select name from migration')
    const applied = new Set(rows.map((row) => row.name))
    const names = await migrationNames()
    const unknown = [...applied].filter((name) => !names.includes(name))
    if (unknown.length)
      throw new StartError(
        `The database was migrated by a newer Meydan (${unknown.join(', ')}). Start that version instead.`,
      )
    for (const name of names.filter((candidate) => !applied.has(candidate))) {
      log(`Migrating: ${name}`)
      const sql = await readFile(new URL(name, folder), 'utf8')
      await client.query('begin')
      await client.query(sql)
      await client.query('insert into migration (name) values ($1)', [name])
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

const WAIT_MS = 30_000
/** Errors that pass when services start together: no listener yet, unknown name, or PostgreSQL is starting up. */
const passing = ['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', '57P03']

async function connect(connection: ConnectionConfig, log: (message: string) => void) {
  const giveUpAt = Date.now() + WAIT_MS
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ ...connection, application_name: 'meydan-migrate' })
    try {
      await client.connect()
      return client
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!passing.includes(codeOf(error)) || Date.now() > giveUpAt)
        throw new StartError(`PostgreSQL refuses the connection: ${reason}. Check DATABASE_URL.`)
      if (attempt === 1) log(`Waiting for PostgreSQL (${reason}) …`)
      await setTimeout(500)
    }
  }
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

/** Whether this database has exactly the migrations of this version. */
export async function isMigrated(pool: pg.Pool) {
  const { rows } = await pool.query<{ name: string }>('select name from migration order by name')
  const names = await migrationNames()
  return rows.length === names.length && rows.every((row, index) => row.name === names[index])
}
