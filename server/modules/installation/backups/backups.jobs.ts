import type { Deps } from '../../../lib/deps.ts'
import { job } from '../../../lib/runtime/jobs.ts'
import { startDueBackup, writeWaitingBackup } from './start-backup.ts'

declare module '../../../lib/runtime/jobs.ts' {
  interface Jobs {
    'start-due-backup': object
    'write-backup': { backup_id: string }
  }
}

export const backupJobs = [
  job({ name: 'start-due-backup', cron: '*/5 * * * *', atStart: true, run: startDueBackup }),
  job({
    name: 'write-backup',
    run: (deps: Deps, { backup_id }, { stopped }) => writeWaitingBackup(deps, backup_id, stopped),
  }),
]
