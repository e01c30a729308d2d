import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { rewrapKeys } from '../lib/crypto/keyring.ts'
import { type ConnectionConfig, type Db, inTransaction, isDiskFull } from '../lib/db/database.ts'
import type { DB } from '../lib/db/database-types.ts'
import { migrate } from '../lib/db/migrate.ts'
import { migrationNames } from '../lib/db/migrations.ts'
import { codeOf } from '../lib/error-code.ts'
import { StartError } from '../lib/runtime/start-error.ts'
import { holdInstallation } from '../modules/installation/hold.ts'
import type { Storage } from '../modules/media/storage/storage.ts'
import type { Progress } from './backup.ts'
import type { BackupInfo } from './backup-file.ts'
import { connectWithoutLimits, type DatabaseCopy, replaceContent, writeTable } from './database-copy.ts'
import { readBackup, type TableReader } from './read-backup.ts'

type Target = {
  connection: ConnectionConfig
  storage: Storage
  /** DATA_DIR, for the secret key and for files on their way to the storage. */
  dataDir: string
  /** SECRET_KEY of this installation, if it is set. */
  secretKey: string | undefined
  passphrase: string
  onProgress: Progress
  log: (message: string) => void
}

/**
 * Restores a backup into an empty installation, which is held afterwards: nothing is published, sent, charged or mailed
 * until an instance admin releases it. Nothing is left of a restore that fails.
 */
export async function restoreBackup(path: string, target: Target) {
  const { connection, storage, dataDir, log } = target
  for await (const { key } of storage.list())
    throw new StartError(`The storage has files already (${key}). Restore into an empty installation.`)
  const client = await connectWithoutLimits(connection)
  const folder = await mkdtemp(join(dataDir, 'restore-'))
  const keyFile = join(dataDir, 'secret.key')
  const present = target.secretKey ?? (await readFile(keyFile, 'utf8').catch(() => undefined))?.trim()
  let wroteKey = false
  try {
    await refuseUsed(client)
    const restored = await inTransaction(oneConnection(client), (tx) =>
      readBackup(
        { path, passphrase: target.passphrase, onProgress: target.onProgress },
        {
          info: async (info) => {
            await refuseNewer(info)
            await migrate(connection, log, info.migrations)
          },
          database: async (copy, secret, tables) => {
            await replaceContent(client, copy, () => loadTables(client, copy, tables))
            if (present) return rewrapKeys(tx, secret, present)
            await writeFile(keyFile, secret, { mode: 0o600, flag: 'wx', flush: true })
            wroteKey = true
          },
          file: async (key, content) => {
            const local = join(folder, 'file')
            await pipeline(content, createWriteStream(local))
            await storage.moveIn(local, key, 'application/octet-stream')
          },
          end: async (info, manifest) => {
            await holdInstallation(tx, new Date(info.created_at))
            return { info, manifest }
          },
        },
      ),
    )
    await migrate(connection, log)
    await client.query('analyze')
    return restored
  } catch (error) {
    if (wroteKey) await rm(keyFile, { force: true })
    for await (const { key } of storage.list()) await storage.erase(key.split('/', 2).join('/'))
    throw explain(error)
  } finally {
    await rm(folder, { recursive: true, force: true })
    await client.end()
  }
}

const explain = (error: unknown) =>
  codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT' || isDiskFull(error)
    ? new StartError('The disk is full. Nothing was restored. Free some space and start again.')
    : error

/** The typed queries of a connection that also copies rows. */
const oneConnection = (client: pg.Client): Db => {
  const connection = Object.assign(client, { release: () => undefined })
  const pool = { options: {}, connect: async () => connection, end: async () => undefined }
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

async function refuseUsed(client: pg.Client) {
  const { rows } = await client.query<{ exists: boolean; running: boolean }>(`
    select to_regclass('public."user"') is not null as exists,
      exists (select from pg_stat_activity where datname = current_database() and application_name = 'meydan') as running`)
  if (rows[0]?.running) throw new StartError('Meydan runs on this database. Stop all its nodes first.')
  if (!rows[0]?.exists) return
  const { rows: users } = await client.query('select from "user" limit 1')
  if (users.length > 0)
    throw new StartError(
      'This installation is in use: it has users. Restore into an empty one, with another DATA_DIR or database.',
    )
}

async function refuseNewer({ meydan, migrations }: BackupInfo) {
  const names = await migrationNames()
  const unknown = migrations.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new StartError(
      `This backup was made by a newer Meydan (${meydan}, ${unknown.join(', ')}). Restore it with that version.`,
    )
}

async function loadTables(client: pg.Client, copy: DatabaseCopy, tables: TableReader) {
  for await (const { index, content } of tables) {
    const table = copy.tables[index]
    if (!table) throw new StartError(`The backup has rows of a table that it does not name (${index}).`)
    await writeTable(client, table, content)
  }
}
