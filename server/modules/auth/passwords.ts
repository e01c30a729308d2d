import { sql } from 'kysely'
import { problem } from '../../errors.ts'
import type { User } from '../../lib/access.ts'
import { audit } from '../../lib/audit.ts'
import { type Db, inTransaction, type Tx } from '../../lib/database.ts'
import { gate } from '../../lib/gate.ts'
import type { Complete } from '../../lib/idempotency.ts'
import type { Pulse } from '../../lib/pulse.ts'
import type { Auth } from './better-auth.ts'
import { endSessions, lockUser } from './own-sessions.ts'
import { type MailDeps, mailChange } from './security-mails.ts'

/**
 * A password hash takes tens of milliseconds of a core and, inside of better-auth, a database connection with it. So few
 * run at a time, and a flood is turned away before it takes the connections of everybody else.
 */
export const hashing = gate(4, 40)

/** Call it before a transaction, and not inside of `hashing`. */
export const hashPassword = (auth: Auth, password: string) =>
  hashing(async () => (await auth.$context).password.hash(password))

type Deps = { db: Db; auth: Auth; pulse: Pulse }

const hashOf = async (db: Db, user_id: string) =>
  (
    await db
      .selectFrom('credential')
      .select('password')
      .where('user_id', '=', user_id)
      .where('provider_id', '=', 'credential')
      .executeTakeFirst()
  )?.password

/**
 * Checks the password of somebody who is signed in. Throws `password_wrong`. Call it before a transaction, and
 * `lockUser` with the hash that it returns inside.
 */
export async function checkPassword({ db, auth }: Deps, { user_id }: User, password: string) {
  const hash = await hashOf(db, user_id)
  if (!hash) throw problem('password_wrong')
  const { password: passwords } = await auth.$context
  if (!(await hashing(() => passwords.verify({ hash, password })))) throw problem('password_wrong')
  return hash
}

/** Keeps every other change of this person off. Throws when the password that was checked has been changed since. */
export async function lockUserWithPassword(tx: Tx, caller: User, hash: string) {
  const user = await lockUser(tx, caller.user_id)
  if ((await hashOf(tx, caller.user_id)) !== hash) throw problem('password_wrong')
  return user
}

export async function setPassword(tx: Tx, user_id: string, password: string) {
  await tx
    .updateTable('credential')
    .set({ password, updated_at: sql`now()` })
    .where('user_id', '=', user_id)
    .where('provider_id', '=', 'credential')
    .execute()
}

/** A new password ends what the former one had opened: other sessions, mailed links, browsers that were trusted. */
export async function changePassword(
  deps: Deps & MailDeps,
  caller: User,
  input: { current_password: string; new_password: string },
  complete: Complete,
) {
  const former = await checkPassword(deps, caller, input.current_password)
  const hash = await hashPassword(deps.auth, input.new_password)
  await inTransaction(deps.db, async (tx) => {
    await lockUserWithPassword(tx, caller, former)
    await setPassword(tx, caller.user_id, hash)
    await endSessions(deps, tx, caller.user_id, { except: caller.session_id })
    await forgetGrants(tx, caller.user_id)
    await audit(tx, { ...caller, workspace_id: null }, 'user.password_changed', caller.user_id)
    await mailChange(deps, tx, caller.user_id, { key: 'password-changed' })
    await complete(tx, undefined)
  })
}

/** Mailed links to reset the password, and browsers that need no second factor. */
export const forgetGrants = (tx: Tx, user_id: string) =>
  tx
    .deleteFrom('verification')
    .where('value', '=', user_id)
    .where((where) =>
      where.or([where('identifier', 'like', 'reset-link:%'), where('identifier', 'like', 'trust-device-%')]),
    )
    .execute()
