import { sql } from 'kysely'
import type { HeldWork } from '../../../lib/lifecycle.ts'
import { type Reading, secondsSince } from '../../../lib/runtime/installation-metrics.ts'

/** Reads one delivery of each endpoint, so that it costs the same however many wait. */
export const deliveryBacklog: Reading = {
  query: sql`
    select count(*) filter (where circuit_until is null and run_at <= now()) as webhooks_due,
      ${secondsSince(sql`min(run_at) filter (where circuit_until is null)`)} as webhooks_oldest_due_seconds,
      count(*) filter (where circuit_until is not null) as webhooks_circuit_open
    from webhook
    join webhook_health on webhook_health.webhook_id = webhook.id
    cross join lateral (
      select run_at from delivery
      where delivery.webhook_id = webhook.id and state = 'waiting' order by run_at limit 1
    ) as head
    where active`,
  gauges: {
    webhooks_due: 'Webhooks with a delivery that is due.',
    webhooks_oldest_due_seconds: 'Time for which the oldest due delivery has waited.',
    webhooks_circuit_open: 'Webhooks with waiting deliveries that rest after failures.',
  },
}

const BATCH = 5000

/** The deliveries that waited at a backup. Those of later events are sent in any case. */
export const heldDeliveries: HeldWork = {
  count: async (db, { restored_at }) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from delivery where state = 'waiting' and id < uuid_at(${restored_at})`.execute(db)
    return rows[0]?.count ?? 0
  },
  drop: async ({ db }, { restored_at }) => {
    for (let dropped = 0; ; ) {
      const { numAffectedRows = 0n } = await sql`
        delete from delivery where ctid = any(array(
          select ctid from delivery where state = 'waiting' and id < uuid_at(${restored_at}) limit ${BATCH}))`.execute(
        db,
      )
      dropped += Number(numAffectedRows)
      if (numAffectedRows < BATCH) return dropped
    }
  },
}
