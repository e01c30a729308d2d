import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { type Pack, pack } from 'tar-stream'
import packageJson from '../../package.json' with { type: 'json' }
import type { ConnectionConfig } from '../lib/db/database.ts'
import { locks } from '../lib/db/locks.ts'
import { codeOf } from '../lib/error-code.ts'
import { mediaIdOf } from '../modules/media/storage/keys.ts'
import type { Storage } from '../modules/media/storage/storage.ts'
import { BackupError } from './backup-error.ts'
import { type BackupInfo, encryptBackup } from './backup-file.ts'
import { connectWithoutLimits, describeDatabase, fullName, inParts, readTable } from './database-copy.ts'
import type { BackupFile } from './targets/target.ts'

/** Size of the parts into which the rows of a table are cut, in bytes. */
const PART = 4 << 20

/** Files that are looked up with one query. */
const FILES_AT_ONCE = 500

/** The last entry of a backup: what all entries before it contain. */
export type Manifest = {
  /** Rows by table. */
  rows: Record<string, number>
  files: number
  /** Bytes of all files. */
  bytes: number
}

/** Bytes that are done, of about how many. */
export type Progress = (done: number, total: number) => void

type Source = {
  connection: ConnectionConfig
  storage: Storage
  /** SECRET_KEY of the installation. */
  secret: string
  passphrase: string
  onProgress: Progress
  /** Ends the backup. */
  signal?: AbortSignal | undefined
}

/**
 * Writes a backup: one snapshot of the database, every stored file and the secret key. Meydan can run meanwhile; files
 * that its members delete are erased after the backup. Nothing is left of a backup that fails. Returns its content, its
 * size, and how many files of the media library are missing in storage.
 */
export async function writeBackup(file: BackupFile, source: Source) {
  if (await file.exists())
    throw new BackupError('target_refused', `${file.address} exists. Name a new file: Meydan overwrites no backup.`)
  const client = await connectWithoutLimits(source.connection)
  const archive = pack()
  const content = archive.pipe(createZstdCompress())
  archive.on('error', (error) => content.destroy(error))
  const { signal } = source
  const stop = () => archive.destroy(signal?.reason)
  signal?.addEventListener('abort', stop)
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      locks.backup,
    ])
    if (!rows[0]?.locked) throw new BackupError('already_running', 'Another backup of this installation is running.')
    signal?.throwIfAborted()
    await client.query('begin isolation level repeatable read read only')
    const info = await readInfo(client)
    const total = await estimateSize(client, source.storage)
    const result = { manifest: { rows: {}, files: 0, bytes: 0 } as Manifest, missing: 0 }
    const packing = packAll(archive, client, { ...source, total }, result).catch((error) => archive.destroy(error))
    const size = await file.write(encryptBackup(content, info, source.passphrase), { size: total, signal })
    await packing
    return { info, size, ...result }
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
    // Closes the stored file that is being read.
    archive.destroy()
    await client.end()
  }
}

async function readInfo(client: pg.Client): Promise<BackupInfo> {
  const { rows } = await client.query<Omit<BackupInfo, 'meydan'>>(`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
      (select array_agg(name order by name) from migration) as migrations`)
  const [info] = rows
  if (!info) throw new Error('PostgreSQL returned no row')
  return { meydan: packageJson.version, ...info }
}

async function packAll(
  archive: Pack,
  client: pg.Client,
  { storage, secret, onProgress, total }: Source & { total: number },
  result: { manifest: Manifest; missing: number },
) {
  const add = promisify((name: string, content: Buffer | string, done: (error?: Error | null) => void) =>
    archive.entry({ name }, content, done),
  )
  const { manifest } = result
  const copy = await describeDatabase(client)
  let done = 0
  const proceed = (bytes: number) => {
    done += bytes
    onProgress(Math.min(done, total), total)
  }

  await add('database.json', JSON.stringify(copy))
  await add('secret.key', secret)
  for (const [index, table] of copy.tables.entries()) {
    const { stream, rows } = readTable(client, table)
    for await (const part of inParts(stream, PART)) {
      await add(`tables/${index}`, part)
      proceed(part.length)
    }
    manifest.rows[fullName(table)] = rows()
  }
  let originals = 0
  for await (const { key, size } of filesOfSnapshot(client, storage)) {
    // One that was erased just before this backup began is not there any more.
    const file = await storage.open(key).catch((error) => {
      if (codeOf(error) !== 'not_found') throw error
    })
    if (!file) continue
    await pipeline(file, archive.entry({ name: `files/${key}`, size }))
    manifest.files++
    manifest.bytes += size
    if (key.endsWith('/original')) originals++
    proceed(size)
  }
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from media')
  result.missing = Math.max(0, (rows[0]?.count ?? 0) - originals)
  await add('manifest.json', JSON.stringify(manifest))
  archive.finalize()
}

/** Lists the stored files that the snapshot knows: not those of uploads that ended after it. */
async function* filesOfSnapshot(client: pg.Client, storage: Storage) {
  for await (const files of inBatches(storage.list())) {
    const { rows } = await client.query<{ id: string }>('select id from media where id = any($1::uuid[])', [
      files.map(({ key }) => mediaIdOf(key)),
    ])
    const known = new Set(rows.map(({ id }) => id))
    for (const file of files) if (known.has(mediaIdOf(file.key))) yield file
  }
}

async function* inBatches<T>(list: AsyncIterable<T>) {
  let batch: T[] = []
  for await (const item of list) {
    batch.push(item)
    if (batch.length < FILES_AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** About how many bytes a backup has. */
async function estimateSize(client: pg.Client, storage: Storage) {
  const { rows } = await client.query<{ bytes: string }>(
    `select coalesce(sum(pg_table_size(oid)), 0)::text as bytes from pg_class
     where relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  )
  let total = Number(rows[0]?.bytes ?? 0)
  for await (const { size } of filesOfSnapshot(client, storage)) total += size
  return total
}
