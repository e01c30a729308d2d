import { type NotNull, sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, invalidTransition, notFound } from '../../errors.ts'
import { audit, system } from '../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member, User } from '../../lib/http/access.ts'
import { release } from '../../lib/limits.ts'
import { findRole, lockWorkspaceAs } from './members.ts'
import type { DeleteWorkspace } from './workspaces.schema.ts'
import { readWorkspace } from './workspaces.ts'

/** Hours for which a deleted workspace can be restored. Not days, because the length of a day varies in time zones. */
const KEPT_HOURS = 30 * 24

const keptSince = (now: Date) => new Date(now.getTime() - KEPT_HOURS * 3600_000)

/**
 * Turns scheduled posts into drafts. Posts belong to a module above this one, so only their table is named.
 * `releaseQuota` frees their quota until they are scheduled again. Call it last before the commit.
 */
async function unschedulePosts(tx: Tx, workspace_id: string, now: Date) {
  const { rows } = await sql<{ month: string | null; posts: number }>`
    with unscheduled as (
      update post set status = 'draft', scheduled_at = null, counted_in = null,
        updated_at = greatest(updated_at + interval '1 ms', ${now}::timestamptz)
      where workspace_id = ${workspace_id} and status = 'scheduled' and deleted_at is null
      returning old.counted_in
    ) select counted_in::text as month, count(*)::int as posts from unscheduled group by 1 order by 1`.execute(tx)
  return {
    count: rows.reduce((sum, { posts }) => sum + posts, 0),
    releaseQuota: async () => {
      for (const { month, posts } of rows)
        if (month !== null) await release(tx, { workspace_id, meter: 'posts_per_month', amount: posts, month })
    },
  }
}

/**
 * Hides a workspace from everybody. Scheduled posts become drafts, so that they are not published while it is deleted,
 * nor unexpectedly when it is restored.
 */
export const deleteWorkspace = (
  { db, clock, invalidationBus }: Deps,
  caller: Member,
  { name }: Static<typeof DeleteWorkspace>,
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { id, ...workspace } = (await lockWorkspaceAs(tx, caller, 'owner')).workspace
    if (name.normalize('NFC') !== workspace.name.normalize('NFC'))
      throw invalid('/name', 'This does not match the name of the workspace.')
    // Waits for posts that are being written, so that no scheduled post is missed.
    await tx.selectFrom('workspace').select('id').where('id', '=', id).forUpdate().execute()
    await tx.updateTable('workspace').set({ deleted_at: now, updated_at: now }).where('id', '=', id).execute()
    const unscheduled = await unschedulePosts(tx, id, now)
    await invalidationBus.invalidate(tx, 'access')
    await audit(tx, caller, 'workspace.deleted', id, {
      before: { name: workspace.name, slug: workspace.slug },
      unscheduled_posts: unscheduled.count,
    })
    await unscheduled.releaseQuota()
  })

/** Workspaces that the caller owns and may still restore. */
export const listDeletedWorkspaces = ({ db, clock }: Deps, { user_id }: User) =>
  db
    .selectFrom('workspace')
    .innerJoin('workspace_member', 'workspace_member.workspace_id', 'workspace.id')
    .select([
      'workspace.id',
      'workspace.name',
      'workspace.slug',
      'workspace.deleted_at',
      sql<Date>`workspace.deleted_at + make_interval(hours => ${KEPT_HOURS})`.as('erased_at'),
    ])
    .where('workspace_member.user_id', '=', user_id)
    .where('workspace_member.role', '=', 'owner')
    .where('workspace.deleted_at', '>', keptSince(clock.now()))
    .$narrowType<{ deleted_at: NotNull }>()

export const restoreWorkspace = ({ db, clock }: Deps, caller: User, id: string) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const workspace = await tx
      .selectFrom('workspace')
      .select(['id', 'deleted_at'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!workspace || (await findRole(tx, workspace.id, caller.user_id)) !== 'owner') throw notFound()
    const { id: workspace_id, deleted_at } = workspace
    if (!deleted_at) throw invalidTransition('active', 'restore a workspace')
    if (deleted_at <= keptSince(now)) throw notFound()
    await tx
      .updateTable('workspace')
      .set({ deleted_at: null, updated_at: now })
      .where('id', '=', workspace_id)
      .execute()
    // A member who was editing a post during the deletion may have scheduled it afterwards.
    const unscheduled = await unschedulePosts(tx, workspace_id, now)
    await audit(tx, { ...caller, workspace_id }, 'workspace.restored', workspace_id, { before: { deleted_at } })
    await unscheduled.releaseQuota()
    return readWorkspace(tx, { user_id: caller.user_id, workspace_id })
  })

/**
 * Erases workspaces that can no longer be restored. A failure does not hold up the others. The audit log keeps who did
 * what and when. The erasure itself is an entry for instance admins, because members could no longer read it.
 */
export async function eraseDeletedWorkspaces({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>) {
  const before = keptSince(clock.now())
  const due = await db
    .selectFrom('workspace')
    .select('id')
    .where('deleted_at', '<=', before)
    .orderBy('deleted_at')
    .execute()
  const kept: string[] = []
  for (const { id } of due)
    try {
      await eraseWorkspace(db, id, before)
    } catch (err) {
      log.error({ err, workspace_id: id }, 'a deleted workspace could not be erased')
      kept.push(id)
    }
  if (kept.length > 0) throw new Error(`Deleted workspaces that could not be erased: ${kept.join(', ')}`)
}

const eraseWorkspace = (db: Db, id: string, before: Date) =>
  inTransaction(db, async (tx) => {
    // A large workspace takes long, and no request waits for it.
    await sql`set local statement_timeout = 0`.execute(tx)
    const workspace = await tx
      .selectFrom('workspace')
      .select('id')
      .where('id', '=', id)
      .where('deleted_at', '<=', before)
      .forUpdate()
      .executeTakeFirst()
    if (!workspace) return
    // Rows that refer to accounts are deleted before them; the rest is deleted with the workspace.
    await tx.deleteFrom('playground_post').where('workspace_id', '=', id).execute()
    await tx.deleteFrom('post').where('workspace_id', '=', id).execute()
    await tx.deleteFrom('workspace').where('id', '=', id).execute()
    await sql`select blank_audit_entries(${id}::uuid, null)`.execute(tx)
    await audit(tx, system(), 'workspace.erased', id)
  })
