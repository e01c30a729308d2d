import { sql } from 'kysely'
import { DAY } from '../../../shared/time.ts'
import { check, error, ok, warning } from '../../lib/runtime/checks/check.ts'
import { readLastBackup } from './backups/backups.ts'
import { isHeld } from './hold.ts'

const workers = check({
  name: 'workers',
  group: 'work',
  outcomes: {
    ok: ok('Processes that run jobs: {{count}}.'),
    stopped: ok('Meydan is stopped.'),
    held: warning(
      'The installation was restored from a backup and is held: nothing is published, sent or charged.',
      'Open the page “Restore”, see what would go out, and release it.',
    ),
    none: error(
      'No process runs jobs: nothing is published, and no webhook or e-mail is sent.',
      'Start a process with ROLE=all or ROLE=worker, and see in its log why the former one ended.',
    ),
  },
  find: async ({ database, isServing }) => {
    const db = database()
    if (await isHeld(db)) return { outcome: 'held' }
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from worker_node where seen_at > now() - interval '1 minute'`.execute(db)
    const count = rows[0]?.count ?? 0
    if (count > 0) return { outcome: 'ok', values: { count } }
    return { outcome: isServing ? 'none' : 'stopped' }
  },
})

/** A daily backup that failed once has the next day to succeed. */
const BACKUP_OLD_DAYS = 2

const backups = check({
  name: 'backups',
  group: 'storage',
  outcomes: {
    ok: ok('The last backup is from {{started_at}}, and was read back whole.'),
    none: warning(
      'There is no verified backup.',
      'Set BACKUP_URL, BACKUP_PASSPHRASE and the option backup.schedule, or run “meydan backup” every day.',
    ),
    never: error(
      'No backup has succeeded. The last one failed: {{code}}.',
      'Open the page “Backups”, which says why, and start another one.',
    ),
    incomplete: warning(
      'The last verified backup lacks {{count}} files of the media library, which the storage did not have.',
      'Make sure that STORAGE_URL leads to the storage with these files, such as a folder that is mounted.',
    ),
    failed: warning(
      'The last backup failed: {{code}}. The last one that was verified is from {{started_at}}.',
      'Open the page “Backups”, which says why, and start another one.',
    ),
    old: error(
      'The last verified backup is {{days}} days old.',
      'Open the page “Backups”, and see why no newer one was written.',
    ),
  },
  find: async ({ database, now }) => {
    const { last, verified } = await readLastBackup(database(), now())
    if (!verified)
      return last?.error_code ? { outcome: 'never', values: { code: last.error_code } } : { outcome: 'none' }
    const days = Math.floor((now().getTime() - verified.started_at.getTime()) / DAY)
    if (days >= BACKUP_OLD_DAYS) return { outcome: 'old', values: { days } }
    const started_at = verified.started_at.toISOString()
    if (last?.error_code) return { outcome: 'failed', values: { code: last.error_code, started_at } }
    const count = verified.missing_files ?? 0
    return count > 0 ? { outcome: 'incomplete', values: { count } } : { outcome: 'ok', values: { started_at } }
  },
})

export const installationChecks = [workers, backups]
