import { sql } from 'kysely'
import { sha256 } from '../../../lib/crypto/crypto.ts'
import type { Db } from '../../../lib/db/database.ts'

/**
 * Calls that count together, and how many of them are allowed in a window, which starts with the first. `failed`: those
 * that do not fail are taken back.
 */
export type Quota = { key: string; quota: number; seconds: number; failed?: true }

/** The used part of a quota. `wait`: seconds until its window ends. */
export type Used = Quota & { count: number; wait: number }

/** Counts one call for each quota, across all nodes. Calls beyond a quota count too, so repeating them does not help. */
export async function countCall(db: Db, quotas: readonly Quota[], now: Date): Promise<Used[]> {
  const hashed = quotas.map((quota) => ({ ...quota, hash: sha256(quota.key) }))
  // Ordered, so that simultaneous calls cannot deadlock.
  const { rows } = await sql<{ key: string; count: number; wait: number }>`
    insert into auth_attempt (key, started_at, ends_at, count)
    select key, ${now}::timestamptz, ${now}::timestamptz + make_interval(secs => seconds), 1
    from unnest(${hashed.map(({ hash }) => hash)}::text[], ${hashed.map(({ seconds }) => seconds)}::int[])
      as quota (key, seconds)
    order by key
    on conflict (key) do update set
      count = case when auth_attempt.ends_at > ${now} then auth_attempt.count + 1 else 1 end,
      ends_at = case when auth_attempt.ends_at > ${now} then auth_attempt.ends_at else excluded.ends_at end,
      started_at = excluded.started_at
    returning key, count, ceil(extract(epoch from ends_at - ${now}::timestamptz))::int as wait`.execute(db)
  return hashed.map(({ hash, ...quota }) => {
    const { count = 0, wait = 0 } = rows.find(({ key }) => key === hash) ?? {}
    return { ...quota, count, wait: Math.max(1, wait) }
  })
}

/** Takes one call back from each of these quotas. */
export const uncountCall = (db: Db, quotas: readonly Quota[]) =>
  sql`update auth_attempt set count = auth_attempt.count - 1
    from (
      select key from auth_attempt where key = any(${quotas.map(({ key }) => sha256(key))}::text[]) and count > 0
      order by key for update
    ) own
    where auth_attempt.key = own.key`.execute(db)

/** Deletes counts whose window is over, except those that a call is counting on. */
export const deleteEndedCounts = (db: Db, now: Date) =>
  sql`delete from auth_attempt where key in (
    select key from auth_attempt
    where ends_at < ${now} or (ends_at is null and started_at < ${now}::timestamptz - interval '10 min')
    for update skip locked
  )`.execute(db)
