import ipaddr from 'ipaddr.js'
import { sql } from 'kysely'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { rateLimitHeaders, tooManyRequests } from '../../../lib/http/rate-limit.ts'

const WINDOW_S = 60

/** Returns the address that attempts count for. For IPv6 the /64, because one customer has all of it. */
function subnetOf(ip: string | null) {
  if (ip === null || !ipaddr.isValid(ip)) return String(ip)
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv6'
    ? ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()
    : address.toString()
}

/** Keys of an attempt: the IP, and the e-mail address or user that it is about. */
export type SignInAttempt = { ip: string | null; email?: string; user_id?: string }

/**
 * Counts a call that asks for a password or a code, across all nodes. `exceeded` is set beyond `quota` a minute. Calls
 * beyond it count too, so guessing on does not help. undefined: there is no limit.
 */
async function countAttempt(db: Db, quota: number, { ip, email, user_id }: SignInAttempt, now: Date) {
  if (quota === 0) return
  const keys = [
    `ip ${subnetOf(ip)}`,
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
  // Reports the count closest to its limit. If several are equal, the one that lasts longest.
  const wait = Math.max(1, ...rows.filter((row) => row.count > quota || row.count === count).map((row) => row.wait))
  return {
    headers: rateLimitHeaders('auth', quota, quota - count, wait),
    exceeded: count > quota ? tooManyRequests(wait) : undefined,
  }
}

/** Headers of a response, as in Fastify. */
type Reply = {
  getHeader: (name: string) => number | string | string[] | undefined
  header: (name: string, value: string) => unknown
}

/** Counts an attempt and sets the headers. Throws `too_many_requests` beyond the limit. */
export async function limitAttempts(
  { db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>,
  reply: Reply,
  attempt: SignInAttempt,
) {
  const counted = await countAttempt(db, config.RATE_LIMIT_AUTH, attempt, clock.now())
  if (!counted) return
  // Both fields are lists: values of other limits stay.
  for (const [name, value] of Object.entries(counted.headers)) {
    const other = reply.getHeader(name)
    reply.header(name, other === undefined ? value : `${other}, ${value}`)
  }
  if (counted.exceeded) throw counted.exceeded
}

/** Deletes expired counts, codes, links and sessions. */
export async function deleteExpiredAuthRows(db: Db, now: Date) {
  await db
    .deleteFrom('auth_attempt')
    .where('started_at', '<', new Date(now.getTime() - 600_000))
    .execute()
  // better-auth uses the real time.
  const over = new Date(Math.min(now.getTime(), Date.now()))
  await db.deleteFrom('verification').where('expires_at', '<', over).execute()
  await db.deleteFrom('session').where('expires_at', '<', over).execute()
  await db.deleteFrom('email_change').where('expires_at', '<', now).execute()
}
