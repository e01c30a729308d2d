import { job } from '../../../lib/runtime/jobs.ts'
import { clearEarnings } from './clearance.ts'

declare module '../../../lib/runtime/jobs.ts' {
  interface Jobs {
    'clear-earnings': object
  }
}

export const payoutJobs = [
  job({ name: 'clear-earnings', cron: '*/5 * * * *', maxAttempts: 1, atStart: true, run: clearEarnings }),
]
