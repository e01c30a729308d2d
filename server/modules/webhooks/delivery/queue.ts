import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../lib/db/database.ts'
import { arrayText, rowsOf } from '../../../lib/db/rows.ts'
import type { Deps } from '../../../lib/deps.ts'

/** A lease that begins now. After its end the worker that took it is gone, and others may claim again. */
export type Lease = { now: Date; until: Date }

export function beginLease({ clock, timings }: Pick<Deps, 'clock' | 'timings'>): Lease {
  const now = clock.now()
  return { now, until: new Date(now.getTime() + timings.deliveryLease) }
}

/** The queue of a webhook that has something due. */
export type EndpointQueue = {
  webhook_id: string
  team_id: string
  /** When its first delivery was due. A claim need not look before that. */
  first_due_at: string
  /** Its circuit is open, and its rest is over. */
  rested: boolean
}

/** A delivery that this process has claimed. */
export type Claimed = {
  webhook_id: string
  id: string
  claim_id: string
  event_id: string
  type: string
  step: number
  event_type: string
  payload: string
  version: number
  /** The endpoint failed lately, so a success is recorded at once. */
  failing: boolean
}

/** Nearly all deliveries are committed sooner than this after they were due. */
const MAX_COMMIT_DELAY_MS = 1000

/**
 * Finds the queues that have something due, in random order.
 *
 * The recursive query jumps from webhook to webhook over the index of waiting deliveries, and `head` reads the first
 * delivery of each. So the cost follows the number of webhooks, not that of their deliveries.
 *
 * Deliveries that have left the head of a queue stay in the index until the next vacuum. A search that is given the
 * result of the `previous` one begins at the first deliveries found there, and does not read past the dead entries
 * again. It misses deliveries that were committed later than {@link MAX_COMMIT_DELAY_MS} after they were due, and stand
 * before these. A search without `previous` finds them.
 */
export async function findDueEndpoints(
  db: Db,
  now: Date,
  previous: readonly EndpointQueue[] = [],
): Promise<EndpointQueue[]> {
  const lateCommits = new Date(now.getTime() - MAX_COMMIT_DELAY_MS)
  const { rows } = await sql<EndpointQueue>`
    with recursive queue as (
      (select webhook_id from delivery where state = 'waiting' order by webhook_id desc, run_at desc limit 1)
      union all
      select next.webhook_id from queue cross join lateral (
        select webhook_id from delivery
        where state = 'waiting' and webhook_id < queue.webhook_id order by webhook_id desc, run_at desc limit 1
      ) as next
    )
    select queue.webhook_id, team_id, run_at::text as first_due_at, circuit_until is not null as rested
    from queue
    join webhook on webhook.id = queue.webhook_id
    join webhook_health on webhook_health.webhook_id = queue.webhook_id
    left join ${rowsOf(previous, { webhook_id: 'uuid', first_due_at: 'timestamptz' }, 'previous')}
      on previous.webhook_id = queue.webhook_id
    cross join lateral (
      select run_at from delivery
      where delivery.webhook_id = queue.webhook_id and state = 'waiting'
        and run_at >= least(coalesce(previous.first_due_at, '-infinity'), ${lateCommits})
      order by run_at limit 1
    ) as head
    where run_at <= ${now} and active and (circuit_until is null or circuit_until <= ${now})
    order by random()`.execute(db)
  return rows
}

/** The largest number of deliveries to claim from a queue. A probe is claimed although the circuit is open. */
export type ClaimQuota = { queue: EndpointQueue; max: number; isProbe: boolean }

/**
 * Claims due deliveries for the length of the lease: from each queue up to its quota, and `limit` in all.
 *
 * `skip locked` lets several nodes claim at the same time. The commit does not wait for the disk: a claim that is lost
 * in a crash of PostgreSQL is only made again. `set_config` stands in a condition so that this takes no second query.
 */
export async function claim(db: Db, quotas: ClaimQuota[], limit: number, { now, until }: Lease): Promise<Claimed[]> {
  const wanted = quotas.map(({ queue: { webhook_id, first_due_at }, max, isProbe }) => ({
    webhook_id,
    first_due_at,
    quota: max,
    is_probe: isProbe,
  }))
  const columns = { webhook_id: 'uuid', first_due_at: 'timestamptz', quota: 'int', is_probe: 'boolean' } as const
  const { rows } = await sql<Claimed>`
    with queue as (
      select webhook.id as webhook_id, webhook.version, first_due_at, quota,
        failure_count > 0 or circuit_until is not null as failing
      from ${rowsOf(wanted, columns, 'wanted')}
      join webhook on webhook.id = wanted.webhook_id and active
      join webhook_health on webhook_health.webhook_id = wanted.webhook_id and (circuit_until is null or is_probe)
    ), due as (
      select queue.webhook_id, version, failing, head.tid
      from queue cross join lateral (
        select ctid as tid from delivery
        where delivery.webhook_id = queue.webhook_id and state = 'waiting' and run_at between first_due_at and ${now}
        order by run_at limit quota for update skip locked
      ) as head
      where set_config('synchronous_commit', 'off', true) = 'off'
      limit ${limit}::int
    ), claimed as (
      update delivery set claim_id = ${randomUUID()}::uuid, run_at = ${until}
      from due where delivery.ctid = due.tid
      returning delivery.webhook_id, delivery.id, delivery.claim_id, delivery.event_id, delivery.type, delivery.step,
        version, failing
    )
    select claimed.*, event.type as event_type, payload from claimed join event on event.id = event_id`.execute(db)
  return rows
}

/** Names a claim. Every write is made only while the claim still holds. */
export const claimColumns = { webhook_id: 'uuid', id: 'uuid', claim_id: 'uuid' } as const

/**
 * Makes claimed deliveries that were not tried due again, and lets the endpoints in `probes` be probed again at once.
 */
export async function releaseClaims(
  db: Db,
  claimed: readonly Pick<Claimed, keyof typeof claimColumns>[],
  probes: string[],
  now: Date,
) {
  await sql`
    update delivery set claim_id = null, run_at = ${now}
    from ${rowsOf(claimed, claimColumns, 'released')}
    where delivery.webhook_id = released.webhook_id and delivery.id = released.id
      and delivery.claim_id = released.claim_id`.execute(db)
  if (probes.length > 0)
    await sql`update webhook_health set circuit_until = ${now}
      where webhook_id = any(${arrayText(probes)}::uuid[]) and circuit_until > ${now}`.execute(db)
}
