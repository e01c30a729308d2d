import { sql } from 'kysely'
import { problem } from '../../../errors.ts'
import type { Keyring } from '../../../lib/crypto/crypto.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { User } from '../../../lib/http/access.ts'
import type { Complete } from '../../../lib/http/idempotency.ts'
import type { InvalidationBus } from '../../../lib/runtime/caches/invalidation-bus.ts'
import { limitConcurrency } from '../../../lib/runtime/concurrency/concurrency-limit.ts'
import type { Auth } from '../better-auth/better-auth.ts'
import { endSessions, lockUser } from '../sessions/own-sessions.ts'
import { revokeSignInGrants } from '../sessions/sign-in-grants.ts'
import { rememberBrowser } from './known-browsers.ts'
import { type MailDeps, mailSecurityChange } from './security-mails.ts'

/**
 * A hash takes tens of milliseconds of a core and, in better-auth, holds a database connection. So few run at a time,
 * and excess calls are refused before they take all connections.
 */
export const hashing = limitConcurrency(4, 40)

/** Call it before a transaction and outside of `hashing`. */
export const hashPassword = (auth: Auth, password: string) =>
  hashing(async () => (await auth.$context).password.hash(password))

/** Call it before a transaction and outside of `hashing`. */
export const matchesPassword = (auth: Auth, hash: string, password: string) =>
  hashing(async () => (await auth.$context).password.verify({ hash, password }))

type Deps = { db: Db; auth: Auth; invalidationBus: InvalidationBus }

/** The hash of the password of the user with this address. */
export const hashAt = async (db: Db, email: string) =>
  (
    await db
      .selectFrom('credential')
      .innerJoin('user', 'user.id', 'credential.user_id')
      .select('credential.password')
      .where('user.email', '=', email)
      .where('provider_id', '=', 'credential')
      .executeTakeFirst()
  )?.password

/**
 * Ends a sign-in whose password was changed while it was checked: `hash` is what had been read before. The lock lets
 * other sign-ins go on, and later changes of the password end what this one opens.
 */
export async function refuseFormerPassword(tx: Tx, user_id: string, hash: string | null | undefined) {
  await tx.selectFrom('user').select('id').where('id', '=', user_id).forShare().execute()
  if ((await hashOf(tx, user_id)) !== hash) throw problem('sign_in_failed')
}

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
 * Checks the password of a signed-in user and returns its hash. Throws `password_wrong`. Call it before the
 * transaction, then `lockUserWithPassword` inside.
 */
export async function checkPassword({ db, auth }: Deps, { user_id }: User, password: string) {
  const hash = await hashOf(db, user_id)
  if (!hash || !(await matchesPassword(auth, hash, password))) throw problem('password_wrong')
  return hash
}

/** Locks the user against other changes. Throws if the password has changed since the check. */
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

/**
 * Changes the password. Ends what the former one opened: other sessions and all grants. Returns the cookie that keeps
 * this browser known.
 */
export async function changePassword(
  deps: Deps & MailDeps & { keyring: Keyring },
  caller: User,
  input: { current_password: string; new_password: string },
  complete: Complete,
) {
  const former = await checkPassword(deps, caller, input.current_password)
  const hash = await hashPassword(deps.auth, input.new_password)
  return inTransaction(deps.db, async (tx) => {
    await lockUserWithPassword(tx, caller, former)
    await setPassword(tx, caller.user_id, hash)
    await endSessions(deps, tx, caller.user_id, { except: caller.session_id })
    await revokeSignInGrants(tx, caller.user_id)
    await audit(tx, { ...caller, workspace_id: null }, 'user.password_changed', caller.user_id)
    await mailSecurityChange(deps, tx, caller.user_id, { key: 'password-changed' })
    await complete(tx, undefined)
    return rememberBrowser(deps, tx, caller.user_id)
  })
}
