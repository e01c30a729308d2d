import { randomBytes } from 'node:crypto'
import { Cron } from 'croner'
import { HOUR } from '../../../../shared/time.ts'
import { hasPassphrase, passphraseOf } from '../../../backup/passphrase.ts'
import { openTarget } from '../../../backup/targets/open-target.ts'
import { addressOf, type BackupTarget } from '../../../backup/targets/target.ts'
import { problem } from '../../../errors.ts'
import { readSecret } from '../../../lib/crypto/secret-file.ts'
import { type Actor, system } from '../../../lib/db/audit.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { parseBackupSchedule } from '../../options/backup-schedule.ts'
import {
  beginBackup,
  claimBackup,
  failLostBackups,
  listExpendable,
  noteFailed,
  noteRemoved,
  readLastBackup,
  selectBackups,
} from './backups.ts'
import { runBackup } from './run-backup.ts'

/** Time after which a scheduled backup that failed is tried again. */
const RETRY_MS = HOUR

/** Whether BACKUP_URL and BACKUP_PASSPHRASE are set. */
const isSetUp = (config: Deps['config']) => config.BACKUP_URL !== undefined && hasPassphrase(config)

/** Tells one backup of a target from others, also from those of another installation. */
const newFileName = (now: Date) =>
  `meydan-${now.toISOString().replace(/[-:]|\.\d+/g, '')}-${randomBytes(4).toString('hex')}.backup`

/** Records a backup into BACKUP_URL, which a worker writes. Returns undefined while another one runs. */
const enqueueBackup = (deps: Deps, actor: Actor, origin: 'schedule' | 'admin') =>
  inTransaction(deps.db, async (tx) => {
    const { BACKUP_URL } = deps.config
    if (!BACKUP_URL) throw new Error('BACKUP_URL is not set')
    const backup = { origin, target: addressOf(BACKUP_URL), file_name: newFileName(deps.clock.now()) }
    const id = await beginBackup(tx, deps, actor, { ...backup, state: 'waiting' })
    // A second attempt would find the backup failed.
    if (id !== undefined) await addJob(tx, 'write-backup', { backup_id: id }, { maxAttempts: 1 })
    return id
  })

/** Starts a backup because an admin asks for it. */
export async function startBackup(deps: Deps, caller: User) {
  if (!isSetUp(deps.config))
    throw problem('backup_not_set_up', {
      detail: 'Set BACKUP_URL, and BACKUP_PASSPHRASE of at least 12 characters, on every node.',
    })
  const id = await enqueueBackup(deps, caller, 'admin')
  if (id === undefined) throw problem('backup_running')
  return selectBackups(deps.db, deps.clock.now()).where('id', '=', id).executeTakeFirstOrThrow()
}

/** The time of the next scheduled backup; null without a schedule. It may be in the past. */
async function nextBackupAt({ db, clock, options }: Pick<Deps, 'db' | 'clock' | 'options'>) {
  const schedule = parseBackupSchedule(await options.get('backup.schedule'))
  if (!schedule) return null
  const now = clock.now()
  const last = await selectBackups(db, now)
    .where('origin', '=', 'schedule')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  // The first one shows at once whether the schedule works.
  if (!last) return now
  const { hour, minute, timezone } = schedule
  const next = new Cron(`${minute} ${hour} * * *`, { timezone }).nextRun(last.started_at) ?? now
  const retry = new Date((last.ended_at ?? now).getTime() + RETRY_MS)
  return last.state === 'failed' && retry < next ? retry : next
}

/** Starts the scheduled backup that is due, and ends those whose processes were lost. */
export async function startDueBackup(deps: Deps) {
  const now = deps.clock.now()
  await inTransaction(deps.db, (tx) => failLostBackups(tx, now))
  if (!isSetUp(deps.config)) return
  const next = await nextBackupAt(deps)
  if (next && next <= now) await enqueueBackup(deps, system(), 'schedule')
}

/** The state that the page of backups shows beside the list. */
export async function summarizeBackups(deps: Pick<Deps, 'db' | 'clock' | 'options' | 'config'>) {
  const { config, db, clock } = deps
  const { last, verified, restored } = await readLastBackup(db, clock.now())
  return {
    target: config.BACKUP_URL ? addressOf(config.BACKUP_URL) : null,
    has_passphrase: hasPassphrase(config),
    next_at: isSetUp(config) ? await nextBackupAt(deps) : null,
    last: last ?? null,
    last_verified: verified ?? null,
    last_restored: restored ?? null,
  }
}

/** Writes a backup that waits for a worker, and removes those that are not needed any more. */
export async function writeWaitingBackup(deps: Deps, id: string, stopped: AbortSignal) {
  const { config, log } = deps
  const claimed = await claimBackup(deps, id)
  if (!claimed) return
  if (!config.BACKUP_URL || addressOf(config.BACKUP_URL) !== claimed.target || !hasPassphrase(config)) {
    log.error({ target: claimed.target }, 'BACKUP_URL or BACKUP_PASSPHRASE of this node is not that of the others')
    return noteFailed(deps, id, 'target_refused')
  }
  const target = await openTarget(config.BACKUP_URL, config)
  try {
    const secret = await readSecret(config, deps.db)
    const { connection } = deps.workerDatabase
    const run = { ...deps, connection, secret, passphrase: passphraseOf(config), signal: stopped }
    await runBackup(run, id, target, target.file(claimed.file_name))
    await removeExpendable(deps, id, target)
  } catch (err) {
    log.error({ err, target: claimed.target }, 'the backup failed')
  } finally {
    target.close()
  }
}

/** Removes backups that this installation made, now that a newer one was verified. */
async function removeExpendable(deps: Deps, verified: string, target: BackupTarget) {
  const keep = await deps.options.get('backup.keep')
  for (const { id, file_name } of await listExpendable(deps.db, verified, keep)) {
    try {
      await target.file(file_name).remove()
      await noteRemoved(deps, id)
    } catch (err) {
      deps.log.warn({ err, file_name }, 'an old backup could not be removed; it is tried again after the next one')
    }
  }
}
