import type { Deps } from '../../../lib/deps.ts'
import { spareTime } from '../../../lib/runtime/concurrency/spare-time.ts'
import { job } from '../../../lib/runtime/jobs.ts'
import { holdScheduledPosts } from './finishing/hold-scheduled-posts.ts'
import { expireReviews } from './finishing/note-review.ts'
import { notifyWaitingPosts } from './finishing/notify-waiting.ts'
import { startDueRuns } from './start-due-runs.ts'
import { takeNextStep } from './steps/take-step.ts'

declare module '../../../lib/runtime/jobs.ts' {
  interface Jobs {
    'start-agent-runs': object
    'expire-agent-reviews': object
    'notify-waiting-agents': object
    'take-next-agent-step': object
  }
}

export const agentRunJobs = [
  job({
    name: 'start-agent-runs',
    cron: '* * * * *',
    maxAttempts: 1,
    atStart: true,
    // Thousands of agents are due at full hours, and so are posts, which come first.
    run: ({ workerDatabase: { db }, clock }: Deps) => startDueRuns({ db, clock }, () => spareTime()),
  }),
  job({
    name: 'take-next-agent-step',
    // Its payload named a run.
    formerNames: ['take-agent-step'],
    pool: 'agents',
    run: (deps: Deps, _, { id }) => takeNextStep(deps, id),
  }),
  job({ name: 'hold-agent-posts', run: holdScheduledPosts }),
  job({ name: 'notify-waiting-agents', cron: '37 3 * * *', fill: '1d', maxAttempts: 1, run: notifyWaitingPosts }),
  job({ name: 'expire-agent-reviews', cron: '53 * * * *', fill: '1h', run: expireReviews }),
]
