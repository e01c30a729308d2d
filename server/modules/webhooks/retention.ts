import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import { clockFault } from '../../lib/clock.ts'
import { type Db, FIRST_ID, inTransaction, LAST_ID, type Tx } from '../../lib/database.ts'
import { addJob } from '../../lib/jobs.ts'
import { locks } from '../../lib/locks.ts'

/** How long events, attempts and what was not delivered are kept. */
export const RETENTION_DAYS = 30
const DAY_MS = 24 * 3600_000

/** How many rows one statement deletes, and how many webhooks one looks at. */
const BATCH = 5000
const WEBHOOKS = 500

/** Has the history put in order at once, by one node, whatever the hour. */
export const askToKeepHistory = (db: Db) =>
  inTransaction(db, (tx) => addJob(tx, 'keep-webhook-history', {}, { key: 'webhook-history', maxAttempts: 5 }))

/**
 * Makes the partitions of the days to come and takes away what is too old, or belongs to a webhook that is gone. A part
 * that fails holds up no other, and comes again with the job.
 */
export async function keepWebhookHistory({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>) {
  const ahead = await clockFault(db)
  if (ahead !== 0) throw new Error(`Nothing is told old by a clock that is ${ahead} ms ahead of PostgreSQL's`)
  const now = clock.now()
  const before = new Date(now.getTime() - RETENTION_DAYS * DAY_MS)
  const parts: Record<string, () => Promise<void>> = {
    partitions: () => keepPartitions(db, now, before),
    deliveries: () => forgetDeliveries(db, before),
    attempts: () => forgetAttempts(db),
    stats: () => forgetStats(db, before),
    secrets: () => forgetSecrets(db, now),
  }
  const failed: string[] = []
  for (const [name, keep] of Object.entries(parts))
    try {
      await keep()
    } catch (err) {
      log.error({ err, part: name }, 'the history of webhooks could not be put in order')
      failed.push(name)
    }
  if (failed.length > 0) throw new Error(`Not put in order: ${failed.join(', ')}`)
}

/**
 * One step, when no other node is at one just now. It waits shorter for a lock than PostgreSQL does before it looks for
 * deadlocks, so whoever is in the way goes on and this comes again.
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
 * Day by day from the oldest, because whoever emits waits for the step that drops: none of them may take longer than two
 * seconds, however much there is to drop.
 */
async function keepPartitions(db: Db, now: Date, before: Date) {
  // What came while there was no partition for it. The function would take it at once, however much it is.
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
  const { rows } = await sql<{ days: number }>`
    select distinct (${now}::timestamptz at time zone 'UTC')::date - to_date(right(relname, 8), 'YYYYMMDD') as days
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent in ('event'::regclass, 'attempt'::regclass) and relname ~ '_[0-9]{8}$'
    order by days desc`.execute(db)
  const kept = [...rows.map(({ days }) => days - 1).filter((days) => days > RETENTION_DAYS), RETENTION_DAYS]
  for (const days of kept)
    await step(db, async (tx) => {
      await sql`set local statement_timeout = '2s'`.execute(tx)
      await sql`select keep_partitions(${now}::timestamptz, make_interval(hours => ${days * 24}))`.execute(tx)
    })
}

/** Repeats a step that takes away until it finds less than a batch. */
async function inBatches(db: Db, remove: (tx: Tx) => Promise<{ numAffectedRows?: bigint }>) {
  for (;;) {
    const done = await step(db, remove)
    if (!done || (done.numAffectedRows ?? 0n) < BATCH) return
  }
}

/**
 * The webhooks that `table` has rows of to delete: all of one that is gone, else those from before `before`. By a loose
 * scan, whose cost follows the number of webhooks, not that of rows.
 */
async function* dueIn(db: Db, table: 'delivery' | 'attempt', before: Date | null) {
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

/** An id tells when its delivery was made, so the primary key leads to the old ones. */
async function forgetDeliveries(db: Db, before: Date) {
  for await (const { id: webhook_id, gone } of dueIn(db, 'delivery', before))
    await inBatches(db, (tx) =>
      sql`delete from delivery where webhook_id = ${webhook_id} and id = any(array(
        select id from delivery
        where webhook_id = ${webhook_id} and id < coalesce(uuid_at(${gone ? null : before}::timestamptz), ${LAST_ID}::uuid)
        order by id limit ${BATCH} for update skip locked))`.execute(tx),
    )
}

/** Old ones went with their partition. */
async function forgetAttempts(db: Db) {
  for await (const { id: webhook_id } of dueIn(db, 'attempt', null))
    await inBatches(db, (tx) =>
      sql`delete from attempt using (
          select delivery_id, n from attempt where webhook_id = ${webhook_id} order by delivery_id, n limit ${BATCH}
        ) gone where webhook_id = ${webhook_id} and attempt.delivery_id = gone.delivery_id and attempt.n = gone.n`.execute(
        tx,
      ),
    )
}

async function forgetStats(db: Db, before: Date) {
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
 * What signs nothing any more is kept by nobody. This is another version of the webhook: dispatchers that have it open
 * in memory read it again.
 */
const forgetSecrets = (db: Db, now: Date) =>
  inBatches(db, (tx) =>
    sql`update webhook set previous_secret = null, previous_secret_expires_at = null where id = any(array(
      select id from webhook where previous_secret_expires_at <= ${now} limit ${BATCH} for no key update skip locked))`.execute(
      tx,
    ),
  )
