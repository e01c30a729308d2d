import type { Deps } from '../../lib/deps.ts'
import { job } from '../../lib/runtime/jobs.ts'
import { sweepGenerations } from './generations.ts'
import { takeVideoStep } from './video-steps.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'generate-video': { generation_id: string }
    'sweep-generations': object
  }
}

export const aiJobs = [
  job({ name: 'generate-video', run: takeVideoStep }),
  job({
    name: 'sweep-generations',
    cron: '* * * * *',
    maxAttempts: 1,
    atStart: true,
    run: ({ workerDatabase: { db }, clock }: Deps) => sweepGenerations({ db, clock }),
  }),
]
