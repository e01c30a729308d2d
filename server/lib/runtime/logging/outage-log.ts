import type { Logger } from 'pino'
import { isDiskFull, isUnreachable } from '../../db/database.ts'

const CHECK_MS = 1000
/** Milliseconds without a failure after which an outage is over. */
const QUIET_MS = 5000

type Outage = { diskFull: boolean; since: number; last: number; failures: number }

/**
 * Logs an outage of the database as two lines, one when it begins and one when it ends, and not as one for everything
 * that fails. `isWorking` reports whether the database works again.
 */
export function createOutageLog(log: Logger, isWorking: (outage: Outage) => Promise<boolean>) {
  let outage: Outage | undefined
  let checking = false
  let timer: NodeJS.Timeout | undefined

  const check = async () => {
    if (!outage || checking || performance.now() - outage.last < QUIET_MS) return
    checking = true
    const isOver = await isWorking(outage).catch(() => false)
    checking = false
    if (!isOver) return
    const { since, failures } = outage
    outage = undefined
    clearInterval(timer)
    log.info({ failures, seconds: Math.round((performance.now() - since) / 1000) }, 'the database works again')
  }

  /** Whether `error` belongs to an outage. The first of an outage is logged; the others are counted. */
  const note = (error: unknown) => {
    const diskFull = isDiskFull(error)
    if (!diskFull && !isUnreachable(error)) return false
    const now = performance.now()
    if (!outage) {
      outage = { diskFull, since: now, last: now, failures: 0 }
      log.error({ err: error }, diskFull ? 'the disk of the database is full' : 'the database cannot be reached')
      timer = setInterval(() => void check(), CHECK_MS).unref()
    }
    outage.failures++
    outage.last = now
    outage.diskFull ||= diskFull
    return true
  }

  return {
    note,
    /** Logs that work on the database failed, unless that belongs to an outage. */
    report: (err: unknown, message: string) => {
      if (!note(err)) log.error({ err }, message)
    },
    isDiskFull: () => outage?.diskFull ?? false,
    close: () => clearInterval(timer),
  }
}

export type OutageLog = ReturnType<typeof createOutageLog>
