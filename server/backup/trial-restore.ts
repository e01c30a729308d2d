import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { loadKeyring } from '../lib/crypto/keyring.ts'
import { readSecret } from '../lib/crypto/secret-file.ts'
import { type ConnectionConfig, createDatabase } from '../lib/db/database.ts'
import { startEmbeddedPostgres } from '../lib/db/embedded/embedded-postgres.ts'
import { embeddedVersion } from '../lib/db/embedded/postgres-cluster.ts'
import { migrate } from '../lib/db/migrate.ts'
import { folderStorage } from '../modules/media/storage/folder.ts'
import type { Storage } from '../modules/media/storage/storage.ts'
import type { Manifest } from './backup.ts'
import { BackupError } from './backup-error.ts'
import { readInfo } from './backup-file.ts'
import { connectWithoutLimits } from './database-copy.ts'
import { restorePhysicalBackup } from './physical/restore-physical.ts'
import { refuseOtherFiles } from './read-backup.ts'
import { restoreBackup } from './restore.ts'
import type { BackupFile } from './targets/target.ts'
import type { Progress, StoredFiles } from './write-archive.ts'

/** Tables that a restore itself writes to. */
const WRITTEN_BY_RESTORE = ['public.audit_entry', 'public.installation_hold']

type Options = { passphrase: string; onProgress: Progress; signal?: AbortSignal | undefined }

/**
 * Restores a backup into a throwaway embedded PostgreSQL and a temporary folder, brings that database up to date, opens
 * its keys, and compares what is there with what the backup says of itself. Nothing of it is left. Throws StartError.
 */
export async function tryRestore(file: BackupFile, options: Options) {
  const dataDir = await mkdtemp(join(tmpdir(), 'meydan-trial-'))
  let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>> | undefined
  const start = async () => {
    // A copy must not write to the archive of the original.
    const settings = { archive_mode: 'off' }
    postgres = await startEmbeddedPostgres({ dataDir, log: quiet, durable: false, settings })
    return postgres.connection
  }
  try {
    const { content } = await file.open(options.signal)
    const { postgres: version } = await readInfo(content)
    const tryKind = version === undefined ? tryLogical : tryPhysical
    const restored = await tryKind(file, { ...options, dataDir, start })
    refuseOtherFiles(await countFiles(await filesIn(dataDir)), restored.manifest)
    return restored
  } finally {
    // For root without user namespaces, the cluster is outside of the folder.
    const cluster = await realpath(join(dataDir, 'postgres')).catch(() => dataDir)
    try {
      await postgres?.stop()
    } finally {
      for (const folder of [cluster, dataDir]) await rm(folder, { recursive: true, force: true })
    }
  }
}

const quiet = () => undefined

const filesIn = (dataDir: string) => folderStorage(join(dataDir, 'files'))

type Trial = Options & { dataDir: string; start: () => Promise<ConnectionConfig> }

async function tryLogical(file: BackupFile, { start, dataDir, ...options }: Trial) {
  const connection = await start()
  const storage = await filesIn(dataDir)
  const target = { ...options, connection, storage, dataDir, secretKey: undefined, log: quiet }
  const { info, manifest } = await restoreBackup(file, target)
  await openKeys(connection, dataDir)
  refuseLostRows(await countRows(connection, Object.keys(manifest.rows)), manifest.rows)
  return { info, manifest }
}

async function tryPhysical(file: BackupFile, { start, dataDir, ...options }: Trial) {
  const major = Number.parseInt(await embeddedVersion(), 10)
  const target = { ...options, folder: dataDir, recovery: {}, major, isForEmbedded: true }
  const { info, manifest } = await restorePhysicalBackup(file, target)
  const connection = await start()
  await migrate(connection, quiet)
  await openKeys(connection, dataDir)
  await readRows(connection)
  return { info, manifest }
}

/** Throws if the secret key of the backup does not open the keys in its database. */
async function openKeys(connection: ConnectionConfig, dataDir: string) {
  const { db, close } = createDatabase(connection, 1)
  try {
    await loadKeyring(db, await readSecret({ SECRET_KEY: undefined, DATA_DIR: dataDir }, db), undefined)
  } finally {
    await close()
  }
}

async function countFiles(storage: Storage) {
  const found: StoredFiles = { files: 0, bytes: 0 }
  for await (const { size } of storage.list()) {
    found.files++
    found.bytes += size
  }
  return found
}

const withClient = async <T>(connection: ConnectionConfig, work: (client: pg.Client) => Promise<T>) => {
  const client = await connectWithoutLimits(connection)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const countRows = (connection: ConnectionConfig, tables: string[]) =>
  withClient(connection, async (client) => {
    const counts: Manifest['rows'] = {}
    for (const name of tables) {
      const quoted = name.split('.').map(pg.escapeIdentifier).join('.')
      const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${quoted}`)
      counts[name] = Number(rows[0]?.count)
    }
    return counts
  })

/** Reads every row, so that PostgreSQL checks every page of the tables. */
const readRows = (connection: ConnectionConfig) =>
  withClient(connection, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relkind = 'r' and relpersistence = 'p'`,
    )
    for (const { name } of tables) await client.query(`select sum(hashtext(t::text)) from ${name} t`)
  })

/** Newer migrations may add rows, but a table that lost some was not restored. */
function refuseLostRows(found: Manifest['rows'], said: Manifest['rows']) {
  const differing = Object.keys(said).filter(
    (name) => !WRITTEN_BY_RESTORE.includes(name) && (found[name] ?? 0) < (said[name] ?? 0),
  )
  if (differing.length > 0)
    throw new BackupError('damaged', `The restored installation lacks a part of ${differing.join(', ')}.`)
}
