import type { Deps } from '../../lib/deps.ts'
import { job } from '../../lib/runtime/jobs.ts'
import { checkFailingWebhooks, holdDisabled } from './auto-disable.ts'
import { keepWebhookHistory } from './retention.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'hold-deliveries': { webhook_id: string }
    'disable-failing-webhooks': object
    'keep-webhook-history': object
  }
}

export const webhookJobs = [
  job({ name: 'hold-deliveries', run: holdDisabled }),
  job({
    name: 'disable-failing-webhooks',
    formerNames: ['care-for-webhooks'],
    cron: '* * * * *',
    maxAttempts: 1,
    run: checkFailingWebhooks,
  }),
  job({
    name: 'keep-webhook-history',
    cron: '29 * * * *',
    maxAttempts: 5,
    atStart: true,
    // The archive holds a lock of its session, which a pooler does not have.
    run: (deps: Deps) => keepWebhookHistory({ ...deps, db: deps.workerDatabase.db }),
  }),
]
