import { existsSync } from 'node:fs'
import { link, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { type Pack, pack } from 'tar-stream'
import packageJson from '../../package.json' with { type: 'json' }
import type { ConnectionConfig } from '../lib/db/database.ts'
import { locks } from '../lib/db/locks.ts'
import { codeOf } from '../lib/error-code.ts'
import { StartError } from '../lib/runtime/start-error.ts'
import { mediaIdOf } from '../modules/media/storage/keys.ts'
import type { Storage } from '../modules/media/storage/storage.ts'
import { type BackupInfo, encryptBackup } from './backup-file.ts'
import { connectWithoutLimits, describeDatabase, fullName, inParts, readTable } from './database-copy.ts'

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
  signal?: AbortSignal
}

/**
 * Writes a backup: one snapshot of the database, every stored file and the secret key. Meydan can run meanwhile; files
 * that its members delete are erased after the backup. Nothing is left of a backup that fails. Returns its content, and
 * how many files of the media library are missing in storage.
 */
export async function writeBackup(path: string, source: Source) {
  if (existsSync(path)) throw new StartError(`${path} exists. Name a new file: Meydan overwrites no backup.`)
  const client = await connectWithoutLimits(source.connection)
  const partial = `${path}.partial`
  let created = false
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      locks.backup,
    ])
    if (!rows[0]?.locked) throw new StartError('Another backup of this installation is running.')
    await client.query('begin isolation level repeatable read read only')
    const info = await readInfo(client)
    const archive = pack()
    const content = archive.pipe(createZstdCompress())
    const result = { manifest: { rows: {}, files: 0, bytes: 0 } as Manifest, missing: 0 }
    const packing = packAll(archive, client, source, result).catch((error) => archive.destroy(error))
    archive.on('error', (error) => content.destroy(error))
    const file = await open(partial, 'wx', 0o600)
    created = true
    await pipeline(
      content,
      (chunks: AsyncIterable<Buffer>) => encryptBackup(chunks, info, source.passphrase),
      file.createWriteStream({ flush: true }),
      { signal: source.signal },
    )
    await packing
    // Unlike a rename, this overwrites no file that appeared meanwhile.
    await link(partial, path)
    await rm(partial)
    await flushFolder(dirname(path))
    return { info, ...result }
  } catch (error) {
    if (created) await rm(partial, { force: true })
    throw explain(error, path)
  } finally {
    await client.end()
  }
}

const explain = (error: unknown, path: string) => {
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StartError(`The disk of ${path} is full. Nothing was kept. Free some space or name another disk.`)
  if (code === 'EEXIST')
    return new StartError(`${path} or ${path}.partial exists. Name a new file, or remove what a killed backup left.`)
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EROFS')
    return new StartError(
      `${path} cannot be written (${code}). Name a file in a folder that exists and can be written.`,
    )
  return error
}

/** Makes the name of a new file survive a loss of power. */
async function flushFolder(folder: string) {
  await using handle = await open(folder)
  await handle.sync()
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
  { storage, secret, onProgress }: Source,
  result: { manifest: Manifest; missing: number },
) {
  const add = promisify((name: string, content: Buffer | string, done: (error?: Error | null) => void) =>
    archive.entry({ name }, content, done),
  )
  const { manifest } = result
  const copy = await describeDatabase(client)
  let total = await tableBytes(client)
  for await (const { size } of filesOfSnapshot(client, storage)) total += size
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

async function tableBytes(client: pg.Client) {
  const { rows } = await client.query<{ bytes: string }>(
    `select coalesce(sum(pg_table_size(oid)), 0)::text as bytes from pg_class
     where relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  )
  return Number(rows[0]?.bytes ?? 0)
}
