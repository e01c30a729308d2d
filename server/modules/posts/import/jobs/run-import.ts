import { sql } from 'kysely'
import { inTransaction } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Attempt } from '../../../../lib/runtime/jobs.ts'
import { enqueueImport } from '../imports.ts'
import { checkRows, readingOf, type StoredRow } from '../rows/check-rows.ts'
import { type KnownPosts, noKnownPosts } from '../rows/duplicates.ts'
import { lockForJob } from './lock-for-job.ts'
import { undoPosts } from './undo-posts.ts'
import { settleRest, writePosts } from './write-posts.ts'

/** Rows that are checked in one transaction, and their bytes. */
const BATCH = 500
const BATCH_BYTES = 2_000_000

/** Checks the next rows. Returns whether there may be more. */
const checkBatch = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string, known: KnownPosts) =>
  inTransaction(db, async (tx) => {
    const record = await lockForJob(tx, id, 'checking')
    if (!record) return false
    const { rows } = await sql<StoredRow>`
      select row, cells, faults from (
        select row, cells, faults, sum(bytes) over (order by row) - bytes as bytes_before
        from (
          select row, cells, faults, bytes from post_import_row
          where import_id = ${id} and state = 'unchecked' order by row limit ${BATCH}
        ) as unchecked
      ) as listed where bytes_before < ${BATCH_BYTES} order by row`.execute(tx)
    const now = clock.now()
    if (rows.length > 0) await checkRows(tx, record, rows, await readingOf(tx, record), { now, known })
    await tx
      .updateTable('post_import')
      .set({ updated_at: now, version: sql`version + 1`, ...(rows.length === 0 && { status: 'ready' }) })
      .where('id', '=', id)
      .execute()
    return rows.length > 0
  })

/** Does what the state of an import asks for, in batches. A job that died goes on with the rows that are left. */
export async function runImport(
  deps: Deps,
  { import_id }: { import_id: string },
  { isLast, stopped }: Pick<Attempt, 'isLast' | 'stopped'>,
) {
  const known = noKnownPosts()
  try {
    for (const batch of [checkBatch, writePosts, undoPosts])
      while (await batch(deps, import_id, known))
        if (stopped.aborted) return await inTransaction(deps.db, (tx) => enqueueImport(tx, import_id))
  } catch (error) {
    if (isLast) await settleRest(deps, import_id)
    throw error
  }
}
