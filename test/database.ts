import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { ConnectionConfig } from '../server/lib/db/database.ts'
import { startEmbeddedPostgres } from '../server/lib/db/embedded/embedded-postgres.ts'
import { migrate } from '../server/lib/db/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; port: number; user: string; password: string; database: string; ssl: boolean }
  }
}

const TEMPLATE = 'meydan_template'

/** Connections that the tests of one worker have open at a time, with those of the processes that they start. */
const WORKER_CONNECTIONS = 100

/** Starts one PostgreSQL for all test files, with a migrated template that each clones. */
export async function startSuitePostgres(workers: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'postgres-'))
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => undefined,
    durable: false,
    // Its databases are small: compiling a query, or workers that share one, take longer than they save.
    settings: {
      max_connections: String(workers * WORKER_CONNECTIONS),
      jit: 'off',
      max_parallel_workers_per_gather: '0',
    },
  })
  // Each app opens ten connections, and each would hash the password some thousand times.
  const { user, password } = postgres.connection
  await query(postgres.connection, `set scram_iterations = 1; alter role ${user} password '${password}'`)
  await query(postgres.connection, `create database ${TEMPLATE}`)
  await migrate({ ...postgres.connection, database: TEMPLATE })
  return postgres
}

/** The DATABASE_URL of a connection, whose host may be the folder of a socket. */
export const databaseUrl = ({ host, port = 5432, user, password, database }: ConnectionConfig) =>
  `postgres://${user}:${encodeURIComponent(String(password))}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`

/**
 * A new database with the current schema, for one test file or one test; or a copy of `template`, to which nobody is
 * connected.
 */
export const cloneDatabase = (server: ConnectionConfig, template = TEMPLATE) =>
  createDatabase(server, `template ${template} strategy file_copy`)

/** A new database without tables. */
export const emptyDatabase = (server: ConnectionConfig) => createDatabase(server)

async function createDatabase(server: ConnectionConfig, options = '') {
  const database = `test_${randomBytes(6).toString('hex')}`
  await query(server, `create database ${database} ${options}`)
  return {
    connection: { ...server, database },
    query: (text: string) => query({ ...server, database }, text),
    drop: () => query(server, `drop database if exists ${database} with (force)`),
  }
}

async function query(connection: ConnectionConfig, text: string) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
