import type pg from 'pg'
import type { Pack } from 'tar-stream'
import type { StoredFile } from '../modules/media/storage/storage.ts'
import {
  allRows,
  type CopiedTable,
  type DatabaseCopy,
  describeDatabase,
  fullName,
  inParts,
  readRows,
} from './database-copy.ts'
import type { BackupFile } from './targets/target.ts'
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
} from './write-archive.ts'

/** Size of the parts into which the rows of a table are cut, in bytes. */
const PART = 4 << 20

/** The last entry of a backup: what all entries before it contain. */
export type Manifest = StoredFiles & {
  rows: Record<string, number>
}

/** Content of a file, as the transaction of a connection sees it. */
type Content = {
  copy: DatabaseCopy
  /** The text of `secret.key`: the key that opens what is sealed in the rows. */
  secret: string
  queryOf: (table: CopiedTable) => string
  files: () => AsyncIterable<StoredFile>
  /** Files of the media library, each of which has an original. */
  media: number
  /** About how many bytes the rows have. */
  rowBytes: number
  /** Id of the workspace, if it is only one. */
  workspace?: string
}

/**
 * Writes a backup: one snapshot of the database, every stored file and the secret key (`secret`, that is SECRET_KEY).
 * Meydan can run meanwhile. Returns its content, its size, and how many files of the media library are missing in
 * storage.
 */
export const writeBackup = (file: BackupFile, { secret, ...source }: Source & { secret: string }) =>
  writeSnapshot(file, source, async (client) => {
    await client.query('set transaction read only')
    return {
      copy: await describeDatabase(client),
      secret,
      queryOf: allRows,
      files: () => filesOfSnapshot(client, source.storage.list()),
      media: await countMedia(client),
      rowBytes: await sizeOfTables(client),
    }
  })

/** Writes what `describe` finds in one snapshot of the database. */
export const writeSnapshot = (file: BackupFile, source: Source, describe: (client: pg.Client) => Promise<Content>) =>
  writeArchive(file, source, async (client) => {
    await client.query('begin isolation level repeatable read')
    const content = await describe(client)
    const { workspace } = content
    const info = { ...(await readInfo(client)), ...(workspace !== undefined && { workspace }) }
    const total = content.rowBytes + (await sizeOfFiles(content.files()))
    return { info, total, pack: (archive) => packAll(archive, client, { ...source, ...content, total }) }
  })

async function packAll(
  archive: Pack,
  client: pg.Client,
  { storage, copy, secret, queryOf, files, media, onProgress, total }: Source & Content & { total: number },
): Promise<{ manifest: Manifest; missing: number }> {
  let done = 0
  const proceed = (bytes: number) => {
    done += bytes
    onProgress(Math.min(done, total), total)
  }

  await packEntry(archive, 'database.json', JSON.stringify(copy))
  await packEntry(archive, 'secret.key', secret)
  const counts: Manifest['rows'] = {}
  for (const [index, table] of copy.tables.entries()) {
    const { stream, rows } = readRows(client, queryOf(table))
    for await (const part of inParts(stream, PART)) {
      await packEntry(archive, `tables/${index}`, part)
      proceed(part.length)
    }
    counts[fullName(table)] = rows()
  }
  const { packed, originals } = await packFiles(archive, storage, files(), proceed)
  const manifest = { rows: counts, ...packed }
  await packEntry(archive, 'manifest.json', JSON.stringify(manifest))
  return { manifest, missing: Math.max(0, media - originals) }
}

async function sizeOfTables(client: pg.Client) {
  const { rows } = await client.query<{ bytes: string }>(
    `select coalesce(sum(pg_table_size(oid)), 0)::text as bytes from pg_class
     where relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  )
  return Number(rows[0]?.bytes ?? 0)
}
