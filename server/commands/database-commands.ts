import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Config } from '../config/config.ts'
import { addKey, loadKeyring } from '../lib/crypto/keyring.ts'
import { reEncrypt } from '../lib/crypto/re-encrypt.ts'
import { readSecret } from '../lib/crypto/secret-file.ts'
import { type ConnectionConfig, createDatabase, type Database, type Db } from '../lib/db/database.ts'
import { AlreadyRunning, besideRunning } from '../lib/db/embedded/embedded-postgres.ts'
import { isMigrated, migrate, unusableDatabase } from '../lib/db/migrate.ts'
import { codeOf } from '../lib/error-code.ts'
import { createInvalidationBus } from '../lib/runtime/caches/invalidation-bus.ts'
import { createLog, sayStep } from '../lib/runtime/logging/log.ts'
import { StartError } from '../lib/runtime/start-error.ts'
import { createTimings } from '../lib/runtime/timings.ts'
import { holdRestoredServer } from '../modules/installation/hold.ts'
import { databaseVersion, runningVersion } from '../modules/installation/version.ts'
import { openDatabase } from './serve.ts'

/** Runs `work` on the configured database, also while Meydan runs the embedded one. */
export async function onDatabase(
  config: Config,
  work: (connection: Awaited<ReturnType<typeof openDatabase>>) => Promise<void>,
) {
  const closers: (() => Promise<unknown>)[] = []
  try {
    const connection = await openDatabase(config, closers).catch((error) => {
      if (error instanceof AlreadyRunning) return besideRunning(config.DATA_DIR, sayStep)
      throw error
    })
    const { DATABASE_DIRECT_URL } = config
    await work(DATABASE_DIRECT_URL ? { connectionString: DATABASE_DIRECT_URL } : connection)
  } finally {
    for (const close of closers) await close()
  }
}

/** The owner needs no grant, and by it would lose rights that a role which only runs Meydan must not have. */
async function refuseOwner(db: Db, role: string) {
  const { rows } = await sql`
    select from pg_tables where schemaname = 'public' and tablename = 'audit_entry' and tableowner = ${role}`.execute(
    db,
  )
  if (rows.length > 0)
    throw new StartError(`The role ${role} owns the tables and can already run Meydan. Name another role with --grant.`)
}

/** Migrates the database, and grants `role` the rights to run Meydan on it. */
export const runMigrate = (config: Config, role: string | undefined) =>
  onDatabase(config, async (connection) => {
    await migrate(connection, sayStep)
    if (role !== undefined) {
      const { db, close } = createDatabase(connection, 1)
      try {
        await refuseOwner(db, role)
        await sql`select grant_runtime(${role}::name)`.execute(db)
      } finally {
        await close()
      }
      sayStep(`The role ${role} can now run Meydan.`)
    }
    sayStep('The database is up to date.')
  })

/** Prints what can be known. The version is printed also when the settings or the database cannot be read. */
export async function printVersion(readConfig: () => Config) {
  const { version, commit, schema, node } = await runningVersion()
  process.stdout.write(`Meydan ${version}${commit ? ` (${commit})` : ''}\nSchema ${schema}\nNode ${node}\n`)
  const config = readConfig()
  // Asking for the version must not create a database.
  if (!config.DATABASE_URL && !existsSync(join(config.DATA_DIR, 'postgres'))) return
  await onDatabase(config, async (connection) => {
    const { db, close } = createDatabase(connection, 1)
    try {
      const { postgres, database_schema } = await databaseVersion(db)
      process.stdout.write(`PostgreSQL ${postgres}, with schema ${database_schema}\n`)
    } catch (error) {
      throw new StartError(`PostgreSQL cannot be asked: ${error instanceof Error ? error.message : error}`)
    } finally {
      await close()
    }
  })
}

/** Whether the database is that of this version. Its first query opens the connection. */
async function hasSchema(pool: Database['pool']) {
  try {
    return await isMigrated(pool)
  } catch (error) {
    const isEmpty = codeOf(error) === '42P01'
    if (isEmpty) return false
    throw unusableDatabase(error)
  }
}

/** The same, with the connection and a database whose schema is that of this version. */
export const withKeys = (config: Config, work: (database: Database, connection: ConnectionConfig) => Promise<void>) =>
  onDatabase(config, async (connection) => {
    const database = createDatabase(connection, 2)
    try {
      if (!(await hasSchema(database.pool)))
        throw new StartError('This database is empty or belongs to another version. Run `meydan migrate` first.')
      await holdRestoredServer(database.db)
      await work(database, connection)
    } finally {
      await database.close()
    }
  })

/** Prints every key and its state. */
export const listKeys = (config: Config) =>
  withKeys(config, async ({ db }) => {
    const keyring = await loadKeyring(db, await readSecret(config, db), config.SECRET_KEY_PREVIOUS)
    for (const { id, purpose, state } of keyring.list()) process.stdout.write(`${purpose.padEnd(12)}${id}  ${state}\n`)
  })

/** Adds a key, whether Meydan runs or not. After adding an encryption key, reseals values sealed with former ones. */
export const rotateKey = (config: Config, purpose: 'encryption' | 'token') =>
  withKeys(config, async ({ db }, connection) => {
    const secret = await readSecret(config, db)
    const keyring = await loadKeyring(db, secret, config.SECRET_KEY_PREVIOUS)
    const invalidationBus = createInvalidationBus(connection, createLog(config))
    const { keyStage: stage } = createTimings(config.TIMINGS_DIVISOR)
    const id = await addKey(db, invalidationBus, secret, { purpose, stage }).finally(invalidationBus.close)
    sayStep(`Added the key ${id}. It is used for new values in ${stage / 1000} seconds, when every node has loaded it.`)
    if (purpose === 'token') return
    // Nearly all of Meydan: other commands start sooner without it.
    const { sealedColumns } = await import('../lifecycle.ts')
    await keyring.refresh()
    while (keyring.current(purpose).id !== id) await setTimeout(200)
    for (const column of sealedColumns) {
      const count = await reEncrypt(db, keyring, column)
      sayStep(`Re-encrypted ${column.join('.')}: ${count}`)
    }
  })
