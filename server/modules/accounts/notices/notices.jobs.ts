import { job } from '../../../lib/runtime/jobs.ts'
import { deleteOldDeletions } from './notices.ts'

declare module '../../../lib/runtime/jobs.ts' {
  interface Jobs {
    'delete-old-data-deletions': object
  }
}

export const noticeJobs = [
  job({ name: 'delete-old-data-deletions', cron: '47 4 * * *', maxAttempts: 1, run: deleteOldDeletions }),
]
