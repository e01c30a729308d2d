import { job } from '../../lib/runtime/jobs.ts'
import { eraseDeletedWorkspaces } from './deletion.ts'

declare module '../../lib/runtime/jobs.ts' {
  interface Jobs {
    'erase-deleted-workspaces': object
  }
}

export const workspaceJobs = [
  job({ name: 'erase-deleted-workspaces', cron: '41 3 * * *', fill: '1d', run: eraseDeletedWorkspaces }),
]
