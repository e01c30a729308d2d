import { job } from '../../lib/runtime/jobs.ts'
import { warnOfVersions } from './versions/version-warnings.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'warn-of-versions': object
  }
}

export const networkJobs = [
  job({ name: 'warn-of-versions', cron: '13 6 * * *', fill: '1d', maxAttempts: 3, run: warnOfVersions }),
]
