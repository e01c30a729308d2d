import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { rewrapKeys } from '../lib/crypto/keyring.ts'
import { type ConnectionConfig, isDiskFull } from '../lib/db/database.ts'
import { locks } from '../lib/db/locks.ts'
import { migrate } from '../lib/db/migrate.ts'
import { migrationNames } from '../lib/db/migrations.ts'
import { codeOf } from '../lib/error-code.ts'
import { StartError } from '../lib/runtime/start-error.ts'
import { holdInstallation } from '../modules/installation/hold.ts'
import type { Storage } from '../modules/media/storage/storage.ts'
import type { Manifest } from './backup.ts'
import { isFullDisk } from './backup-error.ts'
import type { BackupInfo } from './backup-file.ts'
import { connectWithoutLimits, fullName, oneConnection, replaceContent, writeTable } from './database-copy.ts'
import { eraseInterruptedRestore, markRestore, TEMPORARY, unmarkRestore } from './interrupted-restore.ts'
import { readArchive, readBackup } from './read-backup.ts'
import type { BackupFile } from './targets/target.ts'
import type { Progress } from './write-archive.ts'

const LOCK_MS = 10_000
const SESSION_CHECKS = 20
const SESSION_CHECK_MS = 100

type Target = {
  connection: ConnectionConfig
  storage: Storage
  /** DATA_DIR, for the secret key and for files on their way to the storage. */
  dataDir: string
  /** SECRET_KEY of this installation. Undefined if it is not set. */
  secretKey: string | undefined
  passphrase: string
  onProgress: Progress
  log: (message: string) => void
  /** Ends the restore. */
  signal?: AbortSignal | undefined
}

/**
 * Restores a backup into an empty installation, which is held afterwards: nothing is published, sent, charged or mailed
 * until an instance admin releases it. Nothing is left of a restore that fails. The rows, the key and the hold are one
 * transaction.
 */
export async function restoreBackup(file: Pick<BackupFile, 'open'>, target: Target) {
  const { connection, storage, dataDir, log, passphrase, onProgress, signal } = target
  const keyFile = join(dataDir, 'secret.key')
  const present = target.secretKey ?? (await readFile(keyFile, 'utf8').catch(() => undefined))?.trim()
  const client = await connectWithoutLimits(connection)
  let folder: string | undefined
  const stored = new Set<string>()
  let backupSecret = ''
  let backupAt = ''
  let wroteKey = false
  let isCommitting = false
  try {
    await refuseUsed(client)
    await eraseInterruptedRestore(client, target)
    await refuseFiles(storage)
    folder = await mkdtemp(join(dataDir, TEMPORARY))
    const local = join(folder, 'file')
    const restored = await oneConnection(client)
      .transaction()
      .execute((tx) =>
        readArchive(
          { file, passphrase, onProgress, signal },
          async (info) => {
            refusePhysical(info)
            refuseWorkspace(info)
            await refuseNewer(info)
            backupAt = info.created_at
            await migrate(connection, log, info.migrations)
            await refuseMigrated(client, info)
          },
          (entries, info) =>
            readBackup(entries, info, {
              database: async (copy, secret, tables) => {
                const rows: Manifest['rows'] = {}
                await replaceContent(client, copy, async () => {
                  for await (const { table, content } of tables)
                    rows[fullName(table)] = await writeTable(client, table, content)
                })
                if (present) await rewrapKeys(tx, secret, present)
                backupSecret = secret
                return rows
              },
              file: async (key, content) => {
                await pipeline(content, createWriteStream(local))
                if (stored.size === 0) await markRestore(client, storage, backupAt)
                stored.add(key.split('/', 2).join('/'))
                await storage.moveIn(local, key, 'application/octet-stream')
                // A connection without traffic is closed by many networks.
                await client.query('select')
              },
              end: async (info, manifest) => {
                await holdInstallation(tx, new Date(info.created_at))
                if (!present) await writeFile(keyFile, backupSecret, { mode: 0o600, flag: 'wx', flush: true })
                wroteKey = !present
                isCommitting = true
                return { info, manifest }
              },
            }),
        ),
      )
    if (stored.size > 0)
      await unmarkRestore(storage).catch(() => log('The mark of this restore could not be erased from the storage.'))
    await bringUpToDate(connection, log)
    await client.query('analyze')
    return restored
  } catch (error) {
    // The response to the commit may have been lost.
    if (isCommitting && (await isRestored(connection))) throw restoredAfterAll(error)
    if (wroteKey) await rm(keyFile, { force: true })
    const kept: string[] = []
    for (const name of stored) await storage.erase(name).catch(() => kept.push(name))
    if (stored.size > 0 && kept.length === 0) await unmarkRestore(storage).catch(() => undefined)
    if (kept.length > 0) log(`${kept.length} files could not be erased from the storage again, such as ${kept[0]}.`)
    throw await explainFailure(error, client, 'restored')
  } finally {
    if (folder) await rm(folder, { recursive: true, force: true })
    await client.end()
  }
}

const bringUpToDate = (connection: ConnectionConfig, log: Target['log']) =>
  migrate(connection, log).catch((error: Error) => {
    throw new StartError(
      `The backup was restored, but its database could not be brought up to date: ${error.message}. Start Meydan to try again.`,
    )
  })

const restoredAfterAll = (error: unknown) =>
  error instanceof StartError
    ? error
    : new StartError(`The backup was restored, but the connection to PostgreSQL was lost then. Start Meydan.`, {
        cause: error,
      })

async function isRestored(connection: ConnectionConfig) {
  const client = await connectWithoutLimits(connection)
  try {
    return (await client.query('select from installation_hold')).rowCount === 1
  } finally {
    await client.end()
  }
}

/** Says what an operator can do, where that is known. `done`: what did not happen. */
export async function explainFailure(error: unknown, client: pg.Client, done: 'restored' | 'imported') {
  if (isFullDisk(error) || isDiskFull(error))
    return new StartError(`The disk is full. Nothing was ${done}. Free some space and start again.`, { cause: error })
  if (error instanceof StartError || (await isConnected(client))) return error
  // PostgreSQL ends all connections when its write-ahead log does not fit on its disk.
  return new StartError(
    `The connection to PostgreSQL was lost. Nothing was ${done}. See in its log why, such as a full disk, and start again.`,
    { cause: error },
  )
}

const isConnected = (client: pg.Client) =>
  client.query('select').then(
    () => true,
    () => false,
  )

/** Takes the lock that keeps nodes from starting until the connection ends. That of a killed restore is freed soon. */
async function lockRestore(client: pg.Client) {
  await client.query(`set lock_timeout = ${LOCK_MS}`)
  await client.query('select pg_advisory_lock($1)', [locks.restore]).catch((error) => {
    throw codeOf(error) === '55P03' ? new StartError('Another restore into this database is running.') : error
  })
  await client.query('set lock_timeout = 0')
}

async function hasNodes(client: pg.Client) {
  const { rowCount } = await client.query(
    `select from pg_stat_activity
    where datname = current_database() and application_name in ('meydan', 'meydan-pulse') limit 1`,
  )
  return rowCount === 1
}

/** Refuses a database that is in use. PostgreSQL lists the sessions of a node for a moment after it stopped. */
async function refuseUsed(client: pg.Client) {
  await lockRestore(client)
  for (let check = 1; await hasNodes(client); check++) {
    if (check === SESSION_CHECKS) throw new StartError('Meydan runs on this database. Stop all its nodes first.')
    await sleep(SESSION_CHECK_MS)
  }
  const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('public."user"') is not null as exists`)
  if (rows[0]?.exists && (await client.query('select from "user" limit 1')).rowCount)
    throw new StartError(
      'This installation is in use: it has users. Restore into an empty one, with another DATA_DIR or database.',
    )
}

async function refuseFiles(storage: Storage) {
  for await (const { key } of storage.list())
    throw new StartError(`The storage has files already (${key}). Restore into an empty installation.`)
}

/** Rows of a backup fit the tables of its own migrations only. */
async function refuseMigrated(client: pg.Client, { migrations }: BackupInfo) {
  const { rows } = await client.query<{ name: string }>('select name from migration where name <> all($1) limit 1', [
    migrations,
  ])
  if (rows[0])
    throw new StartError(
      `This database is of a later version than the backup (${rows[0].name}). Restore into a database without tables.`,
    )
}

function refusePhysical({ postgres }: BackupInfo) {
  if (postgres !== undefined)
    throw new StartError('This is a physical backup. Restore it with `meydan restore --physical <file> --to <folder>`.')
}

export function refuseWorkspace({ workspace }: BackupInfo) {
  if (workspace !== undefined)
    throw new StartError('This file has one workspace. Import it with `meydan workspace import`.')
}

export async function refuseNewer({ meydan, migrations }: BackupInfo) {
  const names = await migrationNames()
  const unknown = migrations.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new StartError(
      `This backup was made by a newer Meydan (${meydan}, ${unknown.join(', ')}). Restore it with that version.`,
    )
}
