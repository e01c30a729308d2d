import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * Numbers of Meydan's advisory locks, listed here so that each is unique. The embedded PostgreSQL uses one more, in
 * a separate database.
 */
export const locks = {
  migrations: 7_301_001,
  keyring: 7_301_002,
  setUp: 7_301_003,
  freeSlug: 7_301_004,
  signUp: 7_301_005,
  idempotency: 7_301_006,
  webhookHistory: 7_301_008,
  events: 7_301_009,
  options: 7_301_010,
  gauge: 7_301_011,
  eventClock: 7_301_012,
  billing: 7_301_013,
  trial: 7_301_014,
  queue: 7_301_015,
  backup: 7_301_016,
  restore: 7_301_017,
  historyArchive: 7_301_018,
  release: 7_301_019,
  hold: 7_301_020,
  workspaceImport: 7_301_021,
  pushEndpoint: 7_301_022,
  agentSteps: 7_301_023,
  networkApp: 7_301_024,
  officialNumber: 7_301_025,
  settlementRemedy: 7_301_026,
  settlementLines: 7_301_027,
} as const

/** Whether any session holds this lock on this database. */
export async function isLocked(db: Db, lock: number) {
  const { rows } = await sql<{ locked: boolean }>`select exists (
    select from pg_locks where locktype = 'advisory' and objid = ${lock} and granted
      and database = (select oid from pg_database where datname = current_database())) as locked`.execute(db)
  return rows[0]?.locked ?? false
}
