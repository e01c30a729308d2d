import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../db/database.ts'

/** Business time. Tests set it; no other code reads the machine's clock for the time of an action. */
export type Clock = { now: () => Date; stop?: () => void }

export const systemClock: Clock = { now: () => new Date() }

const SYNCHRONIZE_MS = 5000
/** Difference between the clocks of this machine and PostgreSQL from which it is reported. */
const REPORTED_SKEW_MS = 10_000

/**
 * Starts a clock that shows the time of PostgreSQL, which all nodes share, whatever the clock of this machine shows.
 * It compares itself with PostgreSQL every few seconds and runs by the monotonic clock in between, so setting the clock
 * of the machine does not change it. It is as exact as the fastest response of PostgreSQL.
 */
export async function startDatabaseClock(db: Db, log: Logger): Promise<Clock> {
  let origin = Date.now() - performance.now()
  const synchronize = async () => {
    const asked = performance.now()
    const databaseTime = await readDatabaseTime(db)
    const receivedAt = performance.now()
    // PostgreSQL read its clock at some moment between the two, so only a time outside of them is wrong.
    origin = Math.min(Math.max(origin, databaseTime - receivedAt), databaseTime - asked)
    reportSkew(Math.round(Date.now() - performance.now() - origin))
  }
  let wasSkewed = false
  const reportSkew = (ahead_ms: number) => {
    const isSkewed = Math.abs(ahead_ms) > REPORTED_SKEW_MS
    if (isSkewed && !wasSkewed)
      log.warn({ ahead_ms }, 'the clock of this machine differs from the clock of PostgreSQL, whose time is used')
    if (!isSkewed && wasSkewed) log.info('the clock of this machine agrees with the clock of PostgreSQL again')
    wasSkewed = isSkewed
  }
  await synchronize()
  let isSynchronizing = false
  const timer = setInterval(async () => {
    if (isSynchronizing) return
    isSynchronizing = true
    await synchronize().catch((err) => log.debug({ err }, 'the clock could not be compared with PostgreSQL'))
    isSynchronizing = false
  }, SYNCHRONIZE_MS)
  timer.unref()
  return { now: () => new Date(origin + performance.now()), stop: () => clearInterval(timer) }
}

/** Milliseconds since 1970, with a fraction. */
async function readDatabaseTime(db: Db) {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db)
  if (!rows[0]) throw new Error('PostgreSQL returned no time')
  return rows[0].ms
}
