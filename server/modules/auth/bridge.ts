import { sql } from 'kysely'
import { type ErrorCode, problem } from '../../errors.ts'
import { type Db, inTransaction } from '../../lib/database.ts'
import { gate } from '../../lib/gate.ts'
import { locks } from '../../lib/locks.ts'
import { checkLocale } from './auth.ts'
import type { Auth } from './better-auth.ts'

/** What better-auth says, in our words. What is not here was a fault of ours. */
const codes: Record<string, ErrorCode> = {
  INVALID_EMAIL_OR_PASSWORD: 'sign_in_failed',
  EMAIL_NOT_VERIFIED: 'email_not_verified',
  INVALID_OTP: 'verification_failed',
  OTP_EXPIRED: 'verification_failed',
  TOO_MANY_ATTEMPTS: 'verification_failed',
  INVALID_TOKEN: 'verification_failed',
  USER_NOT_FOUND: 'verification_failed',
}

export type AuthCall<Body = unknown> = {
  path: string
  body: Body
  ip: string
  cookie: string | undefined
  userAgent: string | undefined
}

type Asked = { db: Db; auth: Auth; baseUrl: string }
type Said = { body: unknown; cookies: string[] }

/** Hands a request to better-auth. Only what it needs goes along: no header of the client but cookie and user agent. */
async function ask(auth: Auth, baseUrl: string, { path, body, ip, cookie, userAgent }: AuthCall) {
  const headers = new Headers({ origin: new URL(baseUrl).origin, 'x-client-ip': ip })
  if (cookie) headers.set('cookie', cookie)
  if (userAgent) headers.set('user-agent', userAgent.slice(0, 500))
  if (body !== undefined) headers.set('content-type', 'application/json')
  const request = { method: 'POST', headers, body: body === undefined ? null : JSON.stringify(body) }
  const answer = await auth.handler(new Request(`${baseUrl}/api/auth${path}`, request))
  const said: unknown = await answer.json().catch(() => undefined)
  return { ok: answer.ok, status: answer.status, said, cookies: answer.headers.getSetCookie() }
}

/** Asks better-auth, and throws its refusals as problems of ours. */
export async function callBetterAuth({ auth, baseUrl }: Asked, call: AuthCall): Promise<Said> {
  const { ok, status, said, cookies } = await ask(auth, baseUrl, call)
  if (ok) return { body: said, cookies }
  const code = typeof said === 'object' && said !== null && 'code' in said ? String(said.code) : ''
  throw problem(codes[code] ?? (status < 500 ? 'validation_failed' : 'internal_error'), { cause: said })
}

// A sign-up holds a database connection while the password is hashed. Many at once would take all of them.
const signUpGate = gate(4)

/**
 * A sign-up that was never verified gives way to a new one, with a new code. Who verifies may send the password along
 * (`confirmPassword`), which shuts out whoever signed up with the same address in between.
 */
const forgetUnverified = (db: Db, email: string) =>
  db.deleteFrom('user').where('email', '=', email.toLowerCase()).where('email_verified', '=', false).execute()

/** One sign-up of an address at a time, on all nodes: better-auth looks for the address first and writes it later. */
export async function signUp(deps: Asked, call: AuthCall<{ email: string; locale?: string }>) {
  const { email, locale } = call.body
  const body = { ...call.body, ...(locale && { locale: checkLocale(locale) }) }
  return signUpGate(() =>
    inTransaction(deps.db, async (tx) => {
      await sql`select pg_advisory_xact_lock(${locks.signUp}, hashtext(${email.toLowerCase()}))`.execute(tx)
      await forgetUnverified(deps.db, email)
      return callBetterAuth(deps, { ...call, body })
    }),
  )
}
