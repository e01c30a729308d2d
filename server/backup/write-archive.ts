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
import type { Storage, StoredFile } from '../modules/media/storage/storage.ts'
import { BackupError } from './backup-error.ts'
import { type BackupInfo, encryptBackup } from './backup-file.ts'
import { connectWithoutLimits } from './database-copy.ts'
import type { BackupFile } from './targets/target.ts'

/** Files that are looked up with one query. */
const FILES_AT_ONCE = 500

/** Bytes that are done, of about how many. */
export type Progress = (done: number, total: number) => void

export type Source = {
  connection: ConnectionConfig
  storage: Storage
  passphrase: string
  onProgress: Progress
  /** Ends the backup. */
  signal?: AbortSignal | undefined
}

export type StoredFiles = {
  files: number
  bytes: number
}

type Contents<T> = {
  info: BackupInfo
  /** About how many bytes it has. */
  total: number
  pack: (archive: Pack) => Promise<T>
}

/**
 * Writes the file of a backup, whose contents `prepare` describes. Files that members delete meanwhile are erased after
 * it. Nothing is left of a backup that fails.
 */
export async function writeArchive<T>(
  file: BackupFile,
  { connection, passphrase, signal }: Source,
  prepare: (client: pg.Client) => Promise<Contents<T>>,
) {
  if (await file.exists())
    throw new BackupError('target_refused', `${file.address} exists. Name a new file: Meydan overwrites no backup.`)
  const client = await connectWithoutLimits(connection)
  const archive = pack()
  const content = archive.pipe(createZstdCompress())
  archive.on('error', (error) => content.destroy(error))
  const stop = () => archive.destroy(signal?.reason)
  signal?.addEventListener('abort', stop)
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      locks.backup,
    ])
    if (!rows[0]?.locked) throw new BackupError('already_running', 'Another backup of this installation is running.')
    signal?.throwIfAborted()
    const contents = await prepare(client)
    const packing = contents.pack(archive)
    packing.then(
      () => archive.finalize(),
      (error) => archive.destroy(error),
    )
    const { info, total } = contents
    const size = await file.write(encryptBackup(content, info, passphrase), { size: total, signal })
    return { info, size, ...(await packing) }
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

/** Describes the installation as of the transaction of `client`. */
export async function readInfo(client: pg.Client): Promise<BackupInfo> {
  const { rows } = await client.query<Omit<BackupInfo, 'meydan'>>(`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
      (select array_agg(name order by name) from migration) as migrations`)
  const [info] = rows
  if (!info) throw new Error('PostgreSQL returned no row')
  return { meydan: packageJson.version, ...info }
}

export const packEntry = (archive: Pack, name: string, content: Buffer | string) =>
  promisify((done: (error?: Error | null) => void) => {
    // `done` gets the error. Without a listener, it would also end the process.
    archive.entry({ name }, content, done).on('error', () => undefined)
  })()

/** Packs stored files. Also returns how many of them are originals of the media library. */
export async function packFiles(
  archive: Pack,
  storage: Storage,
  files: AsyncIterable<StoredFile>,
  proceed: (bytes: number) => void,
) {
  const packed: StoredFiles = { files: 0, bytes: 0 }
  let originals = 0
  for await (const { key, size } of files) {
    // One that was erased just before this backup began is not there any more.
    const file = await storage.open(key).catch((error) => {
      if (codeOf(error) !== 'not_found') throw error
    })
    if (!file) continue
    await pipeline(file, archive.entry({ name: `files/${key}`, size }))
    packed.files++
    packed.bytes += size
    if (key.endsWith('/original')) originals++
    proceed(size)
  }
  return { packed, originals }
}

export async function sizeOfFiles(files: AsyncIterable<StoredFile>) {
  let bytes = 0
  for await (const { size } of files) bytes += size
  return bytes
}

/** Files of the media library, each of which has an original in storage. `where`: those that count. */
export async function countMedia(client: pg.Client, where = 'true') {
  const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from media where ${where}`)
  return rows[0]?.count ?? 0
}

/** Lists the stored files that the snapshot knows: not those of uploads that ended after it. */
export async function* filesOfSnapshot(client: pg.Client, list: AsyncIterable<StoredFile>) {
  for await (const files of inBatches(list)) {
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
