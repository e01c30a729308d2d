import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../lib/db/database.ts'
import { arrayText, rowsOf } from '../../../lib/db/rows.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Lease } from './queue.ts'
import { type Outcome, summarizeOutcomes } from './results/outcomes.ts'

/**
 * The columns of `webhook_health` that describe the failures since the last success, as they are when there are none.
 */
const noFailures = {
  failure_count: 0,
  first_failure_at: null,
  exhausted: 0,
  circuit_opened: 0,
  circuit_until: null,
  warned: 0,
}

/** Each of these columns with its value: reset where `condition` holds, as it is in the health record elsewhere. */
export const resetFailuresIf = (condition: RawBuilder<unknown>) =>
  Object.entries(noFailures).map(([name, none]) => ({
    column: sql.id(name),
    value: sql`case when ${condition} then ${sql.lit(none)} else ${sql.ref(`health.${name}`)} end`,
  }))

const summaryColumns = {
  webhook_id: 'uuid',
  last_success: 'timestamptz',
  new_failures: 'int',
  first_failure: 'timestamptz',
  last_failure: 'timestamptz',
  failed_delivery: 'uuid',
  newly_exhausted: 'int',
  probe_failed: 'boolean',
} as const

/**
 * Adds the outcomes of attempts to the health of their webhooks, and opens circuits. Returns since when each webhook
 * has been failing.
 *
 * A closed circuit opens when enough attempts in a row have failed. An open one opens again, for twice as long, when
 * its probe fails; other failures that come in while it is open began before it opened, and do not count for it. A
 * success closes the circuit and resets the failures before it.
 *
 * `former` is the health before these outcomes, locked in the order of ids so that two batches do not deadlock.
 */
export async function recordOutcomes(
  tx: Tx,
  { WEBHOOK_CIRCUIT }: Pick<Deps['config'], 'WEBHOOK_CIRCUIT'>,
  outcomes: Outcome[],
  now: Date,
) {
  const summaries = summarizeOutcomes(outcomes)
  if (summaries.length === 0) return []
  const { failures, rest_s, longest_rest_s } = WEBHOOK_CIRCUIT
  const formerFailures = resetFailuresIf(sql`last_success is not null`).map(
    ({ column, value }) => sql`${value} as ${column}`,
  )
  const { rows } = await sql<{ webhook_id: string; first_failure_at: Date | null }>`
    with former as (
      select summary.*, ${sql.join(formerFailures)}
      from webhook_health as health join ${rowsOf(summaries, summaryColumns, 'summary')} using (webhook_id)
      order by webhook_id for no key update of health
    ), judged as (
      select *, case when circuit_until is null then failure_count + new_failures >= ${failures}::int else probe_failed end
        as opens
      from former
    )
    update webhook_health as health set
      failure_count = judged.failure_count + new_failures,
      first_failure_at = coalesce(judged.first_failure_at, first_failure),
      exhausted = judged.exhausted + newly_exhausted,
      warned = judged.warned,
      last_failure_at = coalesce(last_failure, health.last_failure_at),
      last_failed_delivery = coalesce(failed_delivery, health.last_failed_delivery),
      last_dispatched_at = greatest(last_success, health.last_dispatched_at),
      circuit_opened = judged.circuit_opened + opens::int,
      circuit_until = case when opens then ${now}::timestamptz + make_interval(secs =>
          least(${longest_rest_s}::float8, ${rest_s}::float8 * 2 ^ least(judged.circuit_opened, 30)))
        else judged.circuit_until end
    from judged where health.webhook_id = judged.webhook_id
    returning health.webhook_id, health.first_failure_at`.execute(tx)
  return rows
}

/** Returns those of these endpoints that this node may probe now. One node gets each, until its lease ends. */
export async function acquireProbes(db: Db, webhook_ids: string[], { now, until }: Lease): Promise<string[]> {
  const { rows } = await sql<{ webhook_id: string }>`
    update webhook_health set circuit_until = ${until}
    where webhook_id in (
      select webhook_id from webhook_health
      where webhook_id = any(${arrayText(webhook_ids)}::uuid[]) and circuit_until <= ${now}
      order by webhook_id for no key update skip locked
    ) returning webhook_id`.execute(db)
  return rows.map((row) => row.webhook_id)
}

/** Ends the rest of an open circuit, so that the next delivery probes the endpoint at once. */
export const probeNow = (tx: Tx, webhook_id: string, now: Date) =>
  tx
    .updateTable('webhook_health')
    .set({ circuit_until: now })
    .where('webhook_id', '=', webhook_id)
    .where('circuit_until', '>', now)
    .execute()

/** Closes the circuit and resets the failures of a webhook. */
export const resetHealth = (tx: Tx, webhook_id: string) =>
  tx.updateTable('webhook_health').set(noFailures).where('webhook_id', '=', webhook_id).execute()
