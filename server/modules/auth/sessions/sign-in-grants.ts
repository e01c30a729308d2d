import { sql } from 'kysely'
import type { Tx } from '../../../lib/db/database.ts'

/**
 * Everything besides sessions that lets its holder in without the current password: the prefix of its `identifier` in
 * `verification`, by kind. A new kind belongs here, so that a new password ends it.
 */
export const signInGrants = {
  resetLink: 'reset-link:',
  trustedBrowser: 'trust-device-',
  /** The password was right, the second factor is pending. */
  secondFactorChallenge: '2fa-',
  /** Opens nothing by itself: it lets the right password through although others have used up the limits. */
  knownBrowser: 'known-browser:',
} as const

/** Revokes grants of a user, by default of every kind. */
export const revokeSignInGrants = (
  tx: Tx,
  user_id: string,
  kinds = Object.keys(signInGrants) as (keyof typeof signInGrants)[],
) =>
  tx
    .deleteFrom('verification')
    .where('value', '=', user_id)
    .where(sql<boolean>`identifier like any (${kinds.map((kind) => `${signInGrants[kind]}%`)}::text[])`)
    .execute()
