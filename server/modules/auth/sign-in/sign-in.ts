import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { Problem, problem } from '../../../errors.ts'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import { audit } from '../../../lib/db/audit.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import { locks } from '../../../lib/db/locks.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Origin } from '../../../lib/http/access.ts'
import { limitConcurrency } from '../../../lib/runtime/concurrency/concurrency-limit.ts'
import type * as schema from '../auth.schema.ts'
import { hashedLink } from '../better-auth/auth-options.ts'
import {
  type AuthCall,
  type AuthResponse,
  callBetterAuth,
  inAuthTransaction,
  refusal,
} from '../better-auth/better-auth-client.ts'
import { checkLocale } from '../locale.ts'
import { endSessions, lockUserIfThere } from '../sessions/own-sessions.ts'
import { revokeSignInGrants } from '../sessions/sign-in-grants.ts'
import { rememberBrowser } from './known-browsers.ts'
import { hashAt, hashing, hashPassword, refuseFormerPassword, setPassword } from './passwords.ts'
import { mailSecurityChange } from './security-mails.ts'

/** Limits calls that hold a connection while they wait for a lock, so that others get connections. */
export const limitQueued = limitConcurrency(6, 300)

/**
 * Locks an address across all nodes while it is signed up, verified or taken: better-auth checks first and writes
 * later.
 */
export const lockAddress = (tx: Tx, email: string) =>
  sql`select pg_advisory_xact_lock(${locks.signUp}, hashtext(${email}))`.execute(tx)

/**
 * Deletes an unverified sign-up, so that a new one can replace it. Another person may have made one of them, so
 * verifying then requires the password to use (`verifyEmail`).
 */
export const forgetUnverified = (db: Db, email: string) =>
  db.deleteFrom('user').where('email', '=', email).where('email_verified', '=', false).execute()

export const findUser = (db: Db, email: string) =>
  db.selectFrom('user').select(['id', 'banned_at', 'two_factor_enabled']).where('email', '=', email).executeTakeFirst()

const note = (tx: Tx, origin: Origin, user_id: string, action: string, details?: Record<string, unknown>) =>
  audit(tx, { ...origin, user_id }, action, user_id, details)

/**
 * Makes the commit of an empty transaction wait for the disk too. Otherwise the response time reveals whether an
 * address has an account.
 */
const writeNothing = (tx: Tx) => sql`select pg_logical_emit_message(true, 'meydan', '')`.execute(tx)

/** Throws if the options close sign-up, or allow it only with an invitation to this address. */
async function checkSignUp({ options, db, clock }: Deps, { email, invitation }: Static<typeof schema.SignUp>) {
  const rule = await options.get('auth.sign_up')
  if (rule === 'open') return
  const invited =
    rule === 'invitation' &&
    invitation !== undefined &&
    (await db
      .selectFrom('invitation')
      .innerJoin('workspace', 'workspace.id', 'invitation.workspace_id')
      .select('invitation.id')
      .where('hashed_token', '=', sha256(invitation))
      .where('state', '=', 'pending')
      .where('expires_at', '>', clock.now())
      .where('workspace.deleted_at', 'is', null)
      .where(sql`lower(email)`, '=', email)
      .executeTakeFirst())
  if (!invited) throw problem('sign_up_closed')
}

export async function signUp(deps: Deps, call: AuthCall<Static<typeof schema.SignUp>>) {
  const { invitation: _, locale, ...body } = call.body
  const settings = locale && { locale: checkLocale(locale) }
  await checkSignUp(deps, call.body)
  const create = async (tx: Tx, email: string) => {
    const [former] = await forgetUnverified(tx, email)
    const response = await callBetterAuth(deps, '/sign-up/email', { ...call, body: { ...body, ...settings, email } })
    const user = await findUser(tx, email)
    if (user) {
      await note(tx, call.origin, user.id, 'user.signed_up')
      const sign_up_contested = (former?.numDeletedRows ?? 0n) > 0n
      await tx.updateTable('user').set({ sign_up_contested }).where('id', '=', user.id).execute()
    }
    return response
  }
  return hashing(() =>
    inAuthTransaction(deps.db, async (tx) => {
      await lockAddress(tx, body.email)
      const user = await tx
        .selectFrom('user')
        .select('id')
        .where('email', '=', body.email)
        .where('email_verified', '=', true)
        .executeTakeFirst()
      return user ? undone(tx, () => create(tx, unusedAddress())) : create(tx, body.email)
    }),
  )
}

/** An address that nobody can have. */
const unusedAddress = () => `${randomBytes(12).toString('hex')}@meydan.invalid`

/**
 * Undoes the writes of `work`. A sign-up of a known address does the same work as another, so that its response time
 * does not reveal who has an account.
 */
async function undone<T>(tx: Tx, work: () => Promise<T>) {
  await sql`savepoint undone`.execute(tx)
  const result = await work()
  await sql`rollback to savepoint undone`.execute(tx)
  await writeNothing(tx)
  return result
}

/** Finds and locks an unverified sign-up with this address, until the transaction ends. */
export async function findUnverified(tx: Tx, email: string) {
  const user = await tx
    .selectFrom('user')
    .select(['email_verified', 'sign_up_contested'])
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirst()
  return user?.email_verified === false ? user : undefined
}

/**
 * Stores a code that nobody knows where none is pending. A guess then causes the same work at every address, and its
 * response time does not reveal which ones have an unverified sign-up.
 */
async function ensureCode(tx: Tx, email: string) {
  const identifier = `email-verification-otp-${email}`
  const value = `${randomBytes(32).toString('base64url')}:0`
  // Writes a row in both cases, which takes the same time.
  await sql`with pending as (
      update verification set updated_at = now() where identifier = ${identifier} returning id
    )
    insert into verification (identifier, value, expires_at)
    select ${identifier}, ${value}, ${new Date(Date.now() + 600_000)}::timestamptz
    where not exists (select from pending)`.execute(tx)
}

/** Responses to guesses of a code are sent at multiples of this time, which hides what is left of the differences. */
const VERIFY_STEP_MS = 200

/**
 * Verifies an address. The person with the mailed code owns it, so the password sent with the code is the right one. A
 * code never changes the password of a verified account.
 */
export const verifyEmail = (deps: Deps, call: AuthCall<Static<typeof schema.VerifyEmail>>) =>
  inFixedSteps(VERIFY_STEP_MS, () => checkCode(deps, call))

async function checkCode(deps: Deps, call: AuthCall<Static<typeof schema.VerifyEmail>>) {
  const { password, ...body } = call.body
  const hash = password === undefined ? undefined : await hashPassword(deps.auth, password)
  const verify = async (tx: Tx) => {
    await lockAddress(tx, body.email)
    await writeNothing(tx)
    const unverified = await findUnverified(tx, body.email)
    await ensureCode(tx, body.email)
    // Without a sign-up to verify, a code that is never right is checked, also when an earlier one is still pending.
    const otp = unverified ? body.otp : ''
    const response = await callBetterAuth(deps, '/email-otp/verify-email', { ...call, body: { ...body, otp } })
    const user = response.refused ? undefined : await findUser(tx, body.email)
    if (!user) return response
    // Throws, so that the code stays valid for the next call.
    if (unverified?.sign_up_contested && hash === undefined)
      throw problem('verification_failed', {
        detail: 'There was more than one sign-up with this address. Send the password that you want to use.',
      })
    if (hash !== undefined) {
      await setPassword(tx, user.id, hash)
      await endSessions(deps, tx, user.id)
    }
    await note(tx, call.origin, user.id, 'user.email_verified', { password_confirmed: hash !== undefined })
    return response
  }
  return limitQueued(() => inAuthTransaction(deps.db, verify))
}

/** Returns the token of the session that better-auth opened. */
const tokenIn = ({ body }: AuthResponse) =>
  typeof body === 'object' && body !== null && 'token' in body && typeof body.token === 'string' ? body.token : null

/** Deletes the session just opened by a banned user. Not earlier, so only after the right password. */
export async function refuseBanned(tx: Tx, origin: Origin, user_id: string, response: AuthResponse) {
  await tx.deleteFrom('session').where('token', '=', tokenIn(response)).execute()
  await note(tx, origin, user_id, 'user.sign_in_failed', { reason: 'banned' })
  return refusal('banned')
}

/** `known_browser` is from the caller's cookie. */
export const signIn = (deps: Deps, call: AuthCall<Static<typeof schema.SignIn>>, known_browser: string | undefined) =>
  hashing(() =>
    inAuthTransaction(deps.db, async (tx) => {
      const hash = await hashAt(tx, call.body.email)
      const response = await callBetterAuth(deps, '/sign-in/email', call, ['trust_device'])
      // Checked after better-auth has written the session: a later ban ends that session.
      const user = await findUser(tx, call.body.email)
      if (!user) await writeNothing(tx)
      else if (response.refused)
        await note(tx, call.origin, user.id, 'user.sign_in_failed', { reason: response.refused.code })
      else if (user.banned_at) return refuseBanned(tx, call.origin, user.id, response)
      else {
        await refuseFormerPassword(tx, user.id, hash)
        if (!tokenIn(response)) return response
        await note(tx, call.origin, user.id, 'user.signed_in', { method: 'password' })
        response.cookies.push(await rememberBrowser(deps, tx, user.id, known_browser))
      }
      return response
    }),
  ).catch(async (cause: unknown) => {
    // No session can be stored if the account was deleted during the password check.
    const isFault = cause instanceof Problem && cause.code === 'internal_error'
    if (isFault && !(await findUser(deps.db, call.body.email))) throw problem('sign_in_failed', { cause })
    throw cause
  })

/** `session_token` is from the caller's cookie. */
export const signOut = (deps: Deps, call: AuthCall<undefined>, session_token: string | undefined) =>
  inAuthTransaction(deps.db, async (tx) => {
    const session =
      session_token === undefined
        ? undefined
        : await tx.selectFrom('session').select('user_id').where('token', '=', session_token).executeTakeFirst()
    const response = await callBetterAuth(deps, '/sign-out', call, ['session_token'])
    if (!session) return response
    await deps.invalidationBus.invalidate(tx, 'access')
    await note(tx, call.origin, session.user_id, 'user.signed_out')
    return response
  })

export const resetPassword = (deps: Deps, call: AuthCall<Static<typeof schema.ResetPassword>>) =>
  hashing(() =>
    inAuthTransaction(deps.db, async (tx) => {
      const link = await tx
        .selectFrom('verification')
        .select('value as user_id')
        .where('identifier', '=', hashedLink(call.body.token))
        .executeTakeFirst()
      if (!link || !(await lockUserIfThere(tx, link.user_id))) return refusal('verification_failed')
      const response = await callBetterAuth(deps, '/reset-password', call)
      if (response.refused) return response
      await endSessions(deps, tx, link.user_id)
      await revokeSignInGrants(tx, link.user_id)
      await note(tx, call.origin, link.user_id, 'user.password_reset')
      await mailSecurityChange(deps, tx, link.user_id, { key: 'password-changed' })
      // Whoever reads the mailbox can sign in next, although others may have used up the limits.
      response.cookies.push(await rememberBrowser(deps, tx, link.user_id))
      return response
    }),
  )

/**
 * Runs `work`, and settles at a multiple of `step_ms` after the start, so that the caller sees little of how long it
 * took.
 */
export async function inFixedSteps<T>(step_ms: number, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  try {
    return await work()
  } finally {
    const rest = step_ms - ((performance.now() - start) % step_ms)
    await new Promise((resolve) => setTimeout(resolve, rest))
  }
}
