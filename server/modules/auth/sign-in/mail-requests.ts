import { audit } from '../../../lib/db/audit.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Origin } from '../../../lib/http/access.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import {
  type AuthCall,
  type AuthResponse,
  callBetterAuth,
  inAuthTransaction,
} from '../better-auth/better-auth-client.ts'
import { findUnverified, findUser, limitQueued, lockAddress } from './sign-in.ts'

/** An address that somebody named and that may have no account, and where the request came from. */
export type MailRequest = { email: string; origin: Origin }

/**
 * Both requests only add a job, whatever the address, so that their response time does not reveal who has an account.
 */
const request =
  (name: 'mail-verification-code' | 'mail-password-reset') =>
  async (deps: Deps, { body: { email }, origin }: AuthCall<{ email: string }>): Promise<AuthResponse> => {
    await inTransaction(deps.db, (tx) => addJob(tx, name, { email, origin }))
    return { body: undefined, cookies: [] }
  }

export const requestCode = request('mail-verification-code')
export const requestPasswordReset = request('mail-password-reset')

/** Mails no code to verified users: it proves an address and nothing else. */
export const mailCode = (deps: Deps, { email, origin }: MailRequest) =>
  limitQueued(() =>
    inAuthTransaction(deps.workerDatabase.db, async (tx) => {
      await lockAddress(tx, email)
      if (!(await findUnverified(tx, email))) return {}
      const body = { email, type: 'email-verification' }
      return callBetterAuth(deps, '/email-otp/send-verification-otp', { body, cookie: undefined, origin })
    }),
  )

export const mailPasswordReset = (deps: Deps, { email, origin }: MailRequest) =>
  inAuthTransaction(deps.workerDatabase.db, async (tx) => {
    const response = await callBetterAuth(deps, '/request-password-reset', {
      body: { email },
      cookie: undefined,
      origin,
    })
    const user = await findUser(tx, email)
    if (user) await audit(tx, { ...origin, user_id: user.id }, 'user.password_reset_requested', user.id)
    return response
  })
