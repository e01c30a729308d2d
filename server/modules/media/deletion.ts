import { type NotNull, type RawBuilder, type SqlBool, sql } from 'kysely'
import { DAY } from '../../../shared/time.ts'
import { invalidTransition, notFound, problem } from '../../errors.ts'
import { audit } from '../../lib/db/audit.ts'
import { type Db, inTransaction, nextUpdatedAt, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { addJob } from '../../lib/runtime/jobs.ts'
import { lockMedia, readMedia } from './media.ts'

/** Time in which a deleted file can be restored. */
const KEPT_MS = DAY
/** Rows erased per statement. */
const BATCH = 1000
/** Posts, gigs and orders each that a refusal and a list of uses name. */
const MAX_USES = 100

const keptSince = (now: Date) => new Date(now.getTime() - KEPT_MS)

type Uses = Pick<Deps, 'lifecycle'>

async function findUses({ lifecycle }: Uses, db: Db, id: string) {
  return (await Promise.all(lifecycle.mediaUses.map((find) => find(db, [id])))).flat()
}

function listedUses(found: Awaited<ReturnType<typeof findUses>>) {
  const idsOf = (kind: 'post_id' | 'recurring_post_id' | 'gig_id' | 'order_id') =>
    [...new Set(found.flatMap((use) => use[kind] ?? []))].slice(0, MAX_USES)
  return {
    post_ids: idsOf('post_id'),
    recurring_post_ids: idsOf('recurring_post_id'),
    gig_ids: idsOf('gig_id'),
    order_ids: idsOf('order_id'),
  }
}

export async function listUses({ db, lifecycle }: Pick<Deps, 'db'> & Uses, caller: Member, id: string) {
  await readMedia(db, caller, id)
  const found = await findUses({ lifecycle }, db, id)
  const approved = new Set(found.flatMap((use) => (use.loses_approval ? (use.post_id ?? []) : [])))
  return { ...listedUses(found), approved_posts: approved.size }
}

async function refuseUsed(deps: Uses, tx: Tx, id: string) {
  const uses = listedUses(await findUses(deps, tx, id))
  if (Object.values(uses).some((ids) => ids.length > 0))
    throw problem('media_in_use', {
      detail:
        'Remove the file from the posts and gigs that have it, or delete them, and try again. Files of orders are kept.',
      extra: uses,
    })
}

type DeletionDeps = Pick<Deps, 'db' | 'clock' | 'lifecycle'>

/** Deletes a file. It can be restored for a day, unless `permanent`. */
export const deleteMedia = (
  { db, clock, lifecycle }: DeletionDeps,
  caller: Member,
  id: string,
  { permanent = false }: { permanent?: boolean },
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { name, bytes } = await lockMedia(tx, caller, id, permanent ? keptSince(now) : undefined)
    await refuseUsed({ lifecycle }, tx, id)
    if (permanent) {
      await eraseRows(tx, sql<SqlBool>`id = ${id}`)
      await addJob(tx, 'erase-stored-files', {})
    } else
      await tx
        .updateTable('media')
        .set({ deleted_at: now, updated_at: nextUpdatedAt(now) })
        .where('id', '=', id)
        .execute()
    await audit(tx, caller, permanent ? 'media.erased' : 'media.deleted', id, { name, bytes })
  })

/** Selects files that can be restored, of all workspaces: `pageOfWorkspace` selects those of one. */
export const listDeletedMedia = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, since?: string) =>
  db
    .selectFrom('media')
    .select(['media.id', 'media.kind', 'media.name', 'media.bytes', 'media.placeholder', 'media.uploaded_by_id'])
    .select('media.deleted_at')
    .where('media.deleted_at', 'is not', null)
    .$narrowType<{ deleted_at: NotNull }>()
    .where('media.deleted_at', '>=', since ? new Date(since) : keptSince(clock.now()))

export const restoreMedia = ({ db, clock }: Pick<Deps, 'db' | 'clock'>, caller: Member, id: string) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { deleted_at } = await lockMedia(tx, caller, id, keptSince(now))
    if (!deleted_at) throw invalidTransition('available', 'restore a file that was not deleted')
    await restoreRow(tx, caller, id, now)
    return readMedia(tx, caller, id)
  })

export async function restoreRow(tx: Tx, actor: Parameters<typeof audit>[1], id: string, now: Date) {
  const { numUpdatedRows } = await tx
    .updateTable('media')
    .set({ deleted_at: null, updated_at: nextUpdatedAt(now) })
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw notFound()
  await audit(tx, actor, 'media.restored', id)
}

/** Deletes rows, and lets the job erase their files. Returns how many. */
async function eraseRows(tx: Tx, where: RawBuilder<SqlBool>) {
  const { numAffectedRows = 0n } = await sql`
    with erased as (delete from media where ${where} returning workspace_id, id)
    insert into storage_erasure (folder, due_at) select workspace_id || '/' || id, '-infinity' from erased
    on conflict (folder) do update set due_at = excluded.due_at`.execute(tx)
  return numAffectedRows
}

/** Erases files that can no longer be restored. */
export async function eraseDeletedMedia({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const before = keptSince(clock.now())
  for (;;) {
    const erased = await inTransaction(db, (tx) =>
      eraseRows(
        tx,
        sql<SqlBool>`deleted_at < ${before}
          and id = any(array(select id from media where deleted_at < ${before} limit ${BATCH}))`,
      ),
    )
    if (erased < BATCH) return
  }
}

export const eraseMediaOfWorkspace = (tx: Tx, workspace_id: string) =>
  eraseRows(tx, sql<SqlBool>`workspace_id = ${workspace_id}`)
