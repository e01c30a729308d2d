import { type Keyring, sha256 } from '../../../lib/crypto/crypto.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Clock } from '../../../lib/runtime/clock.ts'

/** Lifetime of an unused session. */
export const SESSION_SECONDS = 7 * 86_400

/**
 * Identifier under which a password reset link is stored. Hashed, so a copy of the database does not reveal the link.
 * Its prefix differs from that of better-auth, which also looks it up unhashed.
 */
export const hashedLink = (token: string) => `reset-link:${sha256(token)}`

type AuthMail = {
  key: 'signup-otp' | 'password-reset'
  to: { address: string; name: string }
  locale: string
  variables: Record<string, string>
}

export type AuthOptions = {
  db: Db
  clock: Clock
  keyring: Keyring
  baseUrl: string
  sendMail: (tx: Tx, mail: AuthMail) => Promise<void>
}

/**
 * Secret that better-auth signs its cookies with, as the text it expects. We check sessions with the same one
 * (`sessions.ts`).
 */
export const authSecret = (keyring: Keyring) => keyring.current('auth').key.export().toString('base64url')
