import type { Deps } from '../../deps.ts'
import type { User } from '../../lib/access.ts'
import { inTransaction } from '../../lib/database.ts'
import { SESSION_SECONDS } from './better-auth.ts'
import { cookieName } from './bridge.ts'
import { cookieOf } from './sessions.ts'

/**
 * Who comes back stays signed in: once a day a session gets its whole time again. Returns the cookie to set then; it is
 * the one that was sent, with its time.
 */
export async function renewSession(
  { db, clock, pulse, baseUrl }: Pick<Deps, 'db' | 'clock' | 'pulse' | 'baseUrl'>,
  { session_id }: User,
  cookies: string | undefined,
) {
  const name = cookieName(baseUrl, 'session_token')
  const value = cookieOf(cookies, name)
  if (session_id === null || value === undefined) return
  const end = clock.now().getTime() + SESSION_SECONDS * 1000
  const renewed = await inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('session')
      .set({ expires_at: new Date(end) })
      .where('id', '=', session_id)
      .where('expires_at', '<', new Date(end - 86_400_000))
      .executeTakeFirst()
    if (numUpdatedRows) await pulse.announce(tx, 'session')
    return numUpdatedRows > 0
  })
  if (!renewed) return
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Max-Age=${SESSION_SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure}`
}
