import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import { arrayText, type Db, inTransaction, isRetryable, type Tx } from '../../lib/database.ts'
import { disableFailing, disableGone } from './care.ts'
import { noteHealth, type Outcome } from './circuit.ts'
import type { Claimed } from './lanes.ts'
import type { Sent } from './send.ts'

/** `at`: when the attempt began. */
export type Completed = { delivery: Claimed; sent: Sent; at: Date; isProbe: boolean }

const GONE = 410

/** Writes deliveries that ended well to endpoints that are well: one statement, and nothing but what has to last. */
export async function writeDelivered({ workerDatabase: { db } }: Pick<Deps, 'workerDatabase'>, batch: Completed[]) {
  for (let attempt = 1; ; attempt++)
    try {
      await delivered(db, batch, false)
      return
    } catch (error) {
      if (attempt === 3 || !isRetryable(error)) throw error
    }
}

/** Writes a batch with failures, or successes after them, and what follows for the health of the endpoints. */
export async function writeTroubled(deps: Deps, batch: Completed[]) {
  const { workerDatabase, clock, config } = deps
  const now = clock.now()
  const failures = batch.filter(({ sent }) => !sent.ok).map((done) => planned(done, config.WEBHOOK_RETRY_SCHEDULE, now))
  const successes = batch.filter(({ sent }) => sent.ok)
  const noted = await inTransaction(workerDatabase.db, async (tx) => {
    const written = new Set([...(await delivered(tx, successes, true)), ...(await failed(tx, failures, now))])
    const ranOut = new Set(failures.filter(({ next }) => next === null).map(({ delivery }) => delivery.id))
    const outcomes = batch
      // What the endpoint is not to blame for says nothing about it.
      .filter(({ delivery, sent }) => written.has(delivery.id) && sent.charged !== false)
      .map(({ delivery, sent, at, isProbe }): Outcome => {
        const ended = new Date(at.getTime() + sent.duration_ms)
        return {
          webhook_id: delivery.webhook_id,
          delivery_id: delivery.id,
          ok: sent.ok,
          at: ended > now ? now : ended,
          isProbe,
          ranOut: ranOut.has(delivery.id),
        }
      })
    const health = await noteHealth(tx, config, outcomes, now)
    return { health, written }
  })
  for (const { delivery, sent, next } of failures)
    if (next === null && noted.written.has(delivery.id))
      deps.log.warn(
        { webhook_id: delivery.webhook_id, event_id: delivery.event_id, status: sent.status },
        'a webhook delivery ran out of attempts',
      )
  await disable(deps, failures, noted, now)
}

/** In a transaction of its own: whoever changes a webhook locks it before its health. The care of each minute comes after it. */
async function disable(
  deps: Deps,
  failures: Completed[],
  { health, written }: { health: { webhook_id: string; first_failure_at: Date | null }[]; written: Set<string> },
  now: Date,
) {
  const gone = failures
    .filter(({ delivery, sent }) => sent.status === GONE && written.has(delivery.id))
    .map(({ delivery }) => delivery.webhook_id)
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

type Failure = Completed & { next: string | null; counts: boolean }

/** How long one waits at least whose endpoint was not to blame: what was (the proxy) needs the time. */
export const NOT_CHARGED_WAIT_S = 60

/**
 * When the next attempt is due, with up to a fifth added so that retries spread; null after the last one. What the
 * endpoint was not to blame for brings a delivery no nearer to its last attempt.
 */
function planned(done: Completed, schedule: readonly number[], now: Date): Failure {
  const { delivery, sent } = done
  const counts = sent.charged !== false
  const scheduled = schedule[delivery.step + 1]
  const wait = counts ? scheduled : Math.max(scheduled ?? 0, NOT_CHARGED_WAIT_S)
  if (wait === undefined || sent.status === GONE) return { ...done, counts, next: null }
  const jittered = wait * (1 + Math.random() * 0.2)
  const seconds = Math.max(jittered, Math.min(sent.retry_after_s ?? 0, 86_400))
  return { ...done, counts, next: new Date(now.getTime() + seconds * 1000).toISOString() }
}

/** What every completion names; each write is fenced by the claim. */
const listed = (batch: Completed[]) => ({
  webhook_id: arrayText(batch.map(({ delivery }) => delivery.webhook_id)),
  id: arrayText(batch.map(({ delivery }) => delivery.id)),
  claim_id: arrayText(batch.map(({ delivery }) => delivery.claim_id)),
  at: arrayText(batch.map(({ at }) => at.toISOString())),
  status: arrayText(batch.map(({ sent }) => sent.status)),
  duration_ms: arrayText(batch.map(({ sent }) => sent.duration_ms)),
  response: arrayText(batch.map(({ sent }) => sent.response)),
})

/** Answers the ids of those that were still claimed as they said, when `told`. */
async function delivered(db: Db, batch: Completed[], told: boolean) {
  if (batch.length === 0) return []
  const list = listed(batch)
  const { rows } = await sql<{ delivery_id: string }>`
    with done as (
      select * from unnest(${list.webhook_id}::uuid[], ${list.id}::uuid[], ${list.claim_id}::uuid[], ${list.at}::timestamptz[],
        ${list.status}::smallint[], ${list.duration_ms}::int[], ${list.response}::text[]
      ) as done (webhook_id, id, claim_id, at, status, duration_ms, response)
    ), gone as (
      delete from delivery using done
      where delivery.webhook_id = done.webhook_id and delivery.id = done.id and delivery.claim_id = done.claim_id
      returning delivery.webhook_id, delivery.id, attempts, event_id, type, trigger, at, status, duration_ms, response
    )
    insert into attempt (webhook_id, delivery_id, n, event_id, type, trigger, at, ok, done, status, duration_ms, response)
    select webhook_id, id, attempts + 1, event_id, type, trigger, at, true, true, status, duration_ms, response from gone
    ${told ? sql`returning delivery_id` : sql``}`.execute(db)
  return rows.map(({ delivery_id }) => delivery_id)
}

async function failed(tx: Tx, batch: Failure[], now: Date) {
  if (batch.length === 0) return []
  const list = listed(batch)
  const { rows } = await sql<{ delivery_id: string }>`
    with done as (
      select * from unnest(${list.webhook_id}::uuid[], ${list.id}::uuid[], ${list.claim_id}::uuid[], ${list.at}::timestamptz[],
        ${list.status}::smallint[], ${list.duration_ms}::int[], ${list.response}::text[],
        ${arrayText(batch.map(({ sent }) => sent.error))}::text[], ${arrayText(batch.map(({ next }) => next))}::timestamptz[],
        ${arrayText(batch.map(({ counts }) => counts))}::boolean[]
      ) as done (webhook_id, id, claim_id, at, status, duration_ms, response, error, next, counts)
    ), postponed as (
      update delivery set claim_id = null, step = step + counts::int, attempts = attempts + 1, trigger = case when counts then 'schedule' else trigger end,
        run_at = coalesce(next, ${now}), state = case when next is null then 'failed' else state end
      from done where delivery.webhook_id = done.webhook_id and delivery.id = done.id and delivery.claim_id = done.claim_id
      returning delivery.webhook_id, delivery.id, attempts, event_id, type, old.trigger, at, status, duration_ms, response, error
    )
    insert into attempt (webhook_id, delivery_id, n, event_id, type, trigger, at, ok, done, status, duration_ms, response, error)
    select webhook_id, id, attempts, event_id, type, trigger, at, false, false, status, duration_ms, response, error from postponed
    returning delivery_id`.execute(tx)
  return rows.map(({ delivery_id }) => delivery_id)
}
