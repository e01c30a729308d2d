import type { Deps } from '../../lib/deps.ts'
import { job } from '../../lib/runtime/jobs.ts'
import type { LedgerRules } from './check.ts'
import { checkLedgerNightly } from './nightly-check.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'check-ledger': object
  }
}

/** At night, after the payments of the day were read from the providers. */
export const ledgerJobs = (rules: LedgerRules) => [
  job({
    name: 'check-ledger',
    cron: '47 4 * * *',
    fill: '1d',
    maxAttempts: 3,
    run: (deps: Deps) => checkLedgerNightly(deps, rules),
  }),
]
