import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Business time. Tests set it; no other code reads the machine's clock for the time of an action. */
export type Clock = { now: () => Date }

export const systemClock: Clock = { now: () => new Date() }

const MAX_SKEW_MS = 10_000

/**
 * Milliseconds by which this machine's clock is ahead of PostgreSQL's (negative: behind), when that is too much to
 * share leases with other nodes and to judge ages; otherwise 0. The duration of the query counts in the clock's favour.
 */
export async function clockSkew(db: Db) {
  const asked = Date.now()
  const { rows } = await sql<{ ms: number }>`
    select round(extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db)
  const answered = Date.now()
  const databaseTime = rows[0]?.ms ?? asked
  const ahead = asked > databaseTime ? asked - databaseTime : Math.min(answered - databaseTime, 0)
  return Math.abs(ahead) > MAX_SKEW_MS ? ahead : 0
}
