import { setTimeout } from 'node:timers/promises'
import { ledgerRules } from './ledger-rules.ts'
import { inTransaction } from './lib/db/database.ts'
import type { Deps } from './lib/deps.ts'
import { deleteOldIdempotencyKeys } from './lib/http/idempotency.ts'
import { spareTime } from './lib/runtime/concurrency/spare-time.ts'
import { startHeartbeat } from './lib/runtime/heartbeat.ts'
import { hasLostDatabase, startJobRunner } from './lib/runtime/job-runner.ts'
import { addJob, crontabOf, taskListOf } from './lib/runtime/jobs.ts'
import { meters } from './meters.ts'
import { accountJobs } from './modules/accounts/accounts.jobs.ts'
import { grantJobs } from './modules/accounts/grants/grants.jobs.ts'
import { noticeJobs } from './modules/accounts/notices/notices.jobs.ts'
import { agentRunJobs } from './modules/agents/runs/runs.jobs.ts'
import { aiJobs } from './modules/ai/ai.jobs.ts'
import { authJobs } from './modules/auth/auth.jobs.ts'
import { billingJobs } from './modules/billing/billing.jobs.ts'
import { settlementJobs } from './modules/billing/settlements/settlements.jobs.ts'
import { backupJobs } from './modules/installation/backups/backups.jobs.ts'
import { ledgerJobs } from './modules/ledger/ledger.jobs.ts'
import { mailJobs } from './modules/mail/mail.jobs.ts'
import { orderJobs } from './modules/marketplace/orders/orders.jobs.ts'
import { payoutJobs } from './modules/marketplace/payouts/payouts.jobs.ts'
import { mediaJobs } from './modules/media/media.jobs.ts'
import { networkJobs } from './modules/networks/networks.jobs.ts'
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
  ...settlementJobs,
  ...ledgerJobs(ledgerRules),
  ...aiJobs,
  ...mediaJobs,
  ...networkJobs,
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

type AnyJob = (typeof jobs)[number]

/** Jobs that share their workers: those that publish and those of agents have their own. */
const poolOf = (pool: AnyJob['pool']) => jobs.filter((job) => job.pool === pool)

export const taskList = (deps: Deps) => taskListOf(jobs, deps)

/** Jobs that run at the same time, beside those that publish and the steps of agents. */
const CONCURRENT_JOBS = 30
/**
 * Accounts that a process publishes on at the same time. It waits for their networks most of the time, and holds no
 * connection then.
 */
const CONCURRENT_ACCOUNTS = 100

/** `alone`: no other process works on this database, so all existing locks were left by dead processes. */
export async function startWorker(deps: Deps, { alone }: { alone: boolean }) {
  const { log, outageLog, invalidationBus, timings, agentConcurrency } = deps
  const isConnected = () => invalidationBus.isConnected()
  const { db, pool } = deps.workerDatabase
  const heartbeat = await startHeartbeat(db, {
    alone,
    log,
    timings,
    isOutage: (error) => hasLostDatabase(error, isConnected),
    report: outageLog.report,
  })
  const { events } = heartbeat
  const startRunner = (listed: readonly AnyJob[], concurrentJobs: number, begin?: () => Promise<void>) =>
    startJobRunner({
      ...{ pool, log, outageLog, isConnected, timings, events, concurrentJobs, crontab: crontabOf(listed) },
      taskList: taskListOf(listed, { ...deps, db, pool }, begin),
    })
  const runners = await Promise.all([
    startRunner(poolOf(undefined), CONCURRENT_JOBS),
    startRunner(poolOf('publishing'), CONCURRENT_ACCOUNTS),
    // They wait for models most of the time, and hold no connection then. Requests and posts come first.
    startRunner(poolOf('agents'), agentConcurrency, () => spareTime()),
  ])
  const dispatcher = startDispatcher(deps)

  await inTransaction(db, async (tx) => {
    for (const { name, atStart, maxAttempts } of jobs)
      if (atStart) await addJob(tx, name, {}, { key: name, ...(maxAttempts && { maxAttempts }) })
  })

  return {
    /** `requests`: ends when this process has no more requests, whose calls go through the same dispatchers. */
    stop: async (requests: Promise<unknown> = Promise.resolve()) => {
      const ended = Promise.all([dispatcher.stop(), ...runners.map((runner) => runner.stop())])
      await Promise.race([ended, setTimeout(timings.jobDrain)])
      await Promise.allSettled([requests])
      // Calls that still wait for a response are aborted here, while their outcome can still be recorded as unknown.
      await Promise.all([deps.dispatcher.destroy(), deps.dispatcher.once.destroy()])
      await Promise.race([ended, setTimeout(timings.jobSettling)])
      await heartbeat.stop()
    },
  }
}
