import { sql } from 'kysely'
import { type Db, inTransaction, retryOnDeadlock, type Tx } from '../../../../lib/db/database.ts'
import { rowsOf } from '../../../../lib/db/rows.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { disableFailing, disableGone } from '../../auto-disable.ts'
import { recordOutcomes } from '../circuit-breaker.ts'
import { type Claimed, claimColumns } from '../queue.ts'
import { GONE, type PlannedRetry, planRetry } from '../retry-plan.ts'
import type { Sent } from '../sending/send.ts'
import type { Outcome } from './outcomes.ts'

/** A delivery whose attempt has ended. `at` is when it began. */
export type Completed = { delivery: Claimed; sent: Sent; at: Date; isProbe: boolean }
type Failure = Completed & PlannedRetry

/** Saves successes of healthy endpoints in a single statement. This is the fast path. */
export async function saveSuccesses({ workerDatabase: { db } }: Pick<Deps, 'workerDatabase'>, batch: Completed[]) {
  await retryOnDeadlock(() => recordDelivered(db, batch, false))
}

/** Saves a batch with failures, or with successes that follow them, and updates the health of the endpoints. */
export async function saveFailures(deps: Deps, batch: Completed[]) {
  const { workerDatabase, clock, config } = deps
  const now = clock.now()
  const successes = batch.filter(({ sent }) => sent.ok)
  const failures = batch
    .filter(({ sent }) => !sent.ok)
    .map((done): Failure => ({ ...done, ...planRetry(done, config.WEBHOOK_RETRY_SCHEDULE, now) }))
  const exhausted = new Set(failures.filter(({ next }) => next === null).map(({ delivery }) => delivery.id))
  const { saved, health } = await inTransaction(workerDatabase.db, async (tx) => {
    const saved = new Set([...(await recordDelivered(tx, successes, true)), ...(await recordFailed(tx, failures, now))])
    const outcomes = batch
      .filter(({ delivery, sent }) => saved.has(delivery.id) && sent.charged !== false)
      .map((done) => outcomeOf(done, exhausted.has(done.delivery.id), now))
    return { saved, health: await recordOutcomes(tx, config, outcomes, now) }
  })
  const savedFailures = failures.filter(({ delivery }) => saved.has(delivery.id))
  for (const { delivery, sent } of savedFailures)
    if (exhausted.has(delivery.id))
      deps.log.warn(
        { webhook_id: delivery.webhook_id, event_id: delivery.event_id, status: sent.status },
        'a webhook delivery ran out of attempts',
      )
  await disableEndpoints(deps, savedFailures, health, now)
}

function outcomeOf({ delivery, sent, at, isProbe }: Completed, isExhausted: boolean, now: Date): Outcome {
  const ended = new Date(at.getTime() + sent.duration_ms)
  return {
    webhook_id: delivery.webhook_id,
    delivery_id: delivery.id,
    ok: sent.ok,
    at: ended > now ? now : ended,
    isProbe,
    isExhausted,
  }
}

/**
 * Disables the endpoints that are gone or have been failing for too long. In a transaction of its own, because a change
 * of a webhook locks the webhook before its health. The check of each minute disables failing ones that a crash leaves.
 */
async function disableEndpoints(
  deps: Deps,
  failures: Completed[],
  health: { webhook_id: string; first_failure_at: Date | null }[],
  now: Date,
) {
  const gone = failures.filter(({ sent }) => sent.status === GONE).map(({ delivery }) => delivery.webhook_id)
  const since = new Date(now.getTime() - deps.config.WEBHOOK_DISABLE_AFTER_S * 1000)
  const failing = health
    .filter(({ first_failure_at }) => first_failure_at !== null && first_failure_at <= since)
    .map(({ webhook_id }) => webhook_id)
  if (gone.length === 0 && failing.length === 0) return
  await inTransaction(deps.workerDatabase.db, async (tx) => {
    if (gone.length > 0) await disableGone(deps, tx, [...new Set(gone)])
    if (failing.length > 0) await disableFailing(deps, tx, failing)
  })
}

const resultColumns = {
  ...claimColumns,
  at: 'timestamptz',
  status: 'smallint',
  duration_ms: 'int',
  response: 'text',
} as const
const failureColumns = { ...resultColumns, error: 'text', next: 'timestamptz', counts: 'boolean' } as const

const resultOf = ({
  delivery: { webhook_id, id, claim_id },
  sent: { status, duration_ms, response },
  at,
}: Completed) => ({
  webhook_id,
  id,
  claim_id,
  at,
  status,
  duration_ms,
  response,
})

/**
 * Deletes delivered deliveries and logs their last attempts. A delivery that another node has claimed since stays as it
 * is. Returns the ids of the others, if they are wanted.
 */
async function recordDelivered(db: Db, batch: Completed[], returnIds: boolean) {
  if (batch.length === 0) return []
  const { rows } = await sql<{ delivery_id: string }>`
    with delivered as (
      delete from delivery using ${rowsOf(batch.map(resultOf), resultColumns, 'result')}
      where delivery.webhook_id = result.webhook_id and delivery.id = result.id and delivery.claim_id = result.claim_id
      returning delivery.webhook_id, delivery.id, attempts, event_id, type, trigger, at, status, duration_ms, response
    )
    insert into attempt (webhook_id, delivery_id, n, event_id, type, trigger, at, ok, done, status, duration_ms, response)
    select webhook_id, id, attempts + 1, event_id, type, trigger, at, true, true, status, duration_ms, response
    from delivered
    ${returnIds ? sql`returning delivery_id` : sql``}`.execute(db)
  return rows.map(({ delivery_id }) => delivery_id)
}

/**
 * Schedules failed deliveries again, or marks them as failed after their last attempt, and logs the attempts. Returns
 * the ids of those that no other node has claimed since.
 */
async function recordFailed(tx: Tx, failures: Failure[], now: Date) {
  if (failures.length === 0) return []
  const results = failures.map((failure) => ({
    ...resultOf(failure),
    error: failure.sent.error,
    next: failure.next,
    counts: failure.counts,
  }))
  const { rows } = await sql<{ delivery_id: string }>`
    with postponed as (
      update delivery set claim_id = null, attempts = attempts + 1, step = step + counts::int,
        trigger = case when counts then 'schedule' else trigger end,
        run_at = coalesce(next, ${now}), state = case when next is null then 'failed' else state end
      from ${rowsOf(results, failureColumns, 'result')}
      where delivery.webhook_id = result.webhook_id and delivery.id = result.id and delivery.claim_id = result.claim_id
      returning delivery.webhook_id, delivery.id, attempts, event_id, type, old.trigger, at, status, duration_ms, response,
        error
    )
    insert into attempt (webhook_id, delivery_id, n, event_id, type, trigger, at, ok, done, status, duration_ms, response, error)
    select webhook_id, id, attempts, event_id, type, trigger, at, false, false, status, duration_ms, response, error
    from postponed
    returning delivery_id`.execute(tx)
  return rows.map(({ delivery_id }) => delivery_id)
}
