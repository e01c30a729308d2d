import { job } from '../../lib/runtime/jobs.ts'
import { applyAccountLimits } from './pauses.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'apply-account-limits': object
  }
}

export const accountJobs = [
  job({ name: 'apply-account-limits', cron: '* * * * *', maxAttempts: 1, run: applyAccountLimits }),
]
