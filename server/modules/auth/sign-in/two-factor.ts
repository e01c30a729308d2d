import { createHmac } from 'node:crypto'
import { equalInConstantTime } from '../../../lib/crypto/crypto.ts'
import { audit } from '../../../lib/db/audit.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { limitConcurrency } from '../../../lib/runtime/concurrency/concurrency-limit.ts'
import type { Auth } from '../better-auth/better-auth.ts'
import {
  type AuthCall,
  type AuthResponse,
  callBetterAuth,
  inAuthTransaction,
  refusal,
} from '../better-auth/better-auth-client.ts'
import { lockUserIfThere } from '../sessions/own-sessions.ts'
import { rememberBrowser } from './known-browsers.ts'
import { refuseBanned } from './sign-in.ts'

/** Checks of one user's codes queue while they hold a connection. The limit leaves connections for others. */
export const checkingCodes = limitConcurrency(6, 300)

const PERIOD_MS = 30_000
export const wrongCode = () => refusal('code_rejected')

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
export async function takeStep(tx: Tx, auth: Auth, factor: { user_id: string; secret: string }, code: string) {
  const key = (await auth.$context).secretConfig
  const { symmetricDecrypt } = await import('better-auth/crypto')
  const secret = await symmetricDecrypt({ key, data: factor.secret })
  const current = Math.floor(Date.now() / PERIOD_MS)
  const step = [0, -1, 1, -2, 2]
    .map((away) => current + away)
    .find((at) => equalInConstantTime(codeAt(secret, at), code))
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

export const readFactor = (tx: Tx, user_id: string) =>
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
