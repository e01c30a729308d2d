import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { extract, type Pack } from 'tar-stream'
import type { ConnectionConfig } from '../../lib/db/database.ts'
import { StartError } from '../../lib/runtime/start-error.ts'
import type { BackupFile } from '../targets/target.ts'
import {
  countMedia,
  filesOfSnapshot,
  packEntry,
  packFiles,
  readInfo,
  type Source,
  type StoredFiles,
  sizeOfFiles,
  writeArchive,
} from '../write-archive.ts'
import { openBaseBackup } from './base-backup.ts'

/** The last entry of a physical backup. */
export type PhysicalManifest = StoredFiles & {
  /** Files of the data directory, and their bytes. */
  cluster_files: number
  cluster_bytes: number
  /** Time from which on it can be recovered to any moment. */
  ended_at: string
}

type PhysicalSource = Source & {
  /** SECRET_KEY of the installation. */
  secret: string
  /** Password file of the embedded PostgreSQL. */
  password?: string | undefined
}

/**
 * Writes a physical backup: a base backup of the whole PostgreSQL server, every stored file and the secret key. Meydan
 * can run meanwhile. Returns its content, its size, and how many files of the media library are missing in storage.
 */
export const writePhysicalBackup = (file: BackupFile, source: PhysicalSource) =>
  writeArchive(file, source, async (client) => {
    await refuseTablespaces(client)
    const info = { ...(await readInfo(client)), postgres: await readVersion(client) }
    const total = (await sizeOfCluster(client)) + (await sizeOfFiles(filesOfSnapshot(client, source.storage.list())))
    return { info, total, pack: (archive) => packAll(archive, client, source, total) }
  })

async function packAll(
  archive: Pack,
  client: pg.Client,
  { connection, storage, secret, password, onProgress }: PhysicalSource,
  total: number,
): Promise<{ manifest: PhysicalManifest; missing: number }> {
  let done = 0
  const proceed = (bytes: number) => {
    done += bytes
    onProgress(Math.min(done, total), total)
  }
  await packEntry(archive, 'secret.key', secret)
  if (password !== undefined) await packEntry(archive, 'password', password)
  const cluster = await packCluster(archive, connection, async (bytes) => {
    proceed(bytes)
    // Its session holds the lock of backups, and many networks close a connection without traffic.
    await client.query('select')
  })
  await client.query('begin isolation level repeatable read read only')
  const ended_at = await readTime(client)
  const { packed, originals } = await packFiles(archive, storage, filesOfSnapshot(client, storage.list()), proceed)
  const manifest = { ...packed, cluster_files: cluster.files, cluster_bytes: cluster.bytes, ended_at }
  await packEntry(archive, 'manifest.json', JSON.stringify(manifest))
  return { manifest, missing: Math.max(0, (await countMedia(client)) - originals) }
}

/** Packs the data directory file by file, and then the manifest that PostgreSQL makes of it. */
async function packCluster(
  archive: Pack,
  connection: ConnectionConfig,
  onFile: (bytes: number) => Promise<void>,
): Promise<StoredFiles> {
  const backup = await openBaseBackup(connection)
  const packed: StoredFiles = { files: 0, bytes: 0 }
  const cluster = extract()
  const reading = pipeline(backup.archive, cluster)
  // Awaited below. An error of the base backup also ends the archive.
  reading.catch(() => undefined)
  try {
    for await (const entry of cluster) {
      const { name, size, type } = entry.header
      await pipeline(entry, archive.entry({ name: `cluster/${name}`, size, type }))
      if (type === 'file') packed.files++
      packed.bytes += size
      await onFile(size)
    }
    await reading
    await packEntry(archive, 'backup_manifest', backup.manifest())
    return packed
  } finally {
    cluster.destroy()
    await backup.close()
  }
}

async function refuseTablespaces(client: pg.Client) {
  const { rows } = await client.query<{ name: string }>(
    `select spcname as name from pg_tablespace where pg_tablespace_location(oid) <> '' limit 1`,
  )
  if (rows[0])
    throw new StartError(
      `This PostgreSQL has the tablespace ${rows[0].name} outside of its data directory, which a physical backup of Meydan does not hold. Use pg_basebackup or pgBackRest, or make a backup without --physical.`,
    )
}

async function readVersion(client: pg.Client) {
  const { rows } = await client.query<{ version: string }>(
    `select substring(version() from 'PostgreSQL (.+?),') as version`,
  )
  return rows[0]?.version ?? ''
}

/** About how many bytes the data directory has. */
async function sizeOfCluster(client: pg.Client) {
  const { rows } = await client.query<{ bytes: string }>(
    `select sum(pg_database_size(oid))::text as bytes from pg_database where has_database_privilege(oid, 'connect')`,
  )
  return Number(rows[0]?.bytes ?? 0)
}

/** The time of PostgreSQL, rounded up to milliseconds. */
async function readTime(client: pg.Client) {
  const { rows } = await client.query<{ time: Date }>(`select clock_timestamp() + interval '1 ms' as time`)
  return (rows[0]?.time ?? new Date()).toISOString()
}
