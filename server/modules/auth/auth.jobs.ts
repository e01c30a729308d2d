import type { Deps } from '../../lib/deps.ts'
import { job } from '../../lib/runtime/jobs.ts'
import { deleteExpiredAuthRows } from './sign-in/attempt-limit.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'delete-expired-sign-in-data': object
  }
}

export const authJobs = [
  job({
    name: 'delete-expired-sign-in-data',
    cron: '* * * * *',
    maxAttempts: 1,
    atStart: true,
    run: ({ workerDatabase: { db }, clock }: Deps) => deleteExpiredAuthRows(db, clock.now()),
  }),
]
