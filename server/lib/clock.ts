import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Business time. Tests set it; nothing else asks the machine for the time of an act. */
export type Clock = { now: () => Date }

export const systemClock: Clock = { now: () => new Date() }

const MOST_APART_MS = 10_000

/**
 * By how many milliseconds the clock of this machine is ahead of PostgreSQL's, or behind it (negative), when that is too
 * much to share leases with other nodes, and to tell what is old; else 0. What the question took is in its favour.
 */
export async function clockFault(db: Db) {
  const asked = Date.now()
  const { rows } = await sql<{ ms: number }>`
    select round(extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db)
  const answered = Date.now()
  const told = rows[0]?.ms ?? asked
  const ahead = asked > told ? asked - told : Math.min(answered - told, 0)
  return Math.abs(ahead) > MOST_APART_MS ? ahead : 0
}
