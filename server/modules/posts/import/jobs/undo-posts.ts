import { sql } from 'kysely'
import { Problem } from '../../../../errors.ts'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { readActingMember } from '../../../workspaces/members/acting-member.ts'
import { deletePosts } from '../../authoring/deletion.ts'
import { lockForJob } from './lock-for-job.ts'

/** Posts that are deleted in one transaction. */
const BATCH = 200

const mark = (tx: Tx, import_id: string, rows: readonly number[], state: 'undone' | 'kept') =>
  tx
    .updateTable('post_import_row')
    .set({ state })
    .where('import_id', '=', import_id)
    .where(sql<boolean>`row = any(${rows}::int[])`)
    .execute()

/** Posts of rows that are still to be undone. `is_open`: nothing of it went out. */
const nextRows = (tx: Tx, import_id: string, limit: number) =>
  tx
    .selectFrom('post_import_row')
    .leftJoin('post', (join) => join.onRef('post.id', '=', 'post_id').on('post.deleted_at', 'is', null))
    .select(['row', 'post.id as post_id', sql<boolean>`post.status in ('draft', 'scheduled')`.as('is_open')])
    .where('import_id', '=', import_id)
    .where('state', '=', 'written')
    .orderBy('row')
    .limit(limit)
    .execute()

async function undoRows(deps: Deps, tx: Tx, author: Member, import_id: string, limit: number) {
  const rows = await nextRows(tx, import_id, limit)
  const kept = rows.filter(({ post_id, is_open }) => post_id && !is_open).map(({ row }) => row)
  await mark(tx, import_id, kept, 'kept')
  await mark(
    tx,
    import_id,
    rows.map(({ row }) => row).filter((row) => !kept.includes(row)),
    'undone',
  )
  const open = rows.flatMap(({ post_id, is_open }) => (post_id && is_open ? [post_id] : []))
  await deletePosts(deps, tx, author, open)
  return rows.length
}

const undoBatch = (deps: Deps, id: string, limit: number) =>
  inTransaction(deps.db, async (tx) => {
    const record = await lockForJob(tx, id, 'undoing')
    if (!record) return false
    const author = await readActingMember(
      tx,
      { user_id: record.acting_id, workspace_id: record.workspace_id },
      'author',
    )
    const count = author ? await undoRows(deps, tx, author, id, limit) : 0
    await tx
      .updateTable('post_import')
      .set({ version: sql`version + 1`, updated_at: deps.clock.now(), ...(count === 0 && { status: 'undone' }) })
      .where('id', '=', id)
      .execute()
    return count > 0
  })

/** Deletes the posts of the next rows again. Returns whether there may be more. */
export async function undoPosts(deps: Deps, id: string) {
  for (const size of [BATCH, 1])
    try {
      return await undoBatch(deps, id, size)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  // It began to be published meanwhile, or belongs to another author.
  await inTransaction(deps.db, async (tx) => {
    if (!(await lockForJob(tx, id, 'undoing'))) return
    const [next] = await nextRows(tx, id, 1)
    if (next) await mark(tx, id, [next.row], 'kept')
  })
  return true
}
