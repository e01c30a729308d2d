import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { loadKeyring } from '../lib/crypto/keyring.ts'
import { readSecret } from '../lib/crypto/secret-file.ts'
import { type ConnectionConfig, createDatabase } from '../lib/db/database.ts'
import { startEmbeddedPostgres } from '../lib/db/embedded/embedded-postgres.ts'
import { folderStorage } from '../modules/media/storage/folder.ts'
import type { Manifest } from './backup.ts'
import { BackupError } from './backup-error.ts'
import { connectWithoutLimits } from './database-copy.ts'
import { restoreBackup } from './restore.ts'
import type { BackupFile } from './targets/target.ts'
import type { Progress } from './write-archive.ts'

/** Tables that a restore itself writes to. */
const WRITTEN_BY_RESTORE = ['public.audit_entry', 'public.installation_hold']

type Options = { passphrase: string; onProgress: Progress; signal?: AbortSignal | undefined }

/**
 * Restores a backup into a throwaway embedded PostgreSQL and a temporary folder, brings that database up to date, opens
 * its keys, and compares rows and files with what the backup says of itself. Nothing of it is left. Throws StartError.
 */
export async function tryRestore(file: BackupFile, options: Options) {
  const dataDir = await mkdtemp(join(tmpdir(), 'meydan-trial-'))
  const quiet = () => undefined
  let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>> | undefined
  try {
    postgres = await startEmbeddedPostgres({ dataDir, log: quiet, durable: false })
    const { connection } = postgres
    const storage = await folderStorage(join(dataDir, 'files'))
    const target = { connection, storage, dataDir, secretKey: undefined, log: quiet }
    const { info, manifest } = await restoreBackup(file, { ...target, ...options })
    await openKeys(connection, dataDir)
    const found = { rows: await countRows(connection, manifest.rows), files: 0, bytes: 0 }
    for await (const { size } of storage.list()) {
      found.files++
      found.bytes += size
    }
    refuseDifference(found, manifest)
    return { info, manifest }
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

/** Throws if the secret key of the backup does not open the keys in its database. */
async function openKeys(connection: ConnectionConfig, dataDir: string) {
  const { db, close } = createDatabase(connection, 1)
  try {
    await loadKeyring(db, await readSecret({ SECRET_KEY: undefined, DATA_DIR: dataDir }, db), undefined)
  } finally {
    await close()
  }
}

async function countRows(connection: ConnectionConfig, tables: Manifest['rows']) {
  const client = await connectWithoutLimits(connection)
  try {
    const counts: Manifest['rows'] = {}
    for (const name of Object.keys(tables)) {
      const quoted = name.split('.').map(pg.escapeIdentifier).join('.')
      const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${quoted}`)
      counts[name] = Number(rows[0]?.count)
    }
    return counts
  } finally {
    await client.end()
  }
}

/** Newer migrations may add rows, but a table that lost some was not restored. */
function refuseDifference(found: Manifest, said: Manifest) {
  const differing = Object.keys(said.rows).filter(
    (name) => !WRITTEN_BY_RESTORE.includes(name) && (found.rows[name] ?? 0) < (said.rows[name] ?? 0),
  )
  if (differing.length > 0 || found.files !== said.files || found.bytes !== said.bytes)
    throw new BackupError(
      'damaged',
      `The restored installation lacks a part of ${differing.join(', ') || 'its files'}.`,
    )
}
