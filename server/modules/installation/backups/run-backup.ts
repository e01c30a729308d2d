import type { Logger } from 'pino'
import { BackupError, type BackupErrorCode, isFullDisk } from '../../../backup/backup-error.ts'
import type { BackupFile, BackupTarget } from '../../../backup/targets/target.ts'
import type { Progress } from '../../../backup/write-archive.ts'
import { system } from '../../../lib/db/audit.ts'
import { type ConnectionConfig, inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import {
  BackupTaken,
  beginBackup,
  listUnfinished,
  noteFailed,
  noteVerified,
  noteWritten,
  reportProgress,
} from './backups.ts'

type BackupRun = Pick<Deps, 'db' | 'clock' | 'timings' | 'storage'> & {
  log: Pick<Logger, 'error'>
  connection: ConnectionConfig
  /** SECRET_KEY of the installation. */
  secret: string
  passphrase: string
  /** Set for a physical backup. `password`: the one of the embedded PostgreSQL, if that has the data. */
  physical?: { password: string | undefined } | undefined
  /** Called with the progress. */
  onProgress?: (step: 'writing' | 'verifying', done: number, total: number) => void
  signal: AbortSignal
}

// Their libraries are loaded by nothing else.
const loadLogical = () => import('../../../backup/backup.ts')
const loadPhysical = () => import('../../../backup/physical/write-physical.ts')

/** Runs the backup of a command, and records it like those of the schedule. */
export async function runCommandBackup(run: BackupRun, target: BackupTarget, file: BackupFile) {
  const backup = { origin: 'command', state: 'writing', target: target.address, file_name: file.name } as const
  const id = await inTransaction(run.db, (tx) => beginBackup(tx, run, system(), backup))
  if (id === undefined) throw new BackupError('already_running', 'Another backup of this installation is running.')
  return runBackup(run, id, target, file)
}

/**
 * Writes a backup that is recorded as `writing`, reads it whole, and records the result. First removes what killed
 * processes left in its target. Throws what the backup failed with, after recording it.
 */
export async function runBackup(run: BackupRun, id: string, target: BackupTarget, file: BackupFile) {
  const { connection, storage, secret, passphrase } = run
  const reports = startReports(run, id)
  const options = (step: 'writing' | 'verifying') => ({
    passphrase,
    signal: reports.signal,
    onProgress: reports.of(step),
  })
  try {
    const { verifyBackup } = await import('../../../backup/verify.ts')
    await removeUnfinished(run, id, target)
    const source = { connection, storage, secret, ...options('writing') }
    const written = run.physical
      ? await (await loadPhysical()).writePhysicalBackup(file, { ...source, ...run.physical })
      : await (await loadLogical()).writeBackup(file, source)
    const { manifest } = written
    await noteWritten(run, id, {
      bytes: written.size,
      row_count: 'rows' in manifest ? Object.values(manifest.rows).reduce((sum, count) => sum + count, 0) : null,
      file_count: manifest.files,
      missing_files: written.missing,
    })
    await verifyBackup(file, options('verifying'))
    await noteVerified(run, id)
    return written
  } catch (error) {
    // Its new owner records how it ends.
    if (!(error instanceof BackupTaken)) await noteFailed(run, id, codeOfFailure(error, run.signal))
    throw error
  } finally {
    reports.stop()
  }
}

/** Removes what is left of backups that did not end. What cannot be removed keeps no later backup from being made. */
async function removeUnfinished({ db, log }: BackupRun, id: string, target: BackupTarget) {
  for (const { file_name, origin } of await listUnfinished(db, { target: target.address, before: id })) {
    const file = target.file(file_name)
    try {
      await file.removePartial()
      // A process can end between the last byte and its record. The name of a command's file may be that of another one.
      if (origin !== 'command' && (await file.exists())) await file.remove()
    } catch (err) {
      log.error({ err, file_name }, 'what is left of a backup could not be removed')
    }
  }
}

const codeOfFailure = (error: unknown, signal: AbortSignal): BackupErrorCode => {
  if (signal.aborted) return 'interrupted'
  if (error instanceof BackupError) return error.code
  return isFullDisk(error) ? 'disk_full' : 'internal_error'
}

/** Reports the progress every few seconds, also while nothing moves. Aborts the backup when it was taken from this process. */
function startReports(run: BackupRun, id: string) {
  const { timings, log, onProgress } = run
  const taken = new AbortController()
  let progress = { done: 0, total: 0 }
  let isReporting = false
  const report = async () => {
    if (isReporting) return
    isReporting = true
    try {
      const isOwn = await reportProgress(run, id, progress.done, progress.total)
      if (!isOwn) taken.abort(new BackupTaken('The backup was taken for lost'))
    } catch (err) {
      log.error({ err }, 'the progress of a backup could not be recorded')
    } finally {
      isReporting = false
    }
  }
  const timer = setInterval(report, timings.backupBeat)
  return {
    signal: AbortSignal.any([run.signal, taken.signal]),
    of:
      (step: 'writing' | 'verifying'): Progress =>
      (done, total) => {
        progress = { done, total }
        onProgress?.(step, done, total)
      },
    stop: () => clearInterval(timer),
  }
}
