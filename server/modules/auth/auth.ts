import { sql } from 'kysely'
import { invalid } from '../../errors.ts'
import { audit, system } from '../../lib/audit.ts'
import { hmac, type Keyring } from '../../lib/crypto.ts'
import type { Db, Tx } from '../../lib/database.ts'
import { locks } from '../../lib/locks.ts'

/** Throws invalid for what no IANA time zone is called. An offset such as +03:00 is none: it knows no summer time. */
export function checkTimeZone(name: string) {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    if (/^[A-Za-z]/.test(name)) return
  } catch {}
  throw invalid('/timezone', 'This time zone is not known.')
}

/** The language tag as it is properly written. Throws invalid for what has the form of one and is none. */
export function checkLocale(tag: string) {
  try {
    const [locale] = Intl.getCanonicalLocales(tag)
    if (locale) return locale
  } catch {}
  throw invalid('/locale', 'This is not a language tag such as tr or en-GB.')
}

/** The code of the set-up link. It is derived, not stored: the same at every start and on every node, until it was used. */
export const setUpCode = (keyring: Keyring) =>
  hmac(keyring.current('setup').key, 'set-up link').digest('base64url').slice(0, 32)

/** Holds off every other attempt to make an instance admin until this transaction ends. */
export const lockSetUp = (tx: Tx) => sql`select pg_advisory_xact_lock(${locks.setUp})`.execute(tx)

export async function hasInstanceAdmin(db: Db) {
  const admin = await db
    .selectFrom('user')
    .select('id')
    // Not as a parameter: then the index of the few that are would not serve.
    .where(sql<boolean>`is_instance_admin`)
    .where('banned_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return admin !== undefined
}

type NewAdmin = { email: string; name: string; passwordHash: string; locale?: string; timezone?: string }

/**
 * Makes an instance admin of this address. A verified user is promoted and keeps the password; one that never proved
 * the address gets this password and loses the sessions, because somebody else may have signed up with it.
 */
export async function makeInstanceAdmin(tx: Tx, { email, name, passwordHash, ...settings }: NewAdmin) {
  const existing = await tx
    .selectFrom('user')
    .select(['id', 'email_verified', 'is_instance_admin'])
    .where('email', '=', email.toLowerCase())
    .forUpdate()
    .executeTakeFirst()
  if (existing?.email_verified) {
    if (existing.is_instance_admin) return existing.id
    await tx.updateTable('user').set({ is_instance_admin: true }).where('id', '=', existing.id).execute()
    await audit(tx, system(), 'user.promoted', existing.id)
    return existing.id
  }
  const { id } = await tx
    .insertInto('user')
    .values({ email: email.toLowerCase(), name, email_verified: true, is_instance_admin: true, ...settings })
    .onConflict((conflict) =>
      conflict.column('email').doUpdateSet({ name, email_verified: true, is_instance_admin: true, ...settings }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('session').where('user_id', '=', id).execute()
  await tx.deleteFrom('credential').where('user_id', '=', id).execute()
  await tx
    .insertInto('credential')
    .values({ user_id: id, account_id: id, provider_id: 'credential', password: passwordHash })
    .execute()
  await audit(tx, system(), 'user.made_instance_admin', id)
  return id
}
