import type { Deps } from '../../lib/deps.ts'
import { job } from '../../lib/runtime/jobs.ts'
import { eraseDeletedPosts } from './authoring/deletion.ts'
import { enqueueClientMails, mailClient } from './client-links/client-mails.ts'
import { eraseImports } from './import/imports.ts'
import { runImport } from './import/jobs/run-import.ts'
import { findDuePostMetrics, readPostMetrics } from './metrics/read-metrics.ts'
import { mailFailures } from './publishing/failure-mails.ts'
import { mailHeldPosts } from './publishing/held/late-posts.ts'
import { publishTargets, requeueStuckTargets } from './publishing/publishing.ts'
import { enqueueRenewals, renewSession } from './publishing/renew-sessions.ts'
import { enqueueWaitingMails, mailWaitingPosts } from './publishing/waiting-mails.ts'
import { createOccurrences } from './recurrence/create-occurrences.ts'
import { askForApprovals, type PolicyChange } from './review/ask-for-approval.ts'
import { handleMissedTimes, mailMissedTimes } from './review/missed-times.ts'
import { deleteOldVersions } from './versions/versions.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'publish-targets': { target_id: string }
    'enqueue-session-renewals': object
    'renew-session': { account_id: string }
    'requeue-stuck-targets': object
    'erase-deleted-posts': object
    'enqueue-waiting-mails': object
    'mail-waiting-posts': { workspace_id: string }
    'find-due-post-metrics': object
    'read-post-metrics': { account_id: string }
    'create-occurrences': object
    'run-import': { import_id: string }
    'erase-imports': object
    'delete-old-versions': object
    'ask-for-approvals': PolicyChange
    'handle-missed-times': object
    'enqueue-client-mails': object
    'mail-client': { client_link_id: string }
    'mail-missed-times': { workspace_id: string }
    'mail-held-posts': { workspace_id: string }
    'mail-post-failures': { user_id: string; workspace_id: string }
  }
}

export const postJobs = [
  // Nodes of the version before do not know this name: they would publish threads and files as texts.
  job({ name: 'publish-targets', formerNames: ['publish-target'], pool: 'publishing', run: publishTargets }),
  job({ name: 'enqueue-session-renewals', cron: '* * * * *', maxAttempts: 1, atStart: true, run: enqueueRenewals }),
  job({ name: 'renew-session', formerNames: ['prepare-account'], pool: 'publishing', run: renewSession }),
  job({
    name: 'requeue-stuck-targets',
    cron: '* * * * *',
    maxAttempts: 1,
    atStart: true,
    run: async ({ workerDatabase: { db }, clock, log }: Deps) => {
      const count = await requeueStuckTargets(db, clock.now())
      if (count > 0) log.warn({ count }, 'queued due posts again whose job was lost')
    },
  }),
  job({ name: 'create-occurrences', cron: '* * * * *', maxAttempts: 1, atStart: true, run: createOccurrences }),
  job({ name: 'run-import', run: runImport }),
  job({ name: 'erase-imports', cron: '27 * * * *', fill: '1h', maxAttempts: 1, run: eraseImports }),
  job({ name: 'delete-old-versions', cron: '41 3 * * *', fill: '12h', maxAttempts: 1, run: deleteOldVersions }),
  job({ name: 'erase-deleted-posts', cron: '17 * * * *', fill: '1h', run: eraseDeletedPosts }),
  job({ name: 'enqueue-waiting-mails', cron: '7 6 * * *', fill: '12h', maxAttempts: 1, run: enqueueWaitingMails }),
  job({ name: 'mail-waiting-posts', run: mailWaitingPosts }),
  job({ name: 'mail-post-failures', run: mailFailures }),
  job({ name: 'ask-for-approvals', run: askForApprovals }),
  job({ name: 'handle-missed-times', cron: '* * * * *', maxAttempts: 1, atStart: true, run: handleMissedTimes }),
  job({ name: 'enqueue-client-mails', cron: '* * * * *', maxAttempts: 1, run: enqueueClientMails }),
  job({ name: 'mail-client', run: mailClient }),
  job({ name: 'mail-missed-times', run: mailMissedTimes }),
  job({ name: 'mail-held-posts', run: mailHeldPosts }),
  job({ name: 'find-due-post-metrics', cron: '* * * * *', maxAttempts: 1, run: findDuePostMetrics }),
  job({ name: 'read-post-metrics', run: readPostMetrics }),
]
