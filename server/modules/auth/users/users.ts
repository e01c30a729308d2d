import { sql } from 'kysely'
import { invalidTransition, notFound, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { contains } from '../../../lib/db/contains.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { User } from '../../../lib/http/access.ts'
import type { InvalidationBus } from '../../../lib/runtime/caches/invalidation-bus.ts'
import { lockSetUp } from '../instance-admin.ts'
import { endSessions } from '../sessions/own-sessions.ts'

type Deps = { db: Db; invalidationBus: InvalidationBus; clock: { now: () => Date } }

/** Lists all users, or those with `search` in their address or name. */
export function listUsers(db: Db, search = '') {
  const users = db
    .selectFrom('user')
    .select((columns) => [
      'id',
      'email',
      'name',
      'email_verified',
      'is_instance_admin',
      'two_factor_enabled',
      'banned_at',
      'ban_reason',
      'created_at',
      columns
        .selectFrom('workspace_member')
        .innerJoin('workspace', 'workspace.id', 'workspace_member.workspace_id')
        .whereRef('workspace_member.user_id', '=', 'user.id')
        .where('workspace.deleted_at', 'is', null)
        .select(sql<number>`count(*)::int`.as('count'))
        .as('workspaces'),
    ])
    .$narrowType<{ workspaces: number }>()
  if (search === '') return users
  return users.where((where) => where.or([contains('email', search), contains('name', search)]))
}

/** Reads a user as others see them; undefined if deleted. */
export const personById = async (db: Db, id: string | null) =>
  id === null
    ? undefined
    : db.selectFrom('user').select(['id', 'name', 'email']).where('id', '=', id).executeTakeFirst()

async function readUser(db: Db, id: string) {
  const user = await listUsers(db).where('user.id', '=', id).executeTakeFirst()
  if (!user) throw notFound()
  return user
}

/**
 * Locks both rows in one order, so that two admins cannot ban each other. Nor can an admin ban the last other one while
 * deleting their own account.
 */
async function lockAdminAnd(tx: Tx, caller: User, id: string) {
  await lockSetUp(tx)
  const rows = await tx
    .selectFrom('user')
    .select(['id', 'banned_at', 'is_instance_admin'])
    .where(sql<boolean>`id = any(${[caller.user_id, id]}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  const admin = rows.find((row) => row.id === caller.user_id)
  if (!admin?.is_instance_admin || admin.banned_at) throw problem('unauthenticated')
  const user = rows.find((row) => row.id === id)
  if (!user) throw notFound()
  return user
}

/** Ends all sessions of a user and refuses new ones and tokens. Admins cannot ban themselves. */
export const banUser = (deps: Deps, caller: User, id: string, reason?: string) =>
  inTransaction(deps.db, async (tx) => {
    if (id.toLowerCase() === caller.user_id) throw invalidTransition('signed_in', 'ban yourself')
    const user = await lockAdminAnd(tx, caller, id.toLowerCase())
    if (!user.banned_at) {
      await tx
        .updateTable('user')
        .set({ banned_at: deps.clock.now(), ban_reason: reason ?? null, updated_at: sql`now()` })
        .where('id', '=', user.id)
        .execute()
      await endSessions(deps, tx, user.id)
      await audit(tx, { ...caller, workspace_id: null }, 'user.banned', user.id, { ...(reason && { reason }) })
    }
    return readUser(tx, user.id)
  })

export const unbanUser = (deps: Deps, caller: User, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const user = await lockAdminAnd(tx, caller, id.toLowerCase())
    if (user.banned_at) {
      await tx
        .updateTable('user')
        .set({ banned_at: null, ban_reason: null, updated_at: sql`now()` })
        .where('id', '=', user.id)
        .execute()
      await audit(tx, { ...caller, workspace_id: null }, 'user.unbanned', user.id)
    }
    return readUser(tx, user.id)
  })
