import type { Deps } from '../../lib/deps.ts'
import { job } from '../../lib/runtime/jobs.ts'
import { eraseDeletedMedia } from './deletion.ts'
import { eraseStoredFiles } from './storage/erasure.ts'
import { removeOldUploads } from './storage/temporary.ts'
import { eraseExpiredUploads } from './upload/resumable.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'erase-deleted-media': object
    'erase-stored-files': object
    'erase-expired-uploads': object
  }
}

export const mediaJobs = [
  job({ name: 'erase-deleted-media', cron: '23 * * * *', fill: '1h', run: eraseDeletedMedia }),
  job({ name: 'erase-stored-files', cron: '*/10 * * * *', fill: '1h', run: eraseStoredFiles }),
  job({
    name: 'erase-expired-uploads',
    cron: '41 * * * *',
    fill: '1h',
    run: async (deps: Deps) => {
      await eraseExpiredUploads(deps)
      await removeOldUploads(deps.config, new Date())
    },
  }),
]
