import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { withKeys } from '../commands/database-commands.ts'
import { openDatabase } from '../commands/serve.ts'
import type { Config } from '../config/config.ts'
import { loadKeyring } from '../lib/crypto/keyring.ts'
import { readSecret } from '../lib/crypto/secret-file.ts'
import { type ConnectionConfig, createDatabase } from '../lib/db/database.ts'
import { embeddedVersion } from '../lib/db/embedded/postgres-cluster.ts'
import { startDatabaseClock } from '../lib/runtime/clock.ts'
import { createLog, sayStep } from '../lib/runtime/logging/log.ts'
import { StartError } from '../lib/runtime/start-error.ts'
import { createTimings } from '../lib/runtime/timings.ts'
import { databaseVersion } from '../modules/installation/version.ts'
import { openStorage } from '../modules/media/storage/open-storage.ts'
import type { Storage } from '../modules/media/storage/storage.ts'
import type { Manifest } from './backup.ts'
import { passphraseOf } from './passphrase.ts'
import type { Recovery } from './physical/recovery.ts'
import type { PhysicalManifest } from './physical/write-physical.ts'
import { openFile } from './targets/open-target.ts'
import type { Progress } from './write-archive.ts'

export async function withStorage<T>(config: Config, work: (storage: Storage) => Promise<T>) {
  const storage = await openStorage(config, createLog(config))
  try {
    return await work(storage)
  } finally {
    storage.close()
  }
}

/** Aborted when the command is told to stop, so that it takes back what it did. */
export function stopSignal() {
  const stopped = new AbortController()
  const stop = () => stopped.abort(new StartError('Stopped. Nothing was kept.'))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  return stopped.signal
}

/** Share of a work after which the time that is left can be estimated. */
const LEAST_SHARE = 0.02

/** Says at most once a second how far a command is. */
export function progressOf(verb: string): Progress {
  const begun = performance.now()
  let said = begun
  return (done, total) => {
    const now = performance.now()
    if (now - said < 1000 || total === 0) return
    said = now
    const seconds = Math.ceil(((now - begun) / 1000) * (total / Math.max(done, 1) - 1))
    const left = done > total * LEAST_SHARE ? `, about ${seconds} s left` : ''
    sayStep(`${verb}: ${sizeOf(done)} of about ${sizeOf(total)}${left}`)
  }
}

const sizeOf = (bytes: number) =>
  bytes < 1e6
    ? `${Math.ceil(bytes / 1e3)} KB`
    : bytes < 1e9
      ? `${(bytes / 1e6).toFixed(1)} MB`
      : `${(bytes / 1e9).toFixed(2)} GB`

export const contentOf = (manifest: Manifest | PhysicalManifest) => {
  const database =
    'rows' in manifest
      ? `${Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)} rows`
      : `a data directory of ${manifest.cluster_files} files (${sizeOf(manifest.cluster_bytes)})`
  return `${database}, ${manifest.files} files (${sizeOf(manifest.bytes)})`
}

/** Writes a backup of this installation to a file, whether Meydan runs or not, and reads it whole. */
export const runBackup = async (config: Config, name: string, { physical = false } = {}) => {
  const passphrase = passphraseOf(config)
  await withKeys(config, ({ db }, connection) =>
    withStorage(config, async (storage) => {
      const { runCommandBackup } = await import('../modules/installation/backups/run-backup.ts')
      const secret = await readSecret(config, db)
      // A backup with another secret than that of the database could not be read after a restore.
      await loadKeyring(db, secret, config.SECRET_KEY_PREVIOUS)
      const log = createLog(config)
      const clock = await startDatabaseClock(db, log)
      const timings = createTimings(config.TIMINGS_DIVISOR)
      const { target, file } = await openFile(name, config)
      const progress = { writing: progressOf('Backing up'), verifying: progressOf('Verifying') }
      try {
        const { manifest, missing } = await runCommandBackup(
          {
            ...{ db, clock, timings, log, storage, connection, secret, passphrase },
            physical: physical ? { password: embeddedPassword(config, connection) } : undefined,
            onProgress: (step, done, total) => progress[step](done, total),
            signal: stopSignal(),
          },
          target,
          file,
        )
        sayStep(`Backed up to ${file.address} and verified: ${contentOf(manifest)}.`)
        if (missing > 0)
          sayStep(`${missing} files of the media library are missing in the storage, and so in this backup.`)
      } finally {
        target.close()
        clock.stop?.()
      }
    }),
  )
}

/** Without it, the embedded PostgreSQL could not be started on its restored data directory. */
const embeddedPassword = ({ DATABASE_URL }: Config, { password }: ConnectionConfig) =>
  DATABASE_URL === undefined && typeof password === 'string' ? password : undefined

/** Reads every byte of a backup. `restore`: also restores it into a throwaway installation. */
export async function runVerify(config: Config, name: string, { restore = false } = {}) {
  const passphrase = passphraseOf(config)
  const { target, file } = await openFile(name, config)
  try {
    const check = restore ? (await import('./trial-restore.ts')).tryRestore : (await import('./verify.ts')).verifyBackup
    const { info, manifest } = await check(file, {
      passphrase,
      onProgress: progressOf(restore ? 'Restoring on trial' : 'Verifying'),
      signal: stopSignal(),
    })
    const found = `${contentOf(manifest)}, made at ${info.created_at} by Meydan ${info.meydan}.`
    sayStep(restore ? `The backup was restored on trial: ${found}` : `The backup is whole: ${found}`)
    await recordCheck(config, { target: target.address, file_name: file.name }, restore ? 'restored' : 'verified')
  } finally {
    target.close()
  }
}

/** Records a check for the console, on a machine that has the installation which made the backup. */
async function recordCheck(
  config: Config,
  file: { target: string; file_name: string },
  check: 'verified' | 'restored',
) {
  if (!config.DATABASE_URL && !existsSync(join(config.DATA_DIR, 'postgres'))) return
  await withKeys(config, async ({ db }) => {
    const { noteCheck } = await import('../modules/installation/backups/backups.ts')
    const clock = await startDatabaseClock(db, createLog(config))
    try {
      if (await noteCheck({ db, clock }, file, check)) sayStep('The check is recorded in this installation.')
    } finally {
      clock.stop?.()
    }
  }).catch((error) => sayStep(`The check could not be recorded: ${error instanceof Error ? error.message : error}`))
}

/** Restores a backup into this installation, which must be empty and stopped. It is held afterwards. */
export async function runRestore(config: Config, name: string) {
  const passphrase = passphraseOf(config)
  await mkdir(config.DATA_DIR, { recursive: true })
  const { target, file } = await openFile(name, config)
  const closers: (() => Promise<unknown>)[] = [async () => target.close()]
  try {
    const opened = await openDatabase(config, closers)
    const { DATABASE_DIRECT_URL, DATA_DIR, SECRET_KEY } = config
    const connection = DATABASE_DIRECT_URL ? { connectionString: DATABASE_DIRECT_URL } : opened
    await withStorage(config, async (storage) => {
      const { restoreBackup } = await import('./restore.ts')
      const { info, manifest } = await restoreBackup(file, {
        connection,
        storage,
        dataDir: DATA_DIR,
        secretKey: SECRET_KEY,
        passphrase,
        onProgress: progressOf('Restoring'),
        log: sayStep,
        signal: stopSignal(),
      })
      sayStep(
        `Restored ${contentOf(manifest)} of ${info.created_at}. The installation is held: start it, sign in as an instance admin and open /admin/hold to release it.`,
      )
    })
  } finally {
    for (const close of closers) await close()
  }
}

type RecoveryOptions = Record<'wal' | 'restoreCommand' | 'until', string | undefined>

/** Restores a physical backup into an empty folder, on which PostgreSQL is started then. */
export async function runPhysicalRestore(config: Config, name: string, to: string, options: RecoveryOptions) {
  const passphrase = passphraseOf(config)
  const recovery = await readRecovery(options)
  const { target, file } = await openFile(name, config)
  try {
    const { restorePhysicalBackup } = await import('./physical/restore-physical.ts')
    const { info, manifest, cluster } = await restorePhysicalBackup(file, {
      ...{ folder: resolve(to), recovery, major: await majorVersion(config), passphrase },
      onProgress: progressOf('Restoring'),
      signal: stopSignal(),
    })
    sayStep(
      `Restored ${contentOf(manifest)} of ${info.created_at}, from PostgreSQL ${info.postgres}. Start the same major version on ${cluster}: it recovers first, and then Meydan comes up held.`,
    )
  } finally {
    target.close()
  }
}

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

async function readRecovery({ wal, restoreCommand, until: time }: RecoveryOptions): Promise<Recovery> {
  if (wal !== undefined && restoreCommand !== undefined)
    throw new StartError('Name either --wal or --restore-command: both say where the archived WAL is.')
  if (wal !== undefined && !(await stat(wal).catch(() => undefined))?.isDirectory())
    throw new StartError(`--wal names no folder: ${wal}. Name the folder with the archived WAL.`)
  const source = restoreCommand !== undefined ? { command: restoreCommand } : wal !== undefined && { folder: wal }
  if (time === undefined) return { wal: source || undefined }
  const until = new Date(time)
  if (!TIME.test(time) || Number.isNaN(until.getTime()))
    throw new StartError('--until names no time. Write it with its zone, such as 2026-11-27T09:00:00+03:00.')
  if (until > new Date()) throw new StartError(`--until is a time to come: ${until.toISOString()}.`)
  if (!source)
    throw new StartError(
      '--until needs the archived WAL: what was written after the backup is nowhere else. Name it with --wal or --restore-command.',
    )
  return { wal: source, until }
}

/** Major version of the PostgreSQL of this installation; undefined if it cannot be asked now. */
async function majorVersion({ DATABASE_URL }: Config) {
  const version = DATABASE_URL ? serverVersion(DATABASE_URL) : embeddedVersion()
  const major = Number.parseInt(await version.catch(() => ''), 10)
  return Number.isNaN(major) ? undefined : major
}

async function serverVersion(connectionString: string) {
  const { db, close } = createDatabase({ connectionString }, 1)
  try {
    return (await databaseVersion(db)).postgres
  } finally {
    await close()
  }
}
