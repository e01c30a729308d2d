import { job } from '../../lib/runtime/jobs.ts'
import { deleteOldConnections } from './connections/connections.ts'
import { applyAccountLimits } from './pauses.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'apply-account-limits': object
    'delete-old-connections': object
  }
}

export const accountJobs = [
  job({ name: 'apply-account-limits', cron: '* * * * *', maxAttempts: 1, run: applyAccountLimits }),
  job({ name: 'delete-old-connections', cron: '17 * * * *', maxAttempts: 1, run: deleteOldConnections }),
]
