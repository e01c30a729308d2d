import { type NotNull, sql } from 'kysely'
import type { Static } from 'typebox'
import { HOUR } from '../../../shared/time.ts'
import { invalid, invalidTransition, notFound } from '../../errors.ts'
import { audit, blankAuditEntries, system } from '../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member, User } from '../../lib/http/access.ts'
import type { WorkspaceStep } from '../../lib/lifecycle.ts'
import { findRole, lockWorkspaceAs } from './members/members.ts'
import type { DeleteWorkspace } from './workspaces.schema.ts'
import { readWorkspace } from './workspaces.ts'

/** Hours for which a deleted workspace can be restored. Not days, because the length of a day varies in time zones. */
const KEPT_HOURS = 30 * 24

const keptSince = (now: Date) => new Date(now.getTime() - KEPT_HOURS * HOUR)

/** Runs the steps of other modules. Call `finish` of the result last before the commit. */
async function runSteps(steps: WorkspaceStep[], tx: Tx, workspace_id: string, now: Date) {
  const done: Awaited<ReturnType<WorkspaceStep>>[] = []
  for (const step of steps) done.push(await step(tx, workspace_id, now))
  return {
    details: Object.fromEntries(done.flatMap(({ details }) => Object.entries(details))),
    finish: async () => {
      for (const { finish } of done) await finish()
    },
  }
}

type Deletion = Pick<Deps, 'clock' | 'invalidationBus' | 'lifecycle'>

/** Hides a workspace. `note` writes the audit entry. */
async function hideWorkspace(
  { clock, invalidationBus }: Deletion,
  tx: Tx,
  workspace: { id: string; name: string; slug: string },
  steps: WorkspaceStep[],
  note: (details: object) => Promise<void>,
) {
  const { id, name, slug } = workspace
  const now = clock.now()
  // Waits for posts that are being written, so that no scheduled post is missed.
  await tx.selectFrom('workspace').select('id').where('id', '=', id).forUpdate().execute()
  const { details, finish } = await runSteps(steps, tx, id, now)
  // No entry of a member can be written afterwards.
  await note({ before: { name, slug }, ...details })
  await tx.updateTable('workspace').set({ deleted_at: now, updated_at: now }).where('id', '=', id).execute()
  await invalidationBus.invalidate(tx, 'access')
  await finish()
}

/**
 * Hides a workspace from everybody. Scheduled posts become drafts, so that they are not published while it is deleted,
 * nor unexpectedly when it is restored.
 */
export const deleteWorkspace = (deps: Deps, caller: Member, { name }: Static<typeof DeleteWorkspace>) =>
  inTransaction(deps.db, async (tx) => {
    const { workspace } = await lockWorkspaceAs(tx, caller, 'owner')
    if (name.normalize('NFC') !== workspace.name.normalize('NFC'))
      throw invalid('/name', 'This does not match the name of the workspace.')
    await hideWorkspace(deps, tx, workspace, deps.lifecycle.onWorkspaceDeleted, (details) =>
      audit(tx, caller, 'workspace.deleted', workspace.id, { ...details }),
    )
  })

/** Deletes a workspace that moves to another installation. Its owners can restore it like any other. */
export async function closeWorkspace(deps: Deletion, tx: Tx, workspace_id: string) {
  const { onWorkspaceDeleted, onWorkspaceClosed } = deps.lifecycle
  const workspace = await tx
    .selectFrom('workspace')
    .select(['id', 'name', 'slug'])
    .where('id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!workspace) throw notFound()
  await hideWorkspace(deps, tx, workspace, [...onWorkspaceDeleted, ...onWorkspaceClosed], (details) =>
    audit(tx, system(workspace_id), 'workspace.exported', workspace_id, { closed: true, ...details }),
  )
}

/** Notes that a workspace was exported, and goes on here. */
export const noteExport = (db: Db, workspace_id: string) =>
  inTransaction(db, (tx) => audit(tx, system(workspace_id), 'workspace.exported', workspace_id, { closed: false }))

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
      sql<Date>`workspace.deleted_at + make_interval(hours => ${KEPT_HOURS})`.as('restorable_until'),
    ])
    .where('workspace_member.user_id', '=', user_id)
    .where('workspace_member.role', '=', 'owner')
    .where('workspace.deleted_at', '>', keptSince(clock.now()))
    .$narrowType<{ deleted_at: NotNull }>()

export const restoreWorkspace = ({ db, clock, lifecycle }: Deps, caller: User, id: string) =>
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
    const { finish } = await runSteps(lifecycle.onWorkspaceRestored, tx, workspace_id, now)
    await audit(tx, { ...caller, workspace_id }, 'workspace.restored', workspace_id, { before: { deleted_at } })
    await finish()
    return readWorkspace(tx, { user_id: caller.user_id, workspace_id })
  })

/**
 * Erases workspaces that can no longer be restored. A failure does not hold up the others. The audit log keeps who did
 * what and when. The erasure itself is an entry for instance admins, because members could no longer read it.
 */
export async function eraseDeletedWorkspaces(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'lifecycle'>) {
  const { db, clock, log } = deps
  const now = clock.now()
  const before = keptSince(now)
  const due = await db
    .selectFrom('workspace')
    .select('id')
    .where('deleted_at', '<=', before)
    .orderBy('deleted_at')
    .execute()
  const kept: string[] = []
  for (const { id } of due)
    try {
      await eraseWorkspace(deps, id, { before, now })
    } catch (err) {
      log.error({ err, workspace_id: id }, 'a deleted workspace could not be erased')
      kept.push(id)
    }
  if (kept.length > 0) throw new Error(`Deleted workspaces that could not be erased: ${kept.join(', ')}`)
}

const eraseWorkspace = (
  { db, lifecycle }: Pick<Deps, 'db' | 'lifecycle'>,
  id: string,
  { before, now }: { before: Date; now: Date },
) =>
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
    for (const step of lifecycle.onWorkspaceErased) await step(tx, id, now)
    await tx.deleteFrom('workspace').where('id', '=', id).execute()
    await blankAuditEntries(tx, { workspace_id: id })
    await audit(tx, system(), 'workspace.erased', id)
  })
