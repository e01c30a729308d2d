import ipaddr from 'ipaddr.js'
import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import { sha256 } from '../../lib/crypto.ts'
import type { Db } from '../../lib/database.ts'
import { rateLimitHeaders, tooManyRequests } from '../../lib/rate-limit.ts'

const WINDOW_S = 60

/** Where a call comes from, as far as it counts: of an IPv6 address the /64, because one customer has all of it. */
export function networkOf(ip: string | null) {
  if (ip === null || !ipaddr.isValid(ip)) return String(ip)
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv6'
    ? ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()
    : address.toString()
}

/** Whom an attempt is counted for: the IP it comes from, and the address or the user that it is about. */
export type Attempt = { ip: string | null; email?: string; user_id?: string }

/**
 * Counts a call at a door of sign-in, or one that asks for a password or a code, on all nodes together. Past `quota` a
 * minute it is `exceeded`; what is past it counts too, so guessing on does not help. undefined: there is no limit.
 */
async function countAttempt(db: Db, quota: number, { ip, email, user_id }: Attempt, now: Date) {
  if (quota === 0) return
  const keys = [
    `ip ${networkOf(ip)}`,
    ...(email === undefined ? [] : [`email ${email.toLowerCase()}`]),
    ...(user_id === undefined ? [] : [`user ${user_id}`]),
  ]
    .map(sha256)
    .sort()
  const { rows } = await sql<{ count: number; wait: number }>`
    insert into auth_attempt (key, started_at, count)
    select key, ${now}::timestamptz, 1 from unnest(${keys}::text[]) as key order by key
    on conflict (key) do update set
      count = case when auth_attempt.started_at > excluded.started_at - make_interval(secs => ${WINDOW_S})
        then auth_attempt.count + 1 else 1 end,
      started_at = case when auth_attempt.started_at > excluded.started_at - make_interval(secs => ${WINDOW_S})
        then auth_attempt.started_at else excluded.started_at end
    returning count, ceil(extract(epoch from started_at - ${now}::timestamptz) + ${WINDOW_S})::int as wait`.execute(db)
  const count = Math.max(...rows.map((row) => row.count))
  // What is told is the count that is nearest to its limit, and of several the one that lasts longest.
  const wait = Math.max(1, ...rows.filter((row) => row.count > quota || row.count === count).map((row) => row.wait))
  return {
    headers: rateLimitHeaders('auth', quota, quota - count, wait),
    exceeded: count > quota ? tooManyRequests(wait) : undefined,
  }
}

/** The headers of an answer, as Fastify has them. */
type Reply = {
  getHeader: (name: string) => number | string | string[] | undefined
  header: (name: string, value: string) => unknown
}

/** Counts an attempt and tells what is left. Throws `too_many_requests` past the limit. */
export async function limitAttempts(
  { db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>,
  reply: Reply,
  attempt: Attempt,
) {
  const counted = await countAttempt(db, config.RATE_LIMIT_AUTH, attempt, clock.now())
  if (!counted) return
  // Both fields are lists: what is known of another limit stays.
  for (const [name, value] of Object.entries(counted.headers)) {
    const other = reply.getHeader(name)
    reply.header(name, other === undefined ? value : `${other}, ${value}`)
  }
  if (counted.exceeded) throw counted.exceeded
}

/** Forgets counts, codes, links and sessions that no longer matter. */
export async function forgetWhatIsOver(db: Db, now: Date) {
  await db
    .deleteFrom('auth_attempt')
    .where('started_at', '<', new Date(now.getTime() - 600_000))
    .execute()
  // better-auth judges by the real time.
  const over = new Date(Math.min(now.getTime(), Date.now()))
  await db.deleteFrom('verification').where('expires_at', '<', over).execute()
  await db.deleteFrom('session').where('expires_at', '<', over).execute()
  await db.deleteFrom('email_change').where('expires_at', '<', now).execute()
}
