import { job } from '../../../lib/runtime/jobs.ts'
import { mailLater, type RepeatableMail } from './conversation/repeatable-mails.ts'
import { runOrderTimers } from './run-timers.ts'
import { withdrawOrdersOfDeleted } from './workspace-deletion.ts'

declare module '../../../lib/runtime/jobs.ts' {
  interface Jobs {
    'run-order-timers': object
    'withdraw-orders': { workspace_id: string }
    'mail-order': RepeatableMail
  }
}

export const orderJobs = [
  job({ name: 'run-order-timers', cron: '* * * * *', maxAttempts: 1, atStart: true, run: runOrderTimers }),
  job({ name: 'withdraw-orders', run: withdrawOrdersOfDeleted }),
  job({ name: 'mail-order', run: mailLater }),
]
