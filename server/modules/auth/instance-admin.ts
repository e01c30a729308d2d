import { sql } from 'kysely'
import { hmac, type Keyring } from '../../lib/crypto/crypto.ts'
import { audit, system } from '../../lib/db/audit.ts'
import type { Db, Tx } from '../../lib/db/database.ts'
import { locks } from '../../lib/db/locks.ts'
import { storedEmail } from '../../lib/email.ts'

/** Code of the set-up link. It is derived, not stored: the same at every start and on every node, until it is used. */
export const setUpCode = (keyring: Keyring) =>
  hmac(keyring.current('setup').key, 'set-up link').digest('base64url').slice(0, 32)

/** Blocks every other attempt to make an instance admin until this transaction ends. */
export const lockSetUp = (tx: Tx) => sql`select pg_advisory_xact_lock(${locks.setUp})`.execute(tx)

export async function hasInstanceAdmin(db: Db) {
  const admin = await db
    .selectFrom('user')
    .select('id')
    // A literal, not a parameter. Otherwise the partial index is not used.
    .where(sql<boolean>`is_instance_admin`)
    .where('banned_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return admin !== undefined
}

/** The instance admins who can act: the recipients of mails about this instance. */
export const listInstanceAdmins = (db: Db) =>
  db
    .selectFrom('user')
    .select(['email', 'name', 'locale'])
    .where(sql<boolean>`is_instance_admin`)
    .where('email_verified', '=', true)
    .where('banned_at', 'is', null)
    .orderBy('id')
    .execute()

type NewAdmin = { email: string; name: string; passwordHash: string; locale?: string; timezone?: string }

/**
 * Makes the user with this address an instance admin. A verified user keeps the password. An unverified user gets this
 * password and loses all sessions, because another person may have signed up with the address.
 */
export async function makeInstanceAdmin(tx: Tx, { email: typed, name, passwordHash, ...settings }: NewAdmin) {
  const email = storedEmail(typed)
  const existing = await tx
    .selectFrom('user')
    .select(['id', 'email_verified', 'is_instance_admin'])
    .where('email', '=', email)
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
    .values({ email, name, email_verified: true, is_instance_admin: true, ...settings })
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
