import { setTimeout } from 'node:timers/promises'
import { parseCrontab, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { MINUTE } from '../../../shared/time.ts'
import { isUnreachable } from '../db/database.ts'
import { codeOf } from '../error-code.ts'
import { graphileLogger } from './jobs.ts'
import type { OutageLog } from './logging/outage-log.ts'
import type { Timings } from './timings.ts'

/** A change of the machine's clock that is more than a correction. */
const CLOCK_SET_MS = MINUTE

type Options = {
  taskList: TaskList
  crontab: string
  /** Jobs that run at the same time. */
  concurrentJobs: number
  pool: Pool
  log: Logger
  outageLog: OutageLog
  /** Whether another connection to the database is up. */
  isConnected: () => boolean
  timings: Pick<Timings, 'jobPoll' | 'jobDrain' | 'fetchedJobs' | 'runnerRestart' | 'heartbeat'>
  events: WorkerEvents
}

/** Whether the database was lost. A job that calls a mail server or a network can fail with the same system errors. */
export const hasLostDatabase = (error: unknown, isConnected: () => boolean) =>
  isUnreachable(error) && !isOfOthers(error, isConnected)

const isOfOthers = (error: unknown, isConnected: () => boolean) => /^E[A-Z]/.test(codeOf(error)) && isConnected()

/** Runs jobs of these tasks until it is stopped. Starts graphile-worker again when it stopped by itself. */
export async function startJobRunner(options: Options) {
  const { taskList, crontab, concurrentJobs, pool, log, outageLog, isConnected, timings, events } = options
  const seen = new WeakSet<Error>()
  let runner: Runner | undefined
  const isOutage = (error: unknown, ofJob: boolean) => {
    // graphile-worker keeps the failure of its first query, and would never fetch a job again.
    if (!ofJob && error instanceof Error) {
      if (seen.has(error)) void runner?.stop().catch(() => undefined)
      seen.add(error)
    }
    return !(ofJob && isOfOthers(error, isConnected)) && outageLog.note(error)
  }
  const start = () =>
    run({
      preset: {
        worker: {
          concurrentJobs,
          pollInterval: timings.jobPoll,
          gracefulShutdownAbortTimeout: timings.jobDrain,
          // One query fetches for all. Alone, each would lock all queues for a moment, and the others would find none.
          localQueue: { size: concurrentJobs, ttl: timings.fetchedJobs },
        },
      },
      pgPool: pool,
      taskList,
      parsedCronItems: parseCrontab(crontab),
      noHandleSignals: true,
      logger: graphileLogger(log, isOutage),
      events,
    })
  let stopped = false
  runner = await start()
  // graphile-worker waits for the next run of a cron job by the clock of the machine, so it starts again when that was set.
  let origin = Date.now() - performance.now()
  const clockWatch = setInterval(() => {
    const current = Date.now() - performance.now()
    if (Math.abs(current - origin) < CLOCK_SET_MS) return
    origin = current
    log.warn('the clock of this machine was set: the job runner starts again')
    void runner?.stop().catch(() => undefined)
  }, timings.heartbeat)
  const keepRunning = async () => {
    while (!stopped) {
      await runner?.promise.catch((err) => outageLog.report(err, 'the job runner stopped unexpectedly'))
      while (!stopped) {
        await setTimeout(timings.runnerRestart)
        if (stopped) return
        try {
          runner = await start()
          break
        } catch (err) {
          outageLog.report(err, 'the job runner could not be started again; retrying')
        }
      }
    }
  }
  void keepRunning()
  return {
    /** Resolves when no job of this process runs any more. */
    stop: async () => {
      stopped = true
      clearInterval(clockWatch)
      await runner?.stop().catch(() => undefined)
    },
  }
}
