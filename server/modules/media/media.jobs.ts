import { job } from '../../lib/runtime/jobs.ts'
import { eraseDeletedMedia } from './deletion.ts'
import { eraseStoredFiles } from './storage/erasure.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'erase-deleted-media': object
    'erase-stored-files': object
  }
}

export const mediaJobs = [
  job({ name: 'erase-deleted-media', cron: '23 * * * *', fill: '1h', run: eraseDeletedMedia }),
  job({ name: 'erase-stored-files', cron: '*/10 * * * *', fill: '1h', run: eraseStoredFiles }),
]
