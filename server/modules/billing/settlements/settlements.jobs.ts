import { job } from '../../../lib/runtime/jobs.ts'
import { readSettlements } from './read-movements.ts'

declare module '../../../lib/runtime/jobs.ts' {
  interface Jobs {
    'read-settlements': object
  }
}

export const settlementJobs = [
  job({ name: 'read-settlements', cron: '27 * * * *', fill: '2h', maxAttempts: 3, run: readSettlements }),
]
