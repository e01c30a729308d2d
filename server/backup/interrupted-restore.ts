import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import { codeOf } from '../lib/error-code.ts'
import { StartError } from '../lib/runtime/start-error.ts'
import { mediaIdOf } from '../modules/media/storage/keys.ts'
import type { Storage } from '../modules/media/storage/storage.ts'

/** Folder of DATA_DIR for files on their way to the storage. */
export const TEMPORARY = 'restore-'
/** Stands in the storage while a restore stores files there: it lets the next one tell them from files in use. */
const MARKER_FOLDER = 'restore'
const MARKER = `${MARKER_FOLDER}/started`

type Marker = { database: string; backup_at: string }

/** Identifies a database, also among servers. */
async function identityOf(client: pg.Client) {
  const { rows } = await client.query<{ identity: string }>(
    `select system_identifier || '/' || (select oid from pg_database where datname = current_database()) as identity
     from pg_control_system()`,
  )
  return rows[0]?.identity ?? ''
}

export async function markRestore(client: pg.Client, storage: Storage, backup_at: string) {
  const marker: Marker = { database: await identityOf(client), backup_at }
  await storage.put(MARKER, Buffer.from(JSON.stringify(marker)), 'application/json')
}

export const unmarkRestore = (storage: Storage) => storage.erase(MARKER_FOLDER)

async function readMarker(storage: Storage): Promise<Marker | undefined> {
  try {
    return JSON.parse(await text(await storage.open(MARKER)))
  } catch (error) {
    if (codeOf(error) !== 'not_found') throw error
  }
}

/**
 * Erases what a restore into this database stored before it was killed; its rows were never committed. Files that are
 * newer than its backup are in use by an installation, and then nothing is erased.
 */
export async function eraseInterruptedRestore(
  client: pg.Client,
  { storage, dataDir, log }: { storage: Storage; dataDir: string; log: (message: string) => void },
) {
  for (const name of await readdir(dataDir))
    if (name.startsWith(TEMPORARY)) await rm(join(dataDir, name), { recursive: true, force: true })
  const marker = await readMarker(storage)
  if (!marker) return
  if (marker.database !== (await identityOf(client)))
    throw new StartError(
      `The storage has files of a restore into another database, which was interrupted. Erase them, and ${MARKER}, if no installation uses them.`,
    )
  const folders = new Set<string>()
  for await (const { key } of storage.list()) {
    if (createdAt(mediaIdOf(key)) > Date.parse(marker.backup_at)) return
    folders.add(key.split('/', 2).join('/'))
  }
  log(`Erasing what a restore that was interrupted had stored: ${folders.size} files of the media library.`)
  for (const folder of folders) await storage.erase(folder)
  await unmarkRestore(storage)
}

/** Time in a UUIDv7, in milliseconds. */
const createdAt = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16)
