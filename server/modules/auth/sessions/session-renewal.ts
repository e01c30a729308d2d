import { sql } from 'kysely'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { SESSION_SECONDS } from '../better-auth/auth-options.ts'
import { cookieName } from '../better-auth/better-auth-client.ts'
import { cookieOf } from './sessions.ts'

/** Maximum age of a session since the password was given, however often it is used. */
const MAX_SESSION_DAYS = 90

/**
 * Renews a session once a day, up to its maximum age, so that active users stay signed in. Returns the sent cookie with
 * its new lifetime. Not announced: cached sessions end earlier and are then read again.
 */
export async function renewSession(
  { db, clock, baseUrl }: Pick<Deps, 'db' | 'clock' | 'baseUrl'>,
  { session_id }: User,
  cookies: string | undefined,
) {
  const name = cookieName(baseUrl, 'session_token')
  const value = cookieOf(cookies, name)
  if (session_id === null || value === undefined) return
  const now = clock.now().getTime()
  const end = sql<Date>`least(${new Date(now + SESSION_SECONDS * 1000)}::timestamptz,
    created_at + make_interval(hours => ${MAX_SESSION_DAYS * 24}))`
  const renewed = await db
    .updateTable('session')
    .set({ expires_at: end })
    .where('id', '=', session_id)
    .where('expires_at', '<', sql<Date>`${end} - interval '24 hours'`)
    .returning('expires_at')
    .executeTakeFirst()
  if (!renewed) return
  const seconds = Math.floor((renewed.expires_at.getTime() - now) / 1000)
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`
}
