import { setTimeout } from 'node:timers/promises'
import { run } from 'graphile-worker'
import type { Deps } from './deps.ts'
import { startHeartbeat } from './lib/heartbeat.ts'
import { forgetIdempotencyKeys } from './lib/idempotency.ts'
import type { Jobs } from './lib/jobs.ts'
import { graphileLogger } from './lib/jobs.ts'
import { sweepGenerations } from './modules/ai/generations.ts'
import { takeVideoStep } from './modules/ai/videos.jobs.ts'
import { forgetWhatIsOver } from './modules/auth/limit.ts'
import { sendMail } from './modules/mail/mail.ts'
import { eraseOldMails } from './modules/mail/outbox.ts'
import { eraseDeletedPosts } from './modules/posts/deletion.ts'
import { publishTarget, wakeForgottenTargets } from './modules/posts/publishing.ts'
import { careForWebhooks, holdDisabled } from './modules/webhooks/care.ts'
import { startDispatcher } from './modules/webhooks/dispatcher.ts'
import { askToKeepHistory, keepWebhookHistory } from './modules/webhooks/retention.ts'
import { eraseDeletedWorkspaces } from './modules/workspaces/deletion.ts'

/** What does each job. `isLast`: after this attempt there is no other. */
const handlers: { [Name in keyof Jobs]: (deps: Deps, payload: Jobs[Name], isLast: boolean) => Promise<void> } = {
  'send-mail': sendMail,
  'erase-old-mails': eraseOldMails,
  'publish-target': publishTarget,
  'erase-deleted-posts': eraseDeletedPosts,
  'erase-deleted-workspaces': eraseDeletedWorkspaces,
  'hold-deliveries': holdDisabled,
  'care-for-webhooks': careForWebhooks,
  'keep-webhook-history': keepWebhookHistory,
  'generate-video': takeVideoStep,
}

/** Jobs that come by themselves, once for all nodes. One that was missed because nothing ran comes at the start. */
const crontab = `17 * * * * erase-deleted-posts ?fill=1h
41 3 * * * erase-deleted-workspaces ?fill=1d
11 4 * * * erase-old-mails ?fill=1d
* * * * * care-for-webhooks ?max=1
29 * * * * keep-webhook-history ?max=5`

/** The handlers in the form that graphile-worker calls. */
export const taskList = (deps: Deps) =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      // A payload is what addJob took for this name: its type was checked there.
      (payload: unknown, { job }: { job: { attempts: number; max_attempts: number } }) =>
        handler(deps, payload as never, job.attempts >= job.max_attempts),
    ]),
  )

const SWEEP_MS = 60_000
/** How long what runs may take to end when Meydan stops, before its calls are broken off, and then to settle. */
const DRAIN_MS = 3000
const SETTLE_MS = 1500
const RESTART_MS = 1000

/** `alone`: no other process works on this database, so every lock that is found was left by a dead one. */
export async function startWorker(deps: Deps, { alone }: { alone: boolean }) {
  const { clock, log } = deps
  const { db, pool } = deps.workerDatabase
  const heartbeat = await startHeartbeat(db, { alone, log })
  const start = () =>
    run({
      pgPool: pool,
      taskList: taskList(deps),
      crontab,
      concurrency: 20,
      pollInterval: 1000,
      noHandleSignals: true,
      logger: graphileLogger(log),
      events: heartbeat.events,
      gracefulShutdownAbortTimeout: DRAIN_MS,
    })
  let stopped = false
  let runner = await start()
  const keepRunning = async () => {
    while (!stopped) {
      await runner.promise.catch((err) => log.error({ err }, 'the job runner broke off'))
      while (!stopped) {
        await setTimeout(RESTART_MS)
        if (stopped) return
        try {
          runner = await start()
          break
        } catch (err) {
          log.error({ err }, 'the job runner cannot be started again yet')
        }
      }
    }
  }
  void keepRunning()
  const dispatcher = startDispatcher(deps, heartbeat)

  const sweep = async () => {
    try {
      const count = await wakeForgottenTargets(db, clock.now())
      if (count > 0) log.warn({ count }, 'found due posts that no job was left for')
      await forgetWhatIsOver(db, clock.now())
      await sweepGenerations({ db, clock })
      await forgetIdempotencyKeys(db, clock.now())
    } catch (err) {
      log.warn({ err }, 'the sweep of this minute failed')
    }
  }
  const timer = setInterval(() => void sweep(), SWEEP_MS)
  void sweep()
  void askToKeepHistory(db).catch((err) => log.warn({ err }, 'the webhook history waits for its hour'))

  return {
    stop: async () => {
      stopped = true
      clearInterval(timer)
      const ended = Promise.all([dispatcher.stop(), runner.stop().catch(() => undefined)])
      await Promise.race([ended, setTimeout(DRAIN_MS)])
      // What still waits for an answer is broken off here, while its outcome can be written down as unknown.
      await Promise.all([deps.dispatcher.destroy(), deps.dispatcher.once.destroy()])
      await Promise.race([ended, setTimeout(SETTLE_MS)])
      await heartbeat.stop()
    },
  }
}
