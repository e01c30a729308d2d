import { problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import type { Complete } from '../../../lib/http/idempotency.ts'
import { type AuthResponse, callBetterAuth, inAuthTransaction, refusal } from '../better-auth/better-auth-client.ts'
import { lockUser } from '../sessions/own-sessions.ts'
import { revokeSignInGrants } from '../sessions/sign-in-grants.ts'
import { hashing } from '../sign-in/passwords.ts'
import { mailSecurityChange } from '../sign-in/security-mails.ts'
import { checkingCodes, readFactor, takeStep, wrongCode } from '../sign-in/two-factor.ts'
import { readMe } from './me.ts'

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
