import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { rewrapped } from '../lib/crypto/keyring.ts'
import type { ConnectionConfig } from '../lib/db/database.ts'
import { isDiskFull } from '../lib/db/database.ts'
import { migrate } from '../lib/db/migrate.ts'
import { migrationNames } from '../lib/db/migrations.ts'
import { codeOf } from '../lib/error-code.ts'
import { StartError } from '../lib/runtime/start-error.ts'
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
  let wroteKey = false
  try {
    await refuseUsed(client)
    const restored = await readBackup(
      { path, passphrase: target.passphrase, onProgress: target.onProgress },
      {
        info: async (info) => {
          await refuseNewer(info)
          await migrate(connection, log, info.migrations)
          await client.query('begin')
        },
        database: async (copy, secret, tables) => {
          await replaceContent(client, copy, () => loadTables(client, copy, tables))
          const present = target.secretKey ?? (await readFile(keyFile, 'utf8').catch(() => undefined))?.trim()
          if (present) await rewrapKeys(client, secret, present)
          else await writeFile(keyFile, secret, { mode: 0o600, flag: 'wx', flush: true })
          wroteKey = !present
        },
        file: async (key, content) => {
          const local = join(folder, 'file')
          await pipeline(content, createWriteStream(local))
          await storage.moveIn(local, key, 'application/octet-stream')
        },
        end: async (info, manifest) => {
          await client.query(
            `insert into installation_hold (data_until) values ($1)
             on conflict (id) do update set data_until = excluded.data_until, restored_at = now()`,
            [info.created_at],
          )
          await client.query(
            `insert into audit_entry (action, details) values ('installation.restored', jsonb_build_object('backup_at', $1::text))`,
            [info.created_at],
          )
          await client.query('commit')
          return { info, manifest }
        },
      },
    )
    await migrate(connection, log)
    await client.query('analyze')
    return restored
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
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

/** Keys of the ring are wrapped with the secret of the installation that they come from. */
async function rewrapKeys(client: pg.Client, from: string, to: string) {
  const { rows } = await client.query<{ id: string; wrapped: Buffer }>('select id, wrapped from keyring')
  for (const row of rows)
    await client.query('update keyring set wrapped = $2 where id = $1', [row.id, rewrapped(row, from, to)])
}
