import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import { codeOf } from '../lib/error-code.ts'
import { StartError } from '../lib/runtime/start-error.ts'
import { isStoredFile } from '../modules/media/storage/keys.ts'
import type { Manifest } from './backup.ts'
import { BackupError } from './backup-error.ts'
import { type BackupInfo, decryptBackup } from './backup-file.ts'
import type { CopiedTable, DatabaseCopy } from './database-copy.ts'
import type { BackupFile } from './targets/target.ts'
import type { Progress, StoredFiles } from './write-archive.ts'

export type Reading = {
  file: Pick<BackupFile, 'open'>
  passphrase: string
  onProgress: Progress
  signal?: AbortSignal | undefined
}

/**
 * Reads a backup from its first to its last byte. `onInfo` may refuse it before anything is read; `read` must call
 * `entries.end` last. Throws UnreadableBackup; then nothing of it may be kept.
 */
export async function readArchive<T>(
  { file, passphrase, onProgress, signal }: Reading,
  onInfo: (info: BackupInfo) => Promise<void> | void,
  read: (entries: Entries, info: BackupInfo) => Promise<T>,
): Promise<T> {
  const { size: total, content: bytes } = await file.open(signal)
  let known: BackupInfo | undefined
  const archive = extract()
  const inform = async (info: BackupInfo) => {
    known = info
    await onInfo(info)
  }
  async function* counted(chunks: AsyncIterable<Buffer>) {
    let done = 0
    for await (const chunk of chunks) {
      done += chunk.length
      onProgress(done, total)
      yield chunk
    }
  }
  const reading = pipeline(
    bytes,
    (chunks: AsyncIterable<Buffer>) => decryptBackup(counted(chunks), passphrase, inform),
    createZstdDecompress(),
    archive,
    { signal },
  )
  // Awaited below. An error of the file also ends the archive, with less to say.
  reading.catch(() => undefined)
  try {
    const entries = await entriesOf(archive, reading)
    if (!known) throw new Error('The backup has no first line')
    return await read(entries, known)
  } catch (error) {
    archive.destroy()
    signal?.throwIfAborted()
    await reading.catch((cause) => {
      if (codeOf(cause) !== 'ERR_STREAM_PREMATURE_CLOSE' && !(error instanceof StartError)) throw cause
    })
    throw error
  }
}

/** Takes the parts of a logical backup, which come in this order. A content must be read to its end. */
type Visitor<T> = {
  /** Returns how many rows each table had. */
  database: (copy: DatabaseCopy, secret: string, tables: TableContents) => Promise<Manifest['rows']>
  file: FileVisitor
  /** After the last byte was read and found to be that of the backup. */
  end: (info: BackupInfo, manifest: Manifest) => Promise<T>
}

export type FileVisitor = (key: string, content: AsyncIterable<Buffer>) => Promise<void>

/** The tables that have rows, in the order of the copy. */
type TableContents = AsyncIterable<{ table: CopiedTable; content: AsyncIterable<Buffer> }>

/** Reads what a logical backup has. */
export async function readBackup<T>(entries: Entries, info: BackupInfo, visitor: Visitor<T>): Promise<T> {
  const copy: DatabaseCopy = JSON.parse(await entries.text('database.json'))
  const secret = await entries.text('secret.key')
  const rows = await visitor.database(copy, secret, tablesOf(entries, copy))
  const found: Manifest = { rows, ...(await readFiles(entries, visitor.file)) }
  const manifest: Manifest = JSON.parse(await entries.text('manifest.json'))
  await entries.end()
  const differing = Object.keys(manifest.rows).filter((name) => (found.rows[name] ?? 0) !== manifest.rows[name])
  if (differing.length > 0) throw new BackupError('damaged', `The backup lacks a part of ${differing.join(', ')}.`)
  refuseOtherFiles(found, manifest)
  return await visitor.end(info, manifest)
}

export async function readFiles(entries: Entries, visit: FileVisitor) {
  const found: StoredFiles = { files: 0, bytes: 0 }
  for (; entries.name().startsWith('files/'); await entries.advance()) {
    const key = entries.name().slice('files/'.length)
    if (!isStoredFile(key))
      throw new BackupError('damaged', `The backup names a file that Meydan does not store: ${key}`)
    await visit(key, measured(entries.take(), found))
    found.files++
  }
  return found
}

export function refuseOtherFiles(found: StoredFiles, said: StoredFiles) {
  if (found.files !== said.files || found.bytes !== said.bytes)
    throw new BackupError('damaged', 'The backup lacks a part of its files.')
}

type Entry = AsyncIterable<unknown> & { header: Header }
export type Entries = Awaited<ReturnType<typeof entriesOf>>

/** The entries of an archive, one at a time. */
async function entriesOf(archive: AsyncIterable<Entry>, reading: Promise<void>) {
  const iterator = archive[Symbol.asyncIterator]()
  let current: Entry | undefined
  const advance = async () => {
    const { value, done } = await iterator.next()
    current = done ? undefined : value
  }
  await advance()
  const name = () => current?.header.name ?? ''
  /** The content of the current entry, which must have this name. */
  const take = (expected = name()) => {
    if (!current || name() !== expected)
      throw new BackupError('damaged', `The backup has no ${expected} where it should.`)
    return buffersOf(current)
  }
  return {
    advance,
    name,
    type: () => current?.header.type,
    take,
    text: async (expected: string) => {
      const content = await textOf(take(expected))
      await advance()
      return content
    },
    /** Reads what follows the last entry. */
    end: async () => {
      if (current) throw new BackupError('damaged', `The backup has an entry that it does not name: ${name()}`)
      await reading
    },
  }
}

/** Counts the bytes of a file. */
async function* measured(content: AsyncIterable<Buffer>, found: StoredFiles) {
  for await (const part of content) {
    found.bytes += part.length
    yield part
  }
}

async function* buffersOf(entry: AsyncIterable<unknown>) {
  for await (const part of entry) {
    if (!Buffer.isBuffer(part)) throw new TypeError('An archive consists of bytes')
    yield part
  }
}

async function textOf(content: AsyncIterable<Buffer>) {
  const parts: Buffer[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts).toString()
}

async function* tablesOf(entries: Entries, { tables }: DatabaseCopy): TableContents {
  while (entries.name().startsWith('tables/')) {
    const name = entries.name()
    const table = tables[Number(name.slice('tables/'.length))]
    if (!table) throw new BackupError('damaged', `The backup has rows of a table that it does not name: ${name}`)
    yield { table, content: partsOf(entries, name) }
    if (entries.name() === name) throw new Error(`The rows of ${name} were not read`)
  }
}

/** The content of a table, which is one entry or several with the same name. */
async function* partsOf(entries: Entries, name: string) {
  for (; entries.name() === name; await entries.advance()) yield* entries.take()
}
