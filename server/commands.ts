import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Config } from './config.ts'
import { secretOf } from './deps.ts'
import { createDatabase, type Database, type Db } from './lib/database.ts'
import { AlreadyRunning, besideRunning } from './lib/embedded-postgres.ts'
import { addKey, loadKeyring, STAGE_SECONDS } from './lib/keyring.ts'
import { createLog, sayStep } from './lib/log.ts'
import { isMigrated, migrate } from './lib/migrate.ts'
import { createPulse } from './lib/pulse.ts'
import { reseal, type SealedColumn } from './lib/reseal.ts'
import { StartError } from './lib/start-error.ts'
import { openDatabase } from './main.ts'

/** Everything that rests sealed under an encryption key. */
export const sealedColumns: SealedColumn[] = [
  ['account', 'credentials'],
  ['webhook', 'secret'],
  ['webhook', 'previous_secret'],
  ['webhook', 'headers'],
  ['option', 'secret'],
]

/** Runs `work` on the database of the settings, also while Meydan has the embedded one running. */
async function onDatabase(
  config: Config,
  work: (connection: Awaited<ReturnType<typeof openDatabase>>) => Promise<void>,
) {
  const closers: (() => Promise<unknown>)[] = []
  try {
    const connection = await openDatabase(config, closers).catch((error) => {
      if (error instanceof AlreadyRunning) return besideRunning(config.DATA_DIR, sayStep)
      throw error
    })
    await work(connection)
  } finally {
    for (const close of closers) await close()
  }
}

/** The owner needs no grant, and would lose by it what a role that only runs Meydan must not do. */
async function refuseOwner(db: Db, role: string) {
  const { rows } = await sql`
    select from pg_tables where schemaname = 'public' and tablename = 'audit_entry' and tableowner = ${role}`.execute(
    db,
  )
  if (rows.length > 0)
    throw new StartError(`The role ${role} owns the tables and may run Meydan already. Name another role with --grant.`)
}

/** Brings the database up to date; `role` is then let to run Meydan on it. */
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
      sayStep(`The role ${role} may run Meydan now.`)
    }
    sayStep('The database is up to date.')
  })

const withKeys = (
  config: Config,
  work: (database: Database, connection: Parameters<typeof createPulse>[0]) => Promise<void>,
) =>
  onDatabase(config, async (connection) => {
    const database = createDatabase(connection, 2)
    try {
      if (!(await isMigrated(database.pool)))
        throw new StartError('This database belongs to another version. Run `meydan migrate` first.')
      await work(database, connection)
    } finally {
      await database.close()
    }
  })

/** Tells every key, and which is in use. */
export const listKeys = (config: Config) =>
  withKeys(config, async ({ db }) => {
    const keyring = await loadKeyring(db, await secretOf(config), config.SECRET_KEY_PREVIOUS)
    for (const { id, purpose, state } of keyring.list()) process.stdout.write(`${purpose.padEnd(12)}${id}  ${state}\n`)
  })

/** Adds a key while Meydan runs or not. With an encryption key, what rests under a former one is sealed again. */
export const rotateKey = (config: Config, purpose: 'encryption' | 'token') =>
  withKeys(config, async ({ db }, connection) => {
    const secret = await secretOf(config)
    const keyring = await loadKeyring(db, secret, config.SECRET_KEY_PREVIOUS)
    const pulse = createPulse(connection, createLog(config.LOG_LEVEL))
    const id = await addKey(db, pulse, secret, purpose).finally(pulse.close)
    sayStep(`The key ${id} was added. It is written with in ${STAGE_SECONDS} seconds, when every node has read it.`)
    if (purpose === 'token') return
    await keyring.refresh()
    while (keyring.current(purpose).id !== id) await setTimeout(200)
    for (const column of sealedColumns) {
      const count = await reseal(db, keyring, column)
      sayStep(`Sealed again in ${column.join('.')}: ${count}`)
    }
  })
