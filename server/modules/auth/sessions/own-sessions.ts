import { sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { User } from '../../../lib/http/access.ts'
import type { InvalidationBus } from '../../../lib/runtime/caches/invalidation-bus.ts'
import { revokeSignInGrants } from './sign-in-grants.ts'

type Deps = { db: Db; invalidationBus: InvalidationBus }

/** Like `lockUser`, for sign-ins: a deleted account gets the same response as an unknown one. */
export const lockUserIfThere = (tx: Tx, id: string) =>
  tx.selectFrom('user').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Locks a user's row. Changes of password, address, second factor or ban take this lock first, so that they cannot
 * deadlock.
 */
export async function lockUser(tx: Tx, id: string) {
  const user = await lockUserIfThere(tx, id)
  if (!user) throw notFound()
  return user
}

export const listSessions = (db: Db, { user_id, session_id }: User, now: Date) =>
  db
    .selectFrom('session')
    .select((columns) => [
      'id',
      sql<string | null>`nullif(ip_address, '')`.as('ip_address'),
      sql<string | null>`nullif(user_agent, '')`.as('user_agent'),
      'created_at',
      'seen_at as last_used_at',
      'expires_at',
      columns('id', '=', session_id).$castTo<boolean>().as('current'),
    ])
    .where('user_id', '=', user_id)
    .where('expires_at', '>', now)

/** Ends all sessions of a user on every node, except `except`. Announces that access changed. */
export async function endSessions(
  { invalidationBus }: Pick<Deps, 'invalidationBus'>,
  tx: Tx,
  user_id: string,
  { except = null }: { except?: string | null } = {},
) {
  const ended = await tx
    .deleteFrom('session')
    .where('user_id', '=', user_id)
    .where('id', 'is distinct from', except)
    .returning('id')
    .execute()
  await invalidationBus.invalidate(tx, 'access')
  return ended.map(({ id }) => id)
}

export const endSession = (deps: Deps, caller: User, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const ended = await tx
      .deleteFrom('session')
      .where('id', '=', id)
      .where('user_id', '=', caller.user_id)
      .returning('id')
      .executeTakeFirst()
    if (!ended) throw notFound()
    await deps.invalidationBus.invalidate(tx, 'access')
    await audit(tx, { ...caller, workspace_id: null }, 'user.session_ended', id)
  })

/** Also ends sign-ins that wait for a second factor, which would become sessions. */
export const endOtherSessions = (deps: Deps, caller: User) =>
  inTransaction(deps.db, async (tx) => {
    // Waits for a second factor that is being verified, whose session would otherwise survive.
    await lockUser(tx, caller.user_id)
    await revokeSignInGrants(tx, caller.user_id, ['secondFactorChallenge'])
    for (const id of await endSessions(deps, tx, caller.user_id, { except: caller.session_id }))
      await audit(tx, { ...caller, workspace_id: null }, 'user.session_ended', id)
  })
