import { createHmac } from 'node:crypto'
import { problem } from '../../../errors.ts'
import { equalInConstantTime } from '../../../lib/crypto/crypto.ts'
import { audit } from '../../../lib/db/audit.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import type { Complete } from '../../../lib/http/idempotency.ts'
import { limitConcurrency } from '../../../lib/runtime/concurrency/concurrency-limit.ts'
import { readMe } from '../account/me.ts'
import type { Auth } from '../better-auth/better-auth.ts'
import {
  type AuthCall,
  type AuthResponse,
  callBetterAuth,
  inAuthTransaction,
  refusal,
} from '../better-auth/better-auth-client.ts'
import { lockUser, lockUserIfThere } from '../sessions/own-sessions.ts'
import { rememberBrowser } from './known-browsers.ts'
import { hashing } from './passwords.ts'
import { mailSecurityChange } from './security-mails.ts'
import { refuseBanned } from './sign-in.ts'
import { revokeSignInGrants } from './sign-in-grants.ts'

/** Checks of one user's codes queue while they hold a connection. The limit leaves connections for others. */
const checkingCodes = limitConcurrency(6, 300)

const PERIOD_MS = 30_000
const wrongCode = () => refusal('code_rejected')

/** Six digits of a time step (RFC 4226). */
function codeAt(secret: string, step: number) {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(message).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/**
 * Marks the time step of a code as used, so that this code and earlier ones are refused (RFC 6238, section 5.2). false:
 * it was used. better-auth checks the code itself, by the real time and one step to each side. The second step here
 * covers the time in between.
 */
async function takeStep(tx: Tx, auth: Auth, factor: { user_id: string; secret: string }, code: string) {
  const key = (await auth.$context).secretConfig
  const { symmetricDecrypt } = await import('better-auth/crypto')
  const secret = await symmetricDecrypt({ key, data: factor.secret })
  const now = Math.floor(Date.now() / PERIOD_MS)
  const step = [0, -1, 1, -2, 2].map((away) => now + away).find((at) => equalInConstantTime(codeAt(secret, at), code))
  if (step === undefined) return true
  const taken = await tx
    .updateTable('two_factor')
    .set({ last_step: String(step) })
    .where('user_id', '=', factor.user_id)
    .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', String(step))]))
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}

const readFactor = (tx: Tx, user_id: string) =>
  tx.selectFrom('two_factor').selectAll().where('user_id', '=', user_id).executeTakeFirst()

/** Finds the user of a challenge: the password was right, the second factor is pending. */
export const challengedUser = async (db: Db, challenge: string | undefined) =>
  challenge === undefined
    ? undefined
    : (await db.selectFrom('verification').select('value').where('identifier', '=', challenge).executeTakeFirst())
        ?.value

type SecondFactor = AuthCall<{ code: string; trustDevice?: boolean }> & { method: 'totp' | 'backup_code' }

/** Takes the second step of a sign-in. Attempts of one user are checked one at a time. */
export const verifySecondFactor = (
  deps: Deps,
  { method, ...call }: SecondFactor,
  user_id: string | undefined,
  known_browser: string | undefined,
) =>
  checkingCodes(() =>
    inAuthTransaction(deps.db, async (tx) => {
      // Sends the challenge without a session: with one, better-auth checks but does not count.
      const verify = () => callBetterAuth(deps, `/two-factor/verify-${method.replace('_', '-')}`, call, ['two_factor'])
      const user = user_id === undefined ? undefined : await lockUserIfThere(tx, user_id)
      if (user_id === undefined || !user) return verify()
      const actor = { ...call.origin, user_id }
      const factor = await readFactor(tx, user_id)
      const fresh = method !== 'totp' || !factor || (await takeStep(tx, deps.auth, factor, call.body.code))
      const response = fresh ? await verify() : wrongCode()
      if (response.refused) {
        await audit(tx, actor, 'user.sign_in_failed', user_id, { method, reason: response.refused.code })
        return response.refused.code === 'too_many_requests' ? locked(factor?.locked_until) : response
      }
      if (user.banned_at) return refuseBanned(tx, call.origin, user_id, response)
      if (method === 'backup_code') await audit(tx, actor, 'user.backup_code_used', user_id)
      await audit(tx, actor, 'user.signed_in', user_id, { method })
      response.cookies.push(await rememberBrowser(deps, tx, user_id, known_browser))
      return response
    }),
  )

function locked(until: Date | null | undefined): AuthResponse {
  const retryAfter = Math.max(1, Math.ceil(((until?.getTime() ?? 0) - Date.now()) / 1000))
  return refusal('too_many_requests', {
    detail: `Too many wrong codes. Try again in ${retryAfter} seconds.`,
    retryAfter,
  })
}

/** Call of a signed-in user: the cookie for better-auth, and a setter for those it returns. */
type OwnCall = { cookie: string | undefined; setCookies: (cookies: string[]) => void; complete: Complete }

type Step = { deps: Deps; caller: User; tx: Tx; call: (path: string, body: object) => Promise<AuthResponse> }

/** Takes one step of turning the second factor on or off. `work` runs with the user locked. */
async function own<T>(
  deps: Deps,
  caller: User,
  { cookie, setCookies, complete }: OwnCall,
  work: (step: Step, enabled: boolean) => Promise<AuthResponse & { result?: T }>,
) {
  const { ip, user_agent } = caller
  const { cookies, result } = await inAuthTransaction(deps.db, async (tx) => {
    const { two_factor_enabled } = await lockUser(tx, caller.user_id)
    const call = (path: string, body: object) =>
      callBetterAuth(deps, `/two-factor${path}`, { body, cookie, origin: { ip, user_agent } }, [
        'session_token',
        'trust_device',
      ])
    const response = await work({ deps, caller, tx, call }, two_factor_enabled)
    if (!response.refused) await complete(tx, response.result)
    return response
  })
  setCookies(cookies)
  return result
}

const auditFactorChange = ({ tx, caller }: Step, action: string) =>
  audit(tx, { ...caller, workspace_id: null }, action, caller.user_id)

const mailFactorChange = ({ deps, tx, caller }: Step, change: 'on' | 'off' | 'codes') =>
  mailSecurityChange(deps, tx, caller.user_id, { key: 'two-factor-changed', change })

const textIn = (body: unknown, name: string) => {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined
  if (typeof value !== 'string') throw new Error(`better-auth returned no ${name}`)
  return value
}
const codesIn = (body: unknown): string[] => {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'backupCodes') : undefined
  if (!Array.isArray(value)) throw new Error('better-auth returned no backup codes')
  return value.map(String)
}

/** Creates a secret and backup codes. They take effect once a code of the app confirms them. */
export async function setUpTwoFactor(deps: Deps, caller: User, password: string, own_call: OwnCall) {
  const result = await hashing(() =>
    own(deps, caller, own_call, async (step, enabled) => {
      if (enabled) return refusal('two_factor_on')
      const response = await step.call('/enable', { password, method: 'totp' })
      if (response.refused) return response
      const fresh = { last_step: null, failed_verification_count: 0, locked_until: null }
      await step.tx.updateTable('two_factor').set(fresh).where('user_id', '=', caller.user_id).execute()
      return {
        ...response,
        result: { totp_uri: textIn(response.body, 'totpURI'), backup_codes: codesIn(response.body) },
      }
    }),
  )
  if (!result) throw problem('internal_error')
  return result
}

export async function confirmTwoFactor(deps: Deps, caller: User, code: string, own_call: OwnCall) {
  const me = await checkingCodes(() =>
    own(deps, caller, own_call, async (step, enabled) => {
      if (enabled) return refusal('two_factor_on')
      const factor = await readFactor(step.tx, caller.user_id)
      if (!factor) return refusal('two_factor_off')
      if (!(await takeStep(step.tx, deps.auth, factor, code))) return wrongCode()
      const response = await step.call('/verify-totp', { code })
      if (response.refused) return response
      await deps.invalidationBus.invalidate(step.tx, 'access')
      await auditFactorChange(step, 'user.two_factor_enabled')
      await mailFactorChange(step, 'on')
      return { ...response, result: await readMe(step.tx, caller) }
    }),
  )
  if (!me) throw problem('internal_error')
  return me
}

export async function turnOffTwoFactor(deps: Deps, caller: User, password: string, own_call: OwnCall) {
  await hashing(() =>
    own(deps, caller, own_call, async (step, enabled) => {
      if (!enabled) return refusal('two_factor_off')
      const response = await step.call('/disable', { password })
      if (response.refused) return response
      // Trusted browsers and pending challenges belong to the deleted factor.
      await revokeSignInGrants(step.tx, caller.user_id, ['trustedBrowser', 'secondFactorChallenge'])
      await deps.invalidationBus.invalidate(step.tx, 'access')
      await auditFactorChange(step, 'user.two_factor_disabled')
      await mailFactorChange(step, 'off')
      return response
    }),
  )
}

export async function renewBackupCodes(deps: Deps, caller: User, password: string, own_call: OwnCall) {
  const result = await hashing(() =>
    own(deps, caller, own_call, async (step, enabled) => {
      if (!enabled) return refusal('two_factor_off')
      const response = await step.call('/generate-backup-codes', { password })
      if (response.refused) return response
      await auditFactorChange(step, 'user.backup_codes_renewed')
      await mailFactorChange(step, 'codes')
      return { ...response, result: { backup_codes: codesIn(response.body) } }
    }),
  )
  if (!result) throw problem('internal_error')
  return result
}
