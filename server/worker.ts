import { setTimeout } from 'node:timers/promises'
import { type Runner, run } from 'graphile-worker'
import { MINUTE } from '../shared/time.ts'
import { ledgerRules } from './ledger-rules.ts'
import { inTransaction, isUnreachable } from './lib/db/database.ts'
import type { Deps } from './lib/deps.ts'
import { codeOf } from './lib/error-code.ts'
import { deleteOldIdempotencyKeys } from './lib/http/idempotency.ts'
import { startHeartbeat } from './lib/runtime/heartbeat.ts'
import { addJob, crontabOf, graphileLogger, taskListOf } from './lib/runtime/jobs.ts'
import { meters } from './meters.ts'
import { accountJobs } from './modules/accounts/accounts.jobs.ts'
import { grantJobs } from './modules/accounts/grants/grants.jobs.ts'
import { noticeJobs } from './modules/accounts/notices/notices.jobs.ts'
import { agentRunJobs } from './modules/agents/runs/runs.jobs.ts'
import { aiJobs } from './modules/ai/ai.jobs.ts'
import { authJobs } from './modules/auth/auth.jobs.ts'
import { billingJobs } from './modules/billing/billing.jobs.ts'
import { backupJobs } from './modules/installation/backups/backups.jobs.ts'
import { ledgerJobs } from './modules/ledger/ledger.jobs.ts'
import { mailJobs } from './modules/mail/mail.jobs.ts'
import { orderJobs } from './modules/marketplace/orders/orders.jobs.ts'
import { payoutJobs } from './modules/marketplace/payouts/payouts.jobs.ts'
import { mediaJobs } from './modules/media/media.jobs.ts'
import { notificationJobs } from './modules/notifications/notifications.jobs.ts'
import { postJobs } from './modules/posts/posts.jobs.ts'
import { usageJobs } from './modules/usage/usage.jobs.ts'
import { startDispatcher } from './modules/webhooks/delivery/dispatcher.ts'
import { webhookJobs } from './modules/webhooks/webhooks.jobs.ts'
import { workspaceJobs } from './modules/workspaces/workspaces.jobs.ts'

const jobs = [
  ...mailJobs,
  ...notificationJobs,
  ...authJobs,
  ...workspaceJobs,
  ...billingJobs,
  ...ledgerJobs(ledgerRules),
  ...aiJobs,
  ...mediaJobs,
  ...accountJobs,
  ...grantJobs,
  ...noticeJobs,
  ...usageJobs(meters),
  ...postJobs,
  ...agentRunJobs,
  ...orderJobs,
  ...payoutJobs,
  ...webhookJobs,
  ...backupJobs,
  deleteOldIdempotencyKeys,
]

export const taskList = (deps: Deps) => taskListOf(jobs, deps)

/** A change of the machine's clock that is more than a correction. */
const CLOCK_SET_MS = MINUTE

/** Jobs that run at the same time: at most as many as `workerDatabase` has connections. */
const CONCURRENT_JOBS = 30

/** `alone`: no other process works on this database, so all existing locks were left by dead processes. */
export async function startWorker(deps: Deps, { alone }: { alone: boolean }) {
  const { log, outageLog, invalidationBus, timings } = deps
  // A job that calls a mail server or a network can fail with the same system errors while the database works.
  const isOfOthers = (error: unknown) => /^E[A-Z]/.test(codeOf(error)) && invalidationBus.isConnected()
  const hasLostDatabase = (error: unknown) => isUnreachable(error) && !isOfOthers(error)
  const seen = new WeakSet<Error>()
  let runner: Runner | undefined
  const isOutage = (error: unknown, ofJob: boolean) => {
    // graphile-worker keeps the failure of its first query, and would never fetch a job again.
    if (!ofJob && error instanceof Error) {
      if (seen.has(error)) void runner?.stop().catch(() => undefined)
      seen.add(error)
    }
    return !(ofJob && isOfOthers(error)) && outageLog.note(error)
  }
  const { db, pool } = deps.workerDatabase
  const heartbeat = await startHeartbeat(db, {
    alone,
    log,
    timings,
    isOutage: hasLostDatabase,
    report: outageLog.report,
  })
  const start = () =>
    run({
      preset: {
        worker: {
          concurrentJobs: CONCURRENT_JOBS,
          pollInterval: timings.jobPoll,
          gracefulShutdownAbortTimeout: timings.jobDrain,
          // One query fetches for all. Alone, each would lock all queues for a moment, and the others would find none.
          localQueue: { size: CONCURRENT_JOBS, ttl: timings.fetchedJobs },
        },
      },
      pgPool: pool,
      taskList: taskList({ ...deps, db, pool }),
      crontab: crontabOf(jobs),
      noHandleSignals: true,
      logger: graphileLogger(log, isOutage),
      events: heartbeat.events,
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
  const dispatcher = startDispatcher(deps)

  await inTransaction(db, async (tx) => {
    for (const { name, atStart, maxAttempts } of jobs)
      if (atStart) await addJob(tx, name, {}, { key: name, ...(maxAttempts && { maxAttempts }) })
  })

  return {
    /** `requests`: ends when this process has no more requests, whose calls go through the same dispatchers. */
    stop: async (requests: Promise<unknown> = Promise.resolve()) => {
      stopped = true
      clearInterval(clockWatch)
      const ended = Promise.all([dispatcher.stop(), runner?.stop().catch(() => undefined)])
      await Promise.race([ended, setTimeout(timings.jobDrain)])
      await Promise.allSettled([requests])
      // Calls that still wait for a response are aborted here, while their outcome can still be recorded as unknown.
      await Promise.all([deps.dispatcher.destroy(), deps.dispatcher.once.destroy()])
      await Promise.race([ended, setTimeout(timings.jobSettling)])
      await heartbeat.stop()
    },
  }
}
