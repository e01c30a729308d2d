import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import { codeOf } from '../lib/error-code.ts'
import { StartError } from '../lib/runtime/start-error.ts'
import { isStoredFile } from '../modules/media/storage/keys.ts'
import type { Manifest, Progress } from './backup.ts'
import { BackupError } from './backup-error.ts'
import { type BackupInfo, decryptBackup } from './backup-file.ts'
import type { CopiedTable, DatabaseCopy } from './database-copy.ts'
import type { BackupFile } from './targets/target.ts'

/** Takes the parts of a backup, which come in this order. A content must be read to its end. */
type Visitor<T> = {
  /** Before anything is read: may refuse the backup. */
  info: (info: BackupInfo) => Promise<void> | void
  /** Returns how many rows each table had. */
  database: (copy: DatabaseCopy, secret: string, tables: TableContents) => Promise<Manifest['rows']>
  file: (key: string, content: AsyncIterable<Buffer>) => Promise<void>
  /** After the last byte was read and found to be that of the backup. */
  end: (info: BackupInfo, manifest: Manifest) => Promise<T>
}

/** The tables that have rows, in the order of the copy. */
type TableContents = AsyncIterable<{ table: CopiedTable; content: AsyncIterable<Buffer> }>

type Reading = {
  file: Pick<BackupFile, 'open'>
  passphrase: string
  onProgress: Progress
  signal?: AbortSignal | undefined
}

/** Reads a backup from its first to its last byte. Throws UnreadableBackup; then nothing of it may be kept. */
export async function readBackup<T>(
  { file, passphrase, onProgress, signal }: Reading,
  visitor: Visitor<T>,
): Promise<T> {
  const { size: total, content: bytes } = await file.open(signal)
  let known: BackupInfo | undefined
  const archive = extract()
  const onInfo = (info: BackupInfo) => {
    known = info
    return visitor.info(info)
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
    (chunks: AsyncIterable<Buffer>) => decryptBackup(counted(chunks), passphrase, onInfo),
    createZstdDecompress(),
    archive,
    { signal },
  )
  // Awaited below. An error of the file also ends the archive, with less to say.
  reading.catch(() => undefined)
  try {
    const entries = await entriesOf(archive)
    const copy: DatabaseCopy = JSON.parse(await textOf(entries.take('database.json')))
    await entries.advance()
    const secret = await textOf(entries.take('secret.key'))
    await entries.advance()
    const found: Manifest = { rows: await visitor.database(copy, secret, tablesOf(entries, copy)), files: 0, bytes: 0 }
    for (; entries.name().startsWith('files/'); await entries.advance()) {
      const key = entries.name().slice('files/'.length)
      if (!isStoredFile(key))
        throw new BackupError('damaged', `The backup names a file that Meydan does not store: ${key}`)
      await visitor.file(key, measured(entries.take(), found))
      found.files++
    }
    const manifest: Manifest = JSON.parse(await textOf(entries.take('manifest.json')))
    await entries.advance()
    await reading
    refuseOther(found, manifest)
    if (!known) throw new Error('The backup has no first line')
    return await visitor.end(known, manifest)
  } catch (error) {
    archive.destroy()
    signal?.throwIfAborted()
    await reading.catch((cause) => {
      if (codeOf(cause) !== 'ERR_STREAM_PREMATURE_CLOSE' && !(error instanceof StartError)) throw cause
    })
    throw error
  }
}

type Entry = AsyncIterable<unknown> & { header: Header }
type Entries = Awaited<ReturnType<typeof entriesOf>>

/** The entries of an archive, one at a time. */
async function entriesOf(archive: AsyncIterable<Entry>) {
  const iterator = archive[Symbol.asyncIterator]()
  let current: Entry | undefined
  const advance = async () => {
    const { value, done } = await iterator.next()
    current = done ? undefined : value
  }
  await advance()
  const name = () => current?.header.name ?? ''
  return {
    advance,
    name,
    /** The content of the current entry, which must have this name. */
    take: (expected = name()) => {
      if (!current || name() !== expected)
        throw new BackupError('damaged', `The backup has no ${expected} where it should.`)
      return buffersOf(current)
    },
  }
}

/** Counts the bytes of a file. */
async function* measured(content: AsyncIterable<Buffer>, found: Manifest) {
  for await (const part of content) {
    found.bytes += part.length
    yield part
  }
}

function refuseOther(found: Manifest, said: Manifest) {
  const differing = Object.keys(said.rows).filter((name) => (found.rows[name] ?? 0) !== said.rows[name])
  if (differing.length > 0 || found.files !== said.files || found.bytes !== said.bytes)
    throw new BackupError('damaged', `The backup lacks a part of ${differing.join(', ') || 'its files'}.`)
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
