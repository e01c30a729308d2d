import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { MINUTE } from '../../../../shared/time.ts'
import { invalid, problem } from '../../../errors.ts'
import { equalInConstantTime, hmac, type Keyring } from '../../../lib/crypto/crypto.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { storedEmail } from '../../../lib/email.ts'
import type { User } from '../../../lib/http/access.ts'
import type { Complete } from '../../../lib/http/idempotency.ts'
import { queueMail } from '../../mail/mail.ts'
import { endSessions, lockUser } from '../sessions/own-sessions.ts'
import { revokeSignInGrants } from '../sessions/sign-in-grants.ts'
import { checkPassword, lockUserWithPassword } from '../sign-in/passwords.ts'
import { mailSecurityChange } from '../sign-in/security-mails.ts'
import { forgetUnverified, lockAddress } from '../sign-in/sign-in.ts'
import { readMe } from './me.ts'

const EXPIRES_MINUTES = 60
const MAX_ATTEMPTS = 5

type CodeContext = { user_id: string; email: string; side: 'old' | 'new' }

/** Binds a code to one user, one new address and one of the two mails. Six digits need a keyed hash. */
const hashCode = (
  keyring: Keyring,
  { user_id, email, side }: CodeContext,
  code: string,
  id = keyring.current('auth').id,
) => `${id}.${hmac(keyring.byId(id), `email-change|${user_id}|${email}|${side}|${code}`).digest('base64url')}`

const matches = (keyring: Keyring, context: CodeContext, code: string, hashed: string) =>
  equalInConstantTime(hashCode(keyring, context, code, hashed.split('.', 1)[0]), hashed)

const newCode = () => String(randomInt(1_000_000)).padStart(6, '0')

/**
 * Mails a code to both addresses. Does not check or reveal whether the new one has an account: a person who reads both
 * mailboxes learns it from the constraint at the end.
 */
export async function requestEmailChange(
  deps: Deps,
  caller: User,
  input: { email: string; password: string },
  complete: Complete,
) {
  const { keyring, clock } = deps
  const hash = await checkPassword(deps, caller, input.password)
  const email = storedEmail(input.email)
  return inTransaction(deps.db, async (tx) => {
    const user = await lockUserWithPassword(tx, caller, hash)
    if (email === user.email) throw invalid('/email', 'This is already your address.')
    const codes = { old: newCode(), new: newCode() }
    const values = {
      new_email: email,
      old_code: hashCode(keyring, { user_id: user.id, email, side: 'old' }, codes.old),
      new_code: hashCode(keyring, { user_id: user.id, email, side: 'new' }, codes.new),
      attempts: 0,
      expires_at: new Date(clock.now().getTime() + EXPIRES_MINUTES * MINUTE),
    }
    await tx
      .insertInto('email_change')
      .values({ user_id: user.id, ...values })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...values, created_at: sql`now()` }))
      .execute()
    for (const [address, code] of [
      [user.email, codes.old],
      [email, codes.new],
    ] as const)
      await queueMail(tx, deps, {
        key: 'email-change',
        to: { address, name: user.name },
        locale: user.locale,
        variables: { code, new_email: email, expires_minutes: String(EXPIRES_MINUTES) },
      })
    await audit(tx, { ...caller, workspace_id: null }, 'user.email_change_requested', user.id, { email })
    const waiting = { email, expires_at: values.expires_at }
    await complete(tx, waiting)
    return waiting
  })
}

export async function readEmail(db: Db, { user_id, email }: User, now: Date) {
  const pending = await db
    .selectFrom('email_change')
    .select(['new_email as email', 'expires_at'])
    .where('user_id', '=', user_id)
    .where('expires_at', '>', now)
    .where('attempts', '<', MAX_ATTEMPTS)
    .executeTakeFirst()
  return { email, pending: pending ?? null }
}

const forget = (db: Db, user_id: string) =>
  db.deleteFrom('email_change').where('user_id', '=', user_id).returning('new_email').executeTakeFirst()

export const cancelEmailChange = (db: Db, caller: User) =>
  inTransaction(db, async (tx) => {
    const waiting = await forget(tx, caller.user_id)
    if (!waiting) return
    const details = { email: waiting.new_email }
    await audit(tx, { ...caller, workspace_id: null }, 'user.email_change_canceled', caller.user_id, details)
  })

/** Changes the address only if both codes are right. Each wrong attempt counts, and five are the maximum. */
export async function confirmEmailChange(
  deps: Deps,
  caller: User,
  codes: { old_code: string; new_code: string },
  complete: Complete,
) {
  const { db, keyring, clock } = deps
  const changed = await inTransaction(db, async (tx) => {
    const { id: user_id, email: before } = await lockUser(tx, caller.user_id)
    const waiting = await tx
      .updateTable('email_change')
      .set({ attempts: sql`attempts + 1` })
      .where('user_id', '=', user_id)
      .where('attempts', '<', MAX_ATTEMPTS)
      .where('expires_at', '>', clock.now())
      .returningAll()
      .executeTakeFirst()
    if (!waiting) return
    const email = waiting.new_email
    const right = [
      matches(keyring, { user_id, email, side: 'old' }, codes.old_code, waiting.old_code),
      matches(keyring, { user_id, email, side: 'new' }, codes.new_code, waiting.new_code),
    ]
    if (right.includes(false)) return

    // An unverified sign-up with this address does not keep it from its owner.
    await lockAddress(tx, email)
    await forgetUnverified(tx, email)
    await tx.updateTable('user').set({ email, updated_at: sql`now()` }).where('id', '=', user_id).execute()
    await forget(tx, user_id)
    await revokeSignInGrants(tx, user_id)
    await endSessions(deps, tx, user_id, { except: caller.session_id })
    await audit(tx, { ...caller, workspace_id: null }, 'user.email_changed', user_id, { before, after: email })
    await mailSecurityChange(deps, tx, user_id, { key: 'email-changed', former: before })
    const me = await readMe(tx, caller)
    await complete(tx, me)
    return me
  }).catch(async (error: unknown) => {
    if (!(error instanceof Error && 'constraint' in error && error.constraint === 'user_email_key')) throw error
    // The address has an account. The response does not reveal it, and the codes are spent.
    await forget(db, caller.user_id)
    return undefined
  })
  if (!changed) throw problem('code_rejected')
  return changed
}
