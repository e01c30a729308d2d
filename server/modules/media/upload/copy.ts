import { type SqlBool, sql } from 'kysely'
import { Problem } from '../../../errors.ts'
import { type Db, newId, type Tx } from '../../../lib/db/database.ts'
import { announceFolder, giveUpFolder } from '../storage/erasure.ts'
import { folderOf, originalKey, thumbnailKey } from '../storage/keys.ts'
import {
  assertRoom,
  assertStorage,
  erasedMeanwhile,
  type Owner,
  recordMedia,
  reviveKnown,
  type StoreDeps,
  type Stored,
} from './upload.ts'

const readSources = (db: Db, workspace_id: string, ids: readonly string[]) =>
  db
    .selectFrom('media')
    .select(['id', 'workspace_id', 'kind', 'mime', 'extension', 'bytes', 'width', 'height', 'duration_s', 'opaque'])
    .select(['alt', 'name', 'labels', 'sha256', 'placeholder', 'thumbnail_bytes'])
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
type Source = Awaited<ReturnType<typeof readSources>>[number]

/** A file for another workspace. `stored`: undefined if that workspace has the file already. */
type CopiedFile = { source: Source; stored: Stored | undefined }

async function knownHashes(db: Db, workspace_id: string, sources: readonly Source[]) {
  const hashes = sources.map(({ sha256 }) => sha256)
  const rows = await db
    .selectFrom('media')
    .select('sha256')
    .where('workspace_id', '=', workspace_id)
    .where(sql<SqlBool>`sha256 = any(${hashes}::text[])`)
    .execute()
  return new Set(rows.map(({ sha256 }) => sha256))
}

/** Copies one file in the storage. undefined: it was erased. */
async function copyFile(deps: StoreDeps, workspace_id: string, source: Source): Promise<Stored | undefined> {
  const { db, storage } = deps
  const { sha256, placeholder, thumbnail_bytes } = source
  const id = await newId(db)
  const folder = await announceFolder(deps, { id, workspace_id })
  const from = folderOf(source)
  try {
    await storage.copy(originalKey(from), originalKey(folder.folder))
    if (thumbnail_bytes !== null) await storage.copy(thumbnailKey(from), thumbnailKey(folder.folder))
  } catch (error) {
    await giveUpFolder(db, folder)
    if (error instanceof Problem && error.code === 'not_found') return
    throw error
  }
  return { id, folder, facts: source, sha256, placeholder, thumbnail_bytes }
}

/**
 * Copies files of a workspace into the storage of another, without those that it has. Nothing has a record yet, so that
 * all of it is erased if the process dies. Deleted files are left out.
 */
export async function copyFiles(
  deps: StoreDeps,
  { from, to }: { from: string; to: string },
  ids: readonly string[],
): Promise<CopiedFile[]> {
  if (ids.length === 0) return []
  const sources = await readSources(deps.db, from, ids)
  const known = await knownHashes(deps.db, to, sources)
  const missing = sources.filter(({ sha256 }) => !known.has(sha256))
  const bytes = missing.reduce((sum, source) => sum + source.bytes, 0)
  if (bytes > 0) await assertRoom(deps, { workspace_id: to }, bytes)
  const copied: CopiedFile[] = []
  try {
    for (const source of sources) {
      if (known.has(source.sha256)) copied.push({ source, stored: undefined })
      else {
        const stored = await copyFile(deps, to, source)
        if (stored) copied.push({ source, stored })
      }
    }
  } catch (error) {
    await giveUpCopies(deps, copied)
    throw error
  }
  return copied
}

/** Erases what was copied and has no record. */
export async function giveUpCopies({ db }: Pick<StoreDeps, 'db'>, copied: readonly CopiedFile[]) {
  for (const { stored } of copied) if (stored) await giveUpFolder(db, stored.folder)
}

/** Writes the records of copied files. Returns their ids by those of the files that they were copied from. */
export async function recordCopies(
  tx: Tx,
  deps: Pick<StoreDeps, 'clock'>,
  owner: Owner,
  copied: readonly CopiedFile[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const { source, stored } of copied) {
    const { name, alt, labels, sha256 } = source
    const id = stored
      ? (await recordMedia(tx, deps, owner, stored, { name, alt, labels })).id
      : await reviveKnown(tx, owner, sha256, deps.clock.now())
    if (id === undefined) throw erasedMeanwhile()
    ids.set(source.id, id)
  }
  return ids
}

/** Checks the storage of the plan. The last statement of a transaction that recorded copies. */
export async function assertStorageOfCopies(
  tx: Tx,
  { clock }: Pick<StoreDeps, 'clock'>,
  workspace_id: string,
  copied: readonly CopiedFile[],
) {
  const bytes = copied.reduce((sum, { source, stored }) => sum + (stored ? source.bytes : 0), 0)
  if (bytes > 0) await assertStorage(tx, workspace_id, bytes, clock.now())
}
