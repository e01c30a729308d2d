import { job } from '../../lib/runtime/jobs.ts'
import { deleteUnusedServerApps } from './apps/server-apps.ts'
import { warnOfVersions } from './versions/version-warnings.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'delete-unused-server-apps': object
    'warn-of-versions': object
  }
}

export const networkJobs = [
  job({ name: 'delete-unused-server-apps', cron: '31 4 * * *', maxAttempts: 1, run: deleteUnusedServerApps }),
  job({ name: 'warn-of-versions', cron: '13 6 * * *', fill: '1d', maxAttempts: 3, run: warnOfVersions }),
]
