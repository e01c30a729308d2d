import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import type { User } from '../../lib/access.ts'
import { SESSION_SECONDS } from './better-auth.ts'
import { cookieName } from './bridge.ts'
import { cookieOf } from './sessions.ts'

/** However often it is used, a session ends this long after the password was given. */
const LONGEST_DAYS = 90

/**
 * Who comes back stays signed in: once a day a session gets its whole time again, as far as its end allows. Returns the
 * cookie to set then; it is the one that was sent, with its time. Nothing is announced: what a node has cached ends
 * earlier, and is read again then.
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
    created_at + make_interval(hours => ${LONGEST_DAYS * 24}))`
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
