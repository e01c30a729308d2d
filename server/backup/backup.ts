import type pg from 'pg'
import type { Pack } from 'tar-stream'
import { describeDatabase, fullName, inParts, readTable } from './database-copy.ts'
import type { BackupFile } from './targets/target.ts'
import {
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
  /** Rows by table. */
  rows: Record<string, number>
}

/**
 * Writes a backup: one snapshot of the database, every stored file and the secret key. Meydan can run meanwhile. Returns
 * its content, its size, and how many files of the media library are missing in storage.
 */
export const writeBackup = (file: BackupFile, source: Source) =>
  writeArchive(file, source, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    const info = await readInfo(client)
    const total = (await sizeOfTables(client)) + (await sizeOfFiles(client, source.storage))
    return { info, total, pack: (archive) => packAll(archive, client, source, total) }
  })

async function packAll(
  archive: Pack,
  client: pg.Client,
  { storage, secret, onProgress }: Source,
  total: number,
): Promise<{ manifest: Manifest; missing: number }> {
  const copy = await describeDatabase(client)
  let done = 0
  const proceed = (bytes: number) => {
    done += bytes
    onProgress(Math.min(done, total), total)
  }

  await packEntry(archive, 'database.json', JSON.stringify(copy))
  await packEntry(archive, 'secret.key', secret)
  const counts: Manifest['rows'] = {}
  for (const [index, table] of copy.tables.entries()) {
    const { stream, rows } = readTable(client, table)
    for await (const part of inParts(stream, PART)) {
      await packEntry(archive, `tables/${index}`, part)
      proceed(part.length)
    }
    counts[fullName(table)] = rows()
  }
  const { packed, missing } = await packFiles(archive, client, storage, proceed)
  const manifest = { rows: counts, ...packed }
  await packEntry(archive, 'manifest.json', JSON.stringify(manifest))
  return { manifest, missing }
}

/** About how many bytes the rows of a backup have. */
async function sizeOfTables(client: pg.Client) {
  const { rows } = await client.query<{ bytes: string }>(
    `select coalesce(sum(pg_table_size(oid)), 0)::text as bytes from pg_class
     where relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`,
  )
  return Number(rows[0]?.bytes ?? 0)
}
