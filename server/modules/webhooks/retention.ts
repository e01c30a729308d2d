import { sql } from 'kysely'
import { DAY } from '../../../shared/time.ts'
import { type Db, FIRST_ID, inTransaction, LAST_ID, type Tx } from '../../lib/db/database.ts'
import { isLocked, locks } from '../../lib/db/locks.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Options } from '../options/options.ts'
import { archiveHistory } from './history-archive.ts'

/** Events, attempts and undelivered deliveries are kept this long, unless they are archived earlier. */
const RETENTION_DAYS = 30

/** Rows that one statement deletes. */
const BATCH = 5000
/** Rows that one statement moves. Each is an object of the archive. */
const LATE_ROWS = 20_000
/** Webhooks that one statement examines. */
const WEBHOOKS = 500

/** Days for which events, attempts and undelivered deliveries are kept. */
export const daysKept = async (options: Options, db?: Db) =>
  (await options.get('history.archive_after_days', db)) || RETENTION_DAYS

/**
 * Creates the partitions of the coming days, and deletes or archives history that is too old or belongs to a deleted webhook. A
 * part that fails does not stop the others, and is repeated when the job is.
 */
export async function keepWebhookHistory(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'options' | 'storage' | 'config'>) {
  const { db, clock, log, options } = deps
  const now = clock.now()
  const isArchived = (await options.get('history.archive_after_days')) > 0
  const days = await daysKept(options)
  const before = daysBefore(now, days)
  const parts: Record<string, () => Promise<void>> = {
    partitions: () => (isArchived ? detachPartitions(db, now, days) : keepPartitions(db, now, before)),
    deliveries: () => deleteOldDeliveries(db, before),
    attempts: () => deleteOrphanedAttempts(db),
    stats: () => deleteOldStats(db, daysBefore(now, RETENTION_DAYS)),
    secrets: () => deletePreviousSecrets(db, now),
    // Last, because it can take long. Days that were detached before the option was turned off are still archived.
    archive: () => archiveHistory(deps),
  }
  const failed: string[] = []
  for (const [name, keep] of Object.entries(parts))
    try {
      await keep()
    } catch (err) {
      log.error({ err, part: name }, 'a part of the webhook history could not be cleaned up')
      failed.push(name)
    }
  if (failed.length > 0) throw new Error(`Not cleaned up: ${failed.join(', ')}`)
}

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY)

/**
 * Runs one step in a transaction, unless another node runs one now. Its lock timeout is shorter than the deadlock
 * timeout of PostgreSQL: in a deadlock, this step fails and is repeated, and the other transaction goes on.
 */
const step = <T>(db: Db, work: (tx: Tx) => Promise<T>) =>
  inTransaction(db, async (tx) => {
    await sql`set local lock_timeout = '700ms'`.execute(tx)
    const { rows } = await sql<{
      free: boolean
    }>`select pg_try_advisory_xact_lock(${locks.webhookHistory}) as free`.execute(tx)
    return rows[0]?.free ? work(tx) : undefined
  })

/**
 * Drops partitions day by day from the oldest. Every `emit` waits while a step drops, so no step may take longer than
 * two seconds, however much there is to drop.
 */
async function keepPartitions(db: Db, now: Date, before: Date) {
  // Each attempt to drop a partition that a backup reads would hold up every `emit`.
  if (await isLocked(db, locks.backup)) return
  // Rows that were written while their partition was missing. keep_partitions would delete them all in one step.
  await inBatches(db, (tx) =>
    sql`delete from event_other where id = any(array(
      select id from event_other where id < uuid_at(${before}) order by id limit ${BATCH}))`.execute(tx),
  )
  await inBatches(db, (tx) =>
    sql`delete from attempt_other where (webhook_id, delivery_id, n) in (
      select webhook_id, delivery_id, n from attempt_other where delivery_id < uuid_at(${before}) limit ${BATCH})`.execute(
      tx,
    ),
  )
  for (const days of await daysToEnd(db, now, RETENTION_DAYS))
    await stepOnPartitions(db, (tx) =>
      sql`select keep_partitions(${now}::timestamptz, make_interval(hours => ${days * 24}))`.execute(tx),
    )
}

/** Takes old partitions out of their tables day by day, for the archive, and creates those of the coming days. */
async function detachPartitions(db: Db, now: Date, kept: number) {
  if (await isLocked(db, locks.backup)) return
  for (const days of await daysToEnd(db, now, kept))
    await stepOnPartitions(db, (tx) =>
      sql`select detach_partitions(${now}::timestamptz, make_interval(hours => ${days * 24}))`.execute(tx),
    )
  for (;;) {
    const moved = await stepOnPartitions(db, async (tx) => {
      const { rows } = await sql<{ moved: number }>`
        select detach_late_rows(${now}::timestamptz, make_interval(hours => ${kept * 24}), ${LATE_ROWS}::int) as moved`.execute(
        tx,
      )
      return rows[0]?.moved ?? 0
    })
    if (!moved) break
  }
  // Nothing is older than the epoch, so this drops nothing.
  await stepOnPartitions(db, (tx) =>
    sql`select keep_partitions(${now}::timestamptz, ${now}::timestamptz - 'epoch'::timestamptz)`.execute(tx),
  )
}

/** The ages at which each day's partitions end, from the oldest, and at last the number of days that are kept. */
async function daysToEnd(db: Db, now: Date, kept: number) {
  const { rows } = await sql<{ days: number }>`
    select distinct (${now}::timestamptz at time zone 'UTC')::date - to_date(right(relname, 8), 'YYYYMMDD') as days
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent in ('event'::regclass, 'attempt'::regclass) and relname ~ '_[0-9]{8}$'
    order by days desc`.execute(db)
  return [...rows.map(({ days }) => days - 1).filter((days) => days > kept), kept]
}

/** Every `emit` waits while partitions change, so a step may take two seconds at most. */
const stepOnPartitions = <T>(db: Db, work: (tx: Tx) => Promise<T>) =>
  step(db, async (tx) => {
    await sql`set local statement_timeout = '2s'`.execute(tx)
    return work(tx)
  })

/** Repeats a step that deletes, until it finds less than a batch. */
async function inBatches(db: Db, remove: (tx: Tx) => Promise<{ numAffectedRows?: bigint }>) {
  for (;;) {
    const done = await step(db, remove)
    if (!done || (done.numAffectedRows ?? 0n) < BATCH) return
  }
}

/**
 * Finds the webhooks that `table` has rows to delete of: all rows if the webhook is gone, otherwise those from before
 * `before`. The recursive query jumps from webhook to webhook over the index, so its cost follows the number of
 * webhooks and not that of rows.
 */
async function* findExpired(db: Db, table: 'delivery' | 'attempt', before: Date | null) {
  const old = before
    ? sql`exists (select from delivery where webhook_id = found.id and id < uuid_at(${before}))`
    : sql`false`
  for (let after = FIRST_ID; ; ) {
    const { rows } = await sql<{ id: string; gone: boolean; old: boolean }>`
      with recursive found as (
        select (select webhook_id from ${sql.table(table)} where webhook_id > ${after} order by webhook_id limit 1) as id, 1 as n
        union all
        select (select webhook_id from ${sql.table(table)} where webhook_id > found.id order by webhook_id limit 1), n + 1
        from found where found.id is not null and n < ${WEBHOOKS}::int
      ) select id, not exists (select from webhook where webhook.id = found.id) as gone, ${old} as old
      from found where id is not null order by id`.execute(db)
    yield* rows.filter((row) => row.gone || row.old)
    const last = rows[WEBHOOKS - 1]
    if (!last) return
    after = last.id
  }
}

/** Deletes old deliveries. Their ids begin with their time, so the primary key finds them. */
async function deleteOldDeliveries(db: Db, before: Date) {
  for await (const { id: webhook_id, gone } of findExpired(db, 'delivery', before))
    await inBatches(db, (tx) =>
      sql`delete from delivery where webhook_id = ${webhook_id} and id = any(array(
        select id from delivery
        where webhook_id = ${webhook_id} and id < coalesce(uuid_at(${gone ? null : before}::timestamptz), ${LAST_ID}::uuid)
        order by id limit ${BATCH} for update skip locked))`.execute(tx),
    )
}

/** Deletes the attempts of deleted webhooks. Old attempts are dropped with their partition. */
async function deleteOrphanedAttempts(db: Db) {
  for await (const { id: webhook_id } of findExpired(db, 'attempt', null))
    await inBatches(db, (tx) =>
      sql`delete from attempt using (
          select delivery_id, n from attempt where webhook_id = ${webhook_id} order by delivery_id, n limit ${BATCH}
        ) as batch where webhook_id = ${webhook_id} and attempt.delivery_id = batch.delivery_id and attempt.n = batch.n`.execute(
        tx,
      ),
    )
}

async function deleteOldStats(db: Db, before: Date) {
  for (let after = FIRST_ID; ; ) {
    const ids = await db
      .selectFrom('webhook')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(WEBHOOKS)
      .execute()
    await step(db, (tx) =>
      sql`delete from webhook_stat where webhook_id = any(${ids.map(({ id }) => id)}::uuid[]) and hour < ${before}`.execute(
        tx,
      ),
    )
    const last = ids[WEBHOOKS - 1]
    if (!last) return
    after = last.id
  }
}

/**
 * Deletes previous secrets whose overlap has ended. This gives the webhook a new version, so dispatchers that keep it
 * in memory read it again.
 */
const deletePreviousSecrets = (db: Db, now: Date) =>
  inBatches(db, (tx) =>
    sql`update webhook set previous_secret = null, previous_secret_expires_at = null where id = any(array(
      select id from webhook where previous_secret_expires_at <= ${now} limit ${BATCH} for no key update skip locked))`.execute(
      tx,
    ),
  )
