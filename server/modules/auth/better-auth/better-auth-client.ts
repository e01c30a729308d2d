import { sql } from 'kysely'
import { type ErrorCode, type Problem, problem } from '../../../errors.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Origin } from '../../../lib/http/access.ts'
import type { Auth } from './better-auth.ts'
import { runInTransaction } from './transaction-context.ts'

const startAgain = { detail: 'Sign in again with your e-mail address and password.', extra: { state: 'ended' } }

/** Maps error codes of better-auth to those of Meydan. Others are internal errors. */
const codes: Record<string, ErrorCode | [ErrorCode, { detail: string; extra: { state: string } }]> = {
  INVALID_EMAIL_OR_PASSWORD: 'sign_in_failed',
  EMAIL_NOT_VERIFIED: 'email_not_verified',
  INVALID_OTP: 'verification_failed',
  OTP_EXPIRED: 'verification_failed',
  TOO_MANY_ATTEMPTS: 'verification_failed',
  INVALID_TOKEN: 'verification_failed',
  USER_NOT_FOUND: 'verification_failed',
  INVALID_PASSWORD: 'password_wrong',
  INVALID_CODE: 'code_rejected',
  INVALID_BACKUP_CODE: 'code_rejected',
  TOTP_NOT_ENABLED: 'code_rejected',
  INVALID_TWO_FACTOR_COOKIE: ['code_rejected', startAgain],
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: ['code_rejected', startAgain],
  ACCOUNT_TEMPORARILY_LOCKED: 'too_many_requests',
  TOTP_ALREADY_ENABLED: 'two_factor_on',
  TWO_FACTOR_NOT_ENABLED: 'two_factor_off',
}

export type AuthCall<Body = unknown> = { body: Body; cookie: string | undefined; origin: Origin }

/** Response of better-auth. `refused` is thrown after the commit: failed attempts count too. */
export type AuthResponse = { body: unknown; cookies: string[]; refused?: Problem }

type AuthDeps = { auth: Auth; baseUrl: string }

export const cookieName = (baseUrl: string, name: string) =>
  `${baseUrl.startsWith('https:') ? '__Secure-' : ''}meydan.${name}`

const pickCookies = (header: string | undefined, names: string[]) =>
  header
    ?.split(';')
    .map((pair) => pair.trim())
    // PostgreSQL does not accept NUL.
    .filter((pair) => names.includes(pair.split('=', 1)[0] ?? '') && !pair.includes('%00'))
    .join('; ')

/**
 * Sends a request to better-auth, with only what it needs: the cookies named here, the user agent, and the IP address
 * that we saw.
 */
export async function callBetterAuth(
  { auth, baseUrl }: AuthDeps,
  path: string,
  { body, cookie, origin }: AuthCall,
  cookies: ('session_token' | 'two_factor' | 'trust_device')[] = [],
): Promise<AuthResponse> {
  const headers = new Headers({ origin: new URL(baseUrl).origin, 'x-client-ip': origin.ip ?? '' })
  const sent = pickCookies(
    cookie,
    cookies.map((name) => cookieName(baseUrl, name)),
  )
  if (sent) headers.set('cookie', sent)
  if (origin.user_agent) headers.set('user-agent', origin.user_agent)
  if (body !== undefined) headers.set('content-type', 'application/json')
  const request = { method: 'POST', headers, body: body === undefined ? null : JSON.stringify(body) }
  const response = await auth.handler(new Request(`${baseUrl}/api/auth${path}`, request))
  const said: unknown = await response.json().catch(() => undefined)
  if (response.ok) return { body: said, cookies: response.headers.getSetCookie() }
  if (response.status >= 500) throw problem('internal_error', { cause: said })
  const code = typeof said === 'object' && said !== null && 'code' in said ? String(said.code) : ''
  const [known, options] = [codes[code] ?? 'validation_failed'].flat() as [ErrorCode, object?]
  return { body: said, cookies: [], refused: problem(known, { ...options, cause: said }) }
}

/** Runs `work` and its calls of better-auth in one transaction. A refusal is committed too, and thrown after that. */
export async function inAuthTransaction<T extends { refused?: Problem }>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const response = await runInTransaction(db, async (tx) => {
    const response = await work(tx)
    // better-auth swallows some errors. A transaction that one of them broke must not look committed.
    await sql`select`.execute(tx)
    return response
  })
  if (response.refused) throw response.refused
  return response
}

export const refusal = (code: ErrorCode, options?: Parameters<typeof problem>[1]): AuthResponse => ({
  body: undefined,
  cookies: [],
  refused: problem(code, options),
})
