import { sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import { isLocked, locks } from '../../../lib/db/locks.ts'
import type { Deps } from '../../../lib/deps.ts'
import { folderOf } from './keys.ts'

/** Time after which what an upload stored is erased, unless the upload has ended. */
const UPLOAD_MS = DAY
const BATCH = 100

/** A folder that is erased unless `keepFolder` is called in time. */
export type NewFolder = { folder: string; due_at: Date }

/** Committed before anything is stored in the folder, so that nothing is left of an upload whose process died. */
export async function announceFolder(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  media: { id: string; workspace_id: string },
): Promise<NewFolder> {
  const values = { folder: folderOf(media), due_at: new Date(clock.now().getTime() + UPLOAD_MS) }
  await db.insertInto('storage_erasure').values(values).execute()
  return values
}

/** Time after which the files of an import are erased, unless it has ended. */
const IMPORT_MS = 7 * DAY

/** The same for all files of a workspace that is imported. */
export async function announceImport(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  workspace_id: string,
): Promise<NewFolder> {
  const values = { folder: workspace_id, due_at: new Date(clock.now().getTime() + IMPORT_MS) }
  await db
    .insertInto('storage_erasure')
    .values(values)
    .onConflict((conflict) => conflict.column('folder').doUpdateSet({ due_at: values.due_at }))
    .execute()
  return values
}

/** Whether what is stored in a folder is to be erased, such as that of an import that did not end. */
export const isAnnounced = async (db: Db, folder: string) =>
  (await db.selectFrom('storage_erasure').select('folder').where('folder', '=', folder).execute()).length > 0

/** Forgets a folder in which nothing is stored any more. */
export const forgetFolder = (db: Db, { folder, due_at }: NewFolder) =>
  db.deleteFrom('storage_erasure').where('folder', '=', folder).where('due_at', '=', due_at).execute()

/** Keeps a folder, with the transaction that needs it. false: it is being erased. */
export async function keepFolder(tx: Tx, { folder, due_at }: NewFolder) {
  const { numDeletedRows } = await tx
    .deleteFrom('storage_erasure')
    .where('folder', '=', folder)
    .where('due_at', '=', due_at)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Erases a folder with the next run of the job. */
export const giveUpFolder = (db: Db, { folder }: NewFolder) =>
  db
    .updateTable('storage_erasure')
    .set({ due_at: sql<Date>`'-infinity'::timestamptz` })
    .where('folder', '=', folder)
    .execute()

type Erasing = Pick<Deps, 'db' | 'storage' | 'clock' | 'timings' | 'log'>

/** Erases the folders that are due. A lease keeps others from the same ones, so that no transaction is open meanwhile. */
export async function eraseStoredFiles({ db, storage, clock, timings, log }: Erasing) {
  const failed: string[] = []
  // The snapshot of a running backup can still name them.
  while (!(await isLocked(db, locks.backup))) {
    const now = clock.now()
    const lease = new Date(now.getTime() + timings.erasureLease)
    const { rows } = await sql<{ folder: string }>`
      update storage_erasure set due_at = ${lease} where folder = any(array(
        select folder from storage_erasure where due_at <= ${now} order by due_at limit ${BATCH} for update skip locked))
      returning folder`.execute(db)
    for (const { folder } of rows)
      try {
        await storage.erase(folder)
        await db.deleteFrom('storage_erasure').where('folder', '=', folder).where('due_at', '=', lease).execute()
      } catch (err) {
        log.warn({ err, folder }, 'files could not be erased')
        failed.push(folder)
      }
    if (rows.length < BATCH) break
  }
  if (failed.length > 0) throw new Error(`${failed.length} folders of files could not be erased`)
}
