import { randomBytes } from 'node:crypto'
import { hmac, type Keyring, sha256 } from '../../../lib/crypto/crypto.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import { authSecret } from '../better-auth/auth-options.ts'
import { cookieName } from '../better-auth/better-auth-client.ts'
import { signInGrants } from '../sessions/sign-in-grants.ts'

const VALID_S = 180 * 86_400
/** Browsers remembered for each user. The one that signed in longest ago is forgotten first. */
const MAX_BROWSERS = 20

/** Name of the cookie, after the prefix of all cookies. */
export const KNOWN_BROWSER = 'known_browser'

const identifierOf = (id: string) => `${signInGrants.knownBrowser}${sha256(id)}`

/**
 * Remembers the browser of a sign-in, so that attempts of others do not keep the user out of it. Returns its cookie,
 * which is signed as those of better-auth are. `former`: the cookie that it replaces.
 */
export async function rememberBrowser(
  { keyring, baseUrl }: { keyring: Keyring; baseUrl: string },
  tx: Tx,
  user_id: string,
  former?: string,
) {
  if (former !== undefined)
    await tx
      .deleteFrom('verification')
      .where('identifier', '=', identifierOf(former))
      .where('value', '=', user_id)
      .execute()
  const id = randomBytes(24).toString('base64url')
  const expires_at = new Date(Date.now() + VALID_S * 1000)
  await tx
    .insertInto('verification')
    .values({ identifier: identifierOf(id), value: user_id, expires_at })
    .execute()
  await tx
    .deleteFrom('verification')
    .where('id', 'in', (others) =>
      others
        .selectFrom('verification')
        .select('id')
        .where('value', '=', user_id)
        .where('identifier', 'like', `${signInGrants.knownBrowser}%`)
        .orderBy('id', 'desc')
        .offset(MAX_BROWSERS),
    )
    .execute()
  const value = encodeURIComponent(`${id}.${hmac(authSecret(keyring), id).digest('base64')}`)
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(baseUrl, KNOWN_BROWSER)}=${value}; Max-Age=${VALID_S}; Path=/api/auth; HttpOnly; SameSite=Lax${secure}`
}

/** Finds the browser with this cookie, if the user with the address has signed in there. Returns its key for limits. */
export async function findKnownBrowser(db: Db, id: string | undefined, email: string) {
  if (id === undefined) return
  const browser = await db
    .selectFrom('verification')
    .innerJoin('user', (join) => join.on((on) => on(on.cast('user.id', 'text'), '=', on.ref('verification.value'))))
    .select('verification.identifier')
    .where('verification.identifier', '=', identifierOf(id))
    .where('verification.expires_at', '>', new Date())
    .where('user.email', '=', email)
    .executeTakeFirst()
  return browser?.identifier
}
