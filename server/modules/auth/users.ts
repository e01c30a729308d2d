import { sql } from 'kysely'
import { invalidTransition, notFound, problem } from '../../errors.ts'
import type { User } from '../../lib/access.ts'
import { audit } from '../../lib/audit.ts'
import { type Db, inTransaction, type Tx } from '../../lib/database.ts'
import type { Pulse } from '../../lib/pulse.ts'
import { lockSetUp } from './auth.ts'
import { endSessions } from './own-sessions.ts'

type Deps = { db: Db; pulse: Pulse; clock: { now: () => Date } }

/** Everybody on this instance, or those whose address or name has `search` in it. */
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
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return users.where((where) => where.or([where('email', 'ilike', pattern), where('name', 'ilike', pattern)]))
}

/** Who that is, as others see them; undefined for who is no longer here. */
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
 * Both rows in one order: two admins who ban each other at once must not both succeed. Nor may one ban who is leaving:
 * the instance would be without an admin.
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

/** Ends all sessions of a person at once and lets none be opened; tokens are refused. Nobody bans themselves. */
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
