import { inTransaction } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { job } from '../../lib/runtime/jobs.ts'
import { mailDisconnected } from './account-mails.ts'
import { deleteOldConnections } from './connections/connections.ts'
import { checkAccounts } from './health/check-all.ts'
import { findDueAccountMetrics, readAccountMetrics } from './metrics/read-metrics.ts'
import { applyAccountLimits } from './pauses.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'apply-account-limits': object
    'check-accounts': { check_id: string }
    'delete-old-connections': object
    'find-due-account-metrics': object
    'read-account-metrics': { account_id: string }
    'mail-account-disconnected': { account_id: string }
  }
}

export const accountJobs = [
  job({ name: 'apply-account-limits', cron: '* * * * *', maxAttempts: 1, run: applyAccountLimits }),
  job({ name: 'check-accounts', run: checkAccounts }),
  job({ name: 'delete-old-connections', cron: '17 * * * *', maxAttempts: 1, run: deleteOldConnections }),
  job({ name: 'find-due-account-metrics', cron: '* * * * *', maxAttempts: 1, run: findDueAccountMetrics }),
  job({ name: 'read-account-metrics', run: readAccountMetrics }),
  job({
    name: 'mail-account-disconnected',
    run: (deps: Deps, { account_id }) => inTransaction(deps.db, (tx) => mailDisconnected(deps, tx, account_id)),
  }),
]
