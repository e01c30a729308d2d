import { sql } from 'kysely'
import { notFound } from '../../errors.ts'
import type { User } from '../../lib/access.ts'
import { audit } from '../../lib/audit.ts'
import { type Db, inTransaction, type Tx } from '../../lib/database.ts'
import type { Pulse } from '../../lib/pulse.ts'

type Deps = { db: Db; pulse: Pulse }

/** As `lockUser`, at a door: whose account is gone by then is told what a stranger is told. */
export const lockUserIfThere = (tx: Tx, id: string) =>
  tx.selectFrom('user').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Locks a person's row. Whatever changes password, address, second factor or ban of somebody takes this lock first, so
 * that no two of them wait for each other.
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
      'seen_at',
      'expires_at',
      columns('id', '=', session_id).$castTo<boolean>().as('current'),
    ])
    .where('user_id', '=', user_id)
    .where('expires_at', '>', now)

/** Ends all sessions of a person, on every node, but for the one that is named. Announces that the authority changed. */
export async function endSessions(
  { pulse }: Pick<Deps, 'pulse'>,
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
  await pulse.announce(tx, 'authority')
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
    await deps.pulse.announce(tx, 'authority')
    await audit(tx, { ...caller, workspace_id: null }, 'user.session_ended', id)
  })

export const endOtherSessions = (deps: Deps, caller: User) =>
  inTransaction(deps.db, async (tx) => {
    for (const id of await endSessions(deps, tx, caller.user_id, { except: caller.session_id }))
      await audit(tx, { ...caller, workspace_id: null }, 'user.session_ended', id)
  })
