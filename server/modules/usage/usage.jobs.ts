import { inTransaction } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { job } from '../../lib/runtime/jobs.ts'
import { updateExcess } from './excess.ts'
import type { Meter } from './meter.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'update-limit-excess': object
  }
}

export const usageJobs = (meters: Meter[]) => [
  job({
    name: 'update-limit-excess',
    cron: '23 * * * *',
    run: ({ workerDatabase: { db }, clock }: Deps) => inTransaction(db, (tx) => updateExcess(tx, meters, clock.now())),
  }),
]
