import { job } from '../../../../lib/runtime/jobs.ts'
import { runOrderTimers } from './run-timers.ts'

declare module '../../../../lib/runtime/jobs.ts' {
  interface Jobs {
    'run-order-timers': object
  }
}

export const orderJobs = [
  job({ name: 'run-order-timers', cron: '* * * * *', maxAttempts: 1, atStart: true, run: runOrderTimers }),
]
