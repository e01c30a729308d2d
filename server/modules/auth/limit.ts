import { sql } from 'kysely'
import { problem } from '../../errors.ts'
import { sha256 } from '../../lib/crypto.ts'
import type { Db } from '../../lib/database.ts'

const WINDOW_S = 60

/**
 * Counts a call at a door of sign-in, on all nodes together, for the address it names and for the IP it comes from.
 * Throws `too_many_requests` past `limit` a minute; what is past it counts too, so guessing on does not help.
 */
export async function countAttempt(db: Db, limit: number, { email, ip }: { email?: string; ip: string }, now: Date) {
  if (limit === 0) return
  const keys = [`ip ${ip}`, ...(email === undefined ? [] : [`email ${email.toLowerCase()}`])].map(sha256).sort()
  const { rows } = await sql<{ count: number; wait: number }>`
    insert into auth_attempt (key, started_at, count)
    select key, ${now}::timestamptz, 1 from unnest(${keys}::text[]) as key order by key
    on conflict (key) do update set
      count = case when auth_attempt.started_at > excluded.started_at - make_interval(secs => ${WINDOW_S})
        then auth_attempt.count + 1 else 1 end,
      started_at = case when auth_attempt.started_at > excluded.started_at - make_interval(secs => ${WINDOW_S})
        then auth_attempt.started_at else excluded.started_at end
    returning count, ceil(extract(epoch from started_at - ${now}::timestamptz) + ${WINDOW_S})::int as wait`.execute(db)
  const over = rows.filter((row) => row.count > limit)
  if (over.length === 0) return
  const retryAfter = Math.max(1, ...over.map((row) => row.wait))
  throw problem('too_many_requests', { detail: `Try again in ${retryAfter} seconds.`, retryAfter })
}

/** Forgets counts that no longer matter. */
export const forgetAttempts = (db: Db, now: Date) =>
  db
    .deleteFrom('auth_attempt')
    .where('started_at', '<', new Date(now.getTime() - 600_000))
    .execute()
