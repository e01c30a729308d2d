/**
 * The records of backups. A backup that an admin or the schedule asks for waits for a worker; one of a command is written
 * at once. Its process reports its progress, and one that falls silent was lost.
 *
 *     waiting ──▶ writing ──▶ verifying ──▶ verified
 *        └───────────┴────────────┴───────▶ failed
 */
import { sql } from 'kysely'
import type { BackupErrorCode } from '../../../backup/backup-error.ts'
import { type Actor, audit, system } from '../../../lib/db/audit.ts'
import { type Db, FIRST_ID, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { BackupOrigin, BackupState } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Reading } from '../../../lib/runtime/installation-metrics.ts'

type RecordDeps = Pick<Deps, 'db' | 'clock' | 'timings'>

const running = ['waiting', 'writing', 'verifying'] as const satisfies BackupState[]

type NewBackup = { origin: BackupOrigin; state: 'waiting' | 'writing'; target: string; file_name: string }

const leaseFrom = ({ clock, timings }: Pick<Deps, 'clock' | 'timings'>) =>
  new Date(clock.now().getTime() + timings.backupLease)

/** Records a backup that begins. Returns undefined while another one runs. */
export async function beginBackup(tx: Tx, deps: Pick<Deps, 'clock' | 'timings'>, actor: Actor, backup: NewBackup) {
  const now = deps.clock.now()
  await failLostBackups(tx, now)
  const begun = await tx
    .insertInto('backup')
    .values({ ...backup, started_at: now, lease_until: leaseFrom(deps) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!begun) return
  const { origin, target, file_name } = backup
  await audit(tx, { ...actor, workspace_id: null }, 'backup.started', begun.id, { origin, target, file_name })
  return begun.id
}

/** The state of a backup whose process reported nothing for too long. */
const isLost = (now: Date) => sql<boolean>`(state in ('waiting', 'writing', 'verifying') and lease_until < ${now})`
const lostCode = sql<BackupErrorCode>`(case state when 'waiting' then 'not_started' else 'interrupted' end)::backup_error`

/** Ends the backups whose processes were lost. */
export async function failLostBackups(tx: Tx, now: Date) {
  const lost = await tx
    .updateTable('backup')
    .set({ state: 'failed', error_code: lostCode, ended_at: now, lease_until: null })
    .where(isLost(now))
    .returning(['id', 'error_code'])
    .execute()
  for (const { id, error_code } of lost) await audit(tx, system(), 'backup.failed', id, { error_code })
}

/** Another process has ended this backup, or taken it over. */
export class BackupTaken extends Error {}

/** Moves a backup on. Throws BackupTaken if it is in another state than `from`. */
async function move(tx: Tx, id: string, from: readonly BackupState[], set: Parameters<typeof changes>[1]) {
  const moved = await changes(tx, set)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returning('id')
    .executeTakeFirst()
  if (!moved) throw new BackupTaken('The backup is not in this state any more')
}

type Change = {
  state: BackupState
  ended_at?: Date
  lease_until: Date | null
  done_bytes?: number
  total_bytes?: number
  bytes?: number
  row_count?: number | null
  file_count?: number
  missing_files?: number
  error_code?: BackupErrorCode
  verified_at?: Date
}
const changes = (tx: Tx, set: Change) => tx.updateTable('backup').set(set)

/** Takes a backup that waits for a worker. Returns undefined if it was taken, or ended. */
export const claimBackup = (deps: RecordDeps, id: string) =>
  deps.db
    .updateTable('backup')
    .set({ state: 'writing', lease_until: leaseFrom(deps) })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where(sql<boolean>`not ${isLost(deps.clock.now())}`)
    .returning(['id', 'target', 'file_name'])
    .executeTakeFirst()

/** Reports that the process of a backup lives, and how far it is. Returns false if the backup was taken from it. */
export async function reportProgress(deps: RecordDeps, id: string, done_bytes: number, total_bytes: number) {
  const { numUpdatedRows } = await deps.db
    .updateTable('backup')
    .set({ done_bytes, total_bytes, lease_until: leaseFrom(deps) })
    .where('id', '=', id)
    .where('state', 'in', ['writing', 'verifying'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** `row_count`: null for a physical backup. */
type Written = { bytes: number; row_count: number | null; file_count: number; missing_files: number }

export const noteWritten = (deps: RecordDeps, id: string, written: Written) =>
  inTransaction(deps.db, async (tx) => {
    const progress = { done_bytes: 0, total_bytes: written.bytes }
    await move(tx, id, ['writing'], { state: 'verifying', ...written, ...progress, lease_until: leaseFrom(deps) })
    await audit(tx, system(), 'backup.written', id, written)
  })

export const noteVerified = (deps: RecordDeps, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    await move(tx, id, ['verifying'], { state: 'verified', verified_at: now, ended_at: now, lease_until: null })
    await audit(tx, system(), 'backup.verified', id)
  })

export const noteFailed = (deps: RecordDeps, id: string, error_code: BackupErrorCode) =>
  inTransaction(deps.db, async (tx) => {
    const end = { ended_at: deps.clock.now(), lease_until: null }
    await move(tx, id, running, { state: 'failed', error_code, ...end })
    await audit(tx, system(), 'backup.failed', id, { error_code })
  })

/** Files of backups that ended without being whole, since the last one that was. Parts of them may be left. */
export async function listUnfinished(db: Db, { target, before }: { target: string; before: string }) {
  const ofTarget = db.selectFrom('backup').where('target', '=', target)
  const whole = await ofTarget
    .select('id')
    .where('state', '=', 'verified')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return ofTarget
    .select(['file_name', 'origin'])
    .where('state', '=', 'failed')
    .where('bytes', 'is', null)
    .where('id', '<', before)
    .where('id', '>', whole?.id ?? FIRST_ID)
    .execute()
}

/**
 * Files that are not needed any more once `verified` was: those that cannot be read, and all but the newest `keep` and
 * the newest one that lacks the fewest files of the media library.
 */
export async function listExpendable(db: Db, verified: string, keep: number) {
  const files = await db
    .selectFrom('backup')
    .innerJoin('backup as newest', 'newest.target', 'backup.target')
    .select(['backup.id', 'backup.file_name', 'backup.state', 'backup.missing_files'])
    .where('newest.id', '=', verified)
    .where('newest.state', '=', 'verified')
    .where('backup.origin', '<>', 'command')
    .where('backup.bytes', 'is not', null)
    .where('backup.removed_at', 'is', null)
    .where('backup.id', '<=', verified)
    .orderBy('backup.id', 'desc')
    .execute()
  const whole = files.filter(({ state }) => state === 'verified')
  const lacking = (file: (typeof files)[number]) => file.missing_files ?? 0
  // A storage that was away for long must not push out the last backup that has its files.
  const fullest = Math.min(...whole.map(lacking))
  const kept = [...whole.slice(0, keep), whole.find((file) => lacking(file) === fullest)]
  return files.filter((file) => !kept.includes(file))
}

export const noteRemoved = ({ db, clock }: RecordDeps, id: string) =>
  inTransaction(db, async (tx) => {
    const removed = await tx
      .updateTable('backup')
      .set({ removed_at: clock.now() })
      .where('id', '=', id)
      .where('removed_at', 'is', null)
      .returning('file_name')
      .executeTakeFirst()
    if (removed) await audit(tx, system(), 'backup.removed', id, removed)
  })

/**
 * Records that a command read a backup whole, or restored it on trial. Returns false if this installation did not write
 * it.
 */
export const noteCheck = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { target, file_name }: { target: string; file_name: string },
  check: 'verified' | 'restored',
) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const checked = await tx
      .updateTable('backup')
      .set({ verified_at: now, ...(check === 'restored' && { restored_at: now }) })
      .where('target', '=', target)
      .where('file_name', '=', file_name)
      .where('bytes', 'is not', null)
      .where('removed_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (checked) await audit(tx, system(), `backup.${check}`, checked.id)
    return checked !== undefined
  })

/** Forgets all backups: those of a restored server belong to the original, which may still write and remove their files. */
export const forgetBackups = (tx: Tx) => tx.deleteFrom('backup').execute()

/** Reads backups as they are at `now`. */
export const selectBackups = (db: Db, now: Date) =>
  db
    .selectFrom('backup')
    .select((row) => [
      'backup.id',
      'origin',
      row.case().when(isLost(now)).then(sql<BackupState>`'failed'`).else(row.ref('state')).end().as('state'),
      row.case().when(isLost(now)).then(lostCode).else(row.ref('error_code')).end().as('error_code'),
      'target',
      'file_name',
      'started_at',
      'ended_at',
      sql<number>`done_bytes::float8`.as('done_bytes'),
      sql<number>`total_bytes::float8`.as('total_bytes'),
      sql<number | null>`bytes::float8`.as('bytes'),
      sql<number | null>`row_count::float8`.as('row_count'),
      'file_count',
      'missing_files',
      'verified_at',
      'restored_at',
      'removed_at',
    ])

/**
 * The last backup that ended, the last one that is verified and still there, and the last one that was restored on trial.
 */
export async function readLastBackup(db: Db, now: Date) {
  const ended = selectBackups(db, now).where(sql<boolean>`(ended_at is not null or ${isLost(now)})`)
  const whole = selectBackups(db, now).where('state', '=', 'verified')
  const [last, verified, restored] = await Promise.all([
    ended.orderBy('id', 'desc').limit(1).executeTakeFirst(),
    whole.where('removed_at', 'is', null).orderBy('id', 'desc').limit(1).executeTakeFirst(),
    whole.where('restored_at', 'is not', null).orderBy('restored_at', 'desc').limit(1).executeTakeFirst(),
  ])
  return { last, verified, restored }
}

/** Without a verified backup the age is infinite, so that an alert on it fires. */
export const backupReading: Reading = {
  query: sql`
    select
      coalesce((select greatest(0, extract(epoch from now() - started_at))::float8 from backup
        where state = 'verified' and removed_at is null order by id desc limit 1), 'Infinity') as backup_age_seconds,
      coalesce((select bytes from backup
        where state = 'verified' and removed_at is null order by id desc limit 1), 0)::float8 as backup_size_bytes,
      coalesce((select (state = 'verified')::int from backup
        where ended_at is not null order by id desc limit 1), 0) as backup_last_ok`,
  gauges: {
    backup_age_seconds: 'Age of the newest verified backup. +Inf without one.',
    backup_size_bytes: 'Size of the newest verified backup.',
    backup_last_ok: '1 if the last backup was written and verified, else 0.',
  },
}
