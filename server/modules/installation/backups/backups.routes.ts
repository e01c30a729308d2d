import type { FastifyInstance } from 'fastify'
import { Page, PageQuery, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { instanceAdmin } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed } from '../../../lib/http/schema/schema.ts'
import { Backup, BackupSummary } from './backups.schema.ts'
import { selectBackups } from './backups.ts'
import { startBackup, summarizeBackups } from './start-backup.ts'

export function backupRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Installation')
  const access = instanceAdmin()

  route.get('/admin/backups', {
    operationId: 'listBackups',
    summary: 'List backups',
    description: 'Returns the backups that this installation made, newest first, also those that failed or run.',
    access,
    query: Closed({ ...PageQuery }),
    response: { 200: Page(Backup) },
    handler: ({ deps, query }) => page(selectBackups(deps.db, deps.clock.now()), 'backup.id', query),
  })
  route.get('/admin/backups/summary', {
    operationId: 'readBackupSummary',
    summary: 'Retrieve the state of backups',
    description: 'Returns where backups are written, when the next one is, and which the last ones were.',
    access,
    response: { 200: BackupSummary },
    handler: ({ deps }) => summarizeBackups(deps),
  })
  route.post('/admin/backups', {
    operationId: 'startBackup',
    summary: 'Start a backup',
    description:
      'A worker writes it to `BACKUP_URL` and then reads it whole. Its record shows the progress. While another backup runs, and without `BACKUP_URL` and `BACKUP_PASSPHRASE`, the response is 409.',
    access,
    response: { 201: Backup },
    handler: ({ deps, caller }) => startBackup(deps, caller),
  })
}
