import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import { arrayText, type Tx } from '../../lib/database.ts'

/** How one attempt went. `ranOut`: its delivery has no other attempt. */
export type Outcome = {
  webhook_id: string
  delivery_id: string
  ok: boolean
  at: Date
  isProbe: boolean
  ranOut: boolean
}

/** What attempts of one webhook come to, in the order in which they ended. */
type Change = {
  webhook_id: string
  /** The latest success; the rest is what came after it. */
  success: Date | null
  failures: number
  first_failure: Date | null
  last_failure: Date | null
  failed_delivery: string | null
  exhausted: number
  probe_failed: boolean
}

function changes(outcomes: Outcome[]) {
  const all = new Map<string, Change>()
  for (const { webhook_id, delivery_id, ok, at, isProbe, ranOut } of outcomes) {
    const before = all.get(webhook_id)
    const none = { webhook_id, failures: 0, first_failure: null, exhausted: 0, probe_failed: false }
    if (ok) {
      const { last_failure = null, failed_delivery = null } = before ?? {}
      all.set(webhook_id, { ...none, success: at, last_failure, failed_delivery })
      continue
    }
    all.set(webhook_id, {
      webhook_id,
      success: before?.success ?? null,
      failures: (before?.failures ?? 0) + 1,
      first_failure: before?.first_failure ?? at,
      last_failure: at,
      failed_delivery: delivery_id,
      exhausted: (before?.exhausted ?? 0) + Number(ranOut),
      probe_failed: isProbe || (before?.probe_failed ?? false),
    })
  }
  return [...all.values()]
}

/**
 * Counts failures in a row and opens circuits: at so many of them, and again for twice as long when a probe failed. Other
 * failures that come in while one is open were under way before. A success ends all of it. Answers those that failed.
 */
export async function noteHealth(
  tx: Tx,
  { WEBHOOK_CIRCUIT }: Pick<Deps['config'], 'WEBHOOK_CIRCUIT'>,
  outcomes: Outcome[],
  now: Date,
) {
  const list = changes(outcomes)
  if (list.length === 0) return []
  const { failures, rest_s, longest_rest_s } = WEBHOOK_CIRCUIT
  const times = (name: 'success' | 'first_failure' | 'last_failure') =>
    arrayText(list.map((change) => change[name]?.toISOString() ?? null))
  const { rows } = await sql<{ webhook_id: string; first_failure_at: Date | null }>`
    with change as (
      select * from unnest(${arrayText(list.map(({ webhook_id }) => webhook_id))}::uuid[], ${times('success')}::timestamptz[],
        ${arrayText(list.map((change) => change.failures))}::int[], ${times('first_failure')}::timestamptz[],
        ${times('last_failure')}::timestamptz[], ${arrayText(list.map(({ exhausted }) => exhausted))}::int[],
        ${arrayText(list.map(({ probe_failed }) => probe_failed))}::boolean[],
        ${arrayText(list.map(({ failed_delivery }) => failed_delivery))}::uuid[]
      ) as change (webhook_id, success, failures, first_failure, last_failure, exhausted, probe_failed, failed_delivery)
    ), counted as (
      select webhook_id, success, last_failure, probe_failed, failed_delivery,
        case when success is null then failure_count else 0 end + failures as failures,
        case when success is null then coalesce(first_failure_at, first_failure) else first_failure end as first_failure,
        case when success is null then health.exhausted else 0 end + change.exhausted as exhausted,
        case when success is null then circuit_opened else 0 end as opened,
        case when success is null then circuit_until end as until,
        case when success is null then warned else 0 end as warned
      from webhook_health as health join change using (webhook_id) order by webhook_id for no key update of health
    ), judged as (
      select *, case when until is null then failures >= ${failures}::int else probe_failed end as opens from counted
    )
    update webhook_health set failure_count = failures, first_failure_at = first_failure, exhausted = judged.exhausted,
      warned = judged.warned, last_failure_at = coalesce(last_failure, last_failure_at),
      last_failed_delivery = coalesce(failed_delivery, last_failed_delivery),
      last_dispatched_at = greatest(success, last_dispatched_at), circuit_opened = opened + opens::int,
      circuit_until = case when opens
        then ${now}::timestamptz + make_interval(secs => least(${longest_rest_s}::float8, ${rest_s}::float8 * 2 ^ least(opened, 30)))
        else until end
    from judged where webhook_health.webhook_id = judged.webhook_id
    returning webhook_health.webhook_id, first_failure_at`.execute(tx)
  return rows
}

/** An endpoint that rests is tried at once. */
export const probeNow = (tx: Tx, webhook_id: string, now: Date) =>
  tx
    .updateTable('webhook_health')
    .set({ circuit_until: now })
    .where('webhook_id', '=', webhook_id)
    .where('circuit_until', '>', now)
    .execute()
