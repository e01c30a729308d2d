import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { arrayText, type Db } from '../../lib/database.ts'

/** Longer than any attempt can take: what is claimed longer than this belongs to a worker that is gone. */
export const LEASE_S = 60

/** A webhook that has something due. */
export type Lane = {
  webhook_id: string
  team_id: string
  /** When its first delivery was due: a claim need not look before that. */
  first: string
  /** Its circuit is open, and rested long enough. */
  rested: boolean
}

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
  /** The endpoint failed lately: a success has to be noted at once. */
  failing: boolean
}

/** Nearly all deliveries are committed sooner than this after they were due. */
const LATE_MS = 1000

/**
 * The webhooks that have something due, in random order. Of each only its ends are looked at, so the cost follows the
 * number of webhooks and not that of their deliveries. What left the head of a lane stays in the index until the next
 * vacuum: a look that is given the lanes of the one `before` goes on from their first deliveries and does not pass all
 * that again. What stands before these, was committed since, and was due {@link LATE_MS} ago is left to a look without.
 */
export async function dueLanes(db: Db, now: Date, before: Lane[] = []): Promise<Lane[]> {
  const { rows } = await sql<Lane>`
    with recursive waiting as (
      (select webhook_id from delivery where state = 'waiting' order by webhook_id desc, run_at desc limit 1)
      union all
      select next.webhook_id from waiting cross join lateral (
        select webhook_id from delivery
        where state = 'waiting' and webhook_id < waiting.webhook_id order by webhook_id desc, run_at desc limit 1
      ) as next
    )
    select waiting.webhook_id, team_id, run_at::text as first, circuit_until is not null as rested
    from waiting join webhook on webhook.id = waiting.webhook_id
    join webhook_health on webhook_health.webhook_id = waiting.webhook_id
    left join unnest(${arrayText(before.map((lane) => lane.webhook_id))}::uuid[],
      ${arrayText(before.map((lane) => lane.first))}::timestamptz[]) as known (webhook_id, first)
      on known.webhook_id = waiting.webhook_id
    cross join lateral (
      select run_at from delivery
      where delivery.webhook_id = waiting.webhook_id and state = 'waiting'
        and run_at >= least(coalesce(known.first, '-infinity'), ${new Date(now.getTime() - LATE_MS)})
      order by run_at limit 1
    ) as first
    where run_at <= ${now} and active and (circuit_until is null or circuit_until <= ${now})
    order by random()`.execute(db)
  return rows
}

/** Of endpoints whose circuit has rested, those that this node may probe: one node wins, until its lease ends. */
export async function winProbes(db: Db, webhook_ids: string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ webhook_id: string }>`
    update webhook_health set circuit_until = ${leaseEnd(now)}
    where webhook_id in (
      select webhook_id from webhook_health where webhook_id = any(${arrayText(webhook_ids)}::uuid[]) and circuit_until <= ${now}
      order by webhook_id for no key update skip locked
    ) returning webhook_id`.execute(db)
  return rows.map((row) => row.webhook_id)
}

const leaseEnd = (now: Date) => new Date(now.getTime() + LEASE_S * 1000)

export type Room = { lane: Lane; room: number; isProbe: boolean }

/**
 * Claims what is due in these lanes, at most so many of each and `most` in all, for as long as the lease. A claim that
 * is lost with PostgreSQL is only made again, so its commit does not wait for the disk.
 */
export async function claim(db: Db, rooms: Room[], most: number, now: Date): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with lane as (
      select webhook.id as webhook_id, webhook.version, first, room, failure_count > 0 or circuit_until is not null as failing
      from unnest(${arrayText(rooms.map(({ lane }) => lane.webhook_id))}::uuid[],
        ${arrayText(rooms.map(({ lane }) => lane.first))}::timestamptz[], ${arrayText(rooms.map(({ room }) => room))}::int[],
        ${arrayText(rooms.map(({ isProbe }) => isProbe))}::boolean[]) as wanted (webhook_id, first, room, is_probe)
      join webhook on webhook.id = wanted.webhook_id and active
      join webhook_health on webhook_health.webhook_id = wanted.webhook_id and (circuit_until is null or is_probe)
    ), due as (
      select lane.webhook_id, version, failing, chosen.place from lane cross join lateral (
        select ctid as place from delivery
        where delivery.webhook_id = lane.webhook_id and state = 'waiting' and run_at between first and ${now}
        order by run_at limit room for update skip locked
      ) as chosen
      where set_config('synchronous_commit', 'off', true) = 'off'
      limit ${most}::int
    ), claimed as (
      update delivery set claim_id = ${randomUUID()}::uuid, run_at = ${leaseEnd(now)} from due where delivery.ctid = due.place
      returning delivery.webhook_id, delivery.id, delivery.claim_id, delivery.event_id, delivery.type, delivery.step, version, failing
    )
    select claimed.*, event.type as event_type, payload from claimed join event on event.id = event_id`.execute(db)
  return rows
}

type Held = { webhook_id: string; id: string; claim_id: string }

/** Gives back what was claimed and not tried, as it was before; a probe may be made again at once. */
export async function giveBack(db: Db, claimed: Held[], probes: string[], now: Date) {
  await sql`
    update delivery set claim_id = null, run_at = ${now}
    from unnest(${arrayText(claimed.map((one) => one.webhook_id))}::uuid[], ${arrayText(claimed.map((one) => one.id))}::uuid[],
      ${arrayText(claimed.map((one) => one.claim_id))}::uuid[]) as given (webhook_id, id, claim_id)
    where delivery.webhook_id = given.webhook_id and delivery.id = given.id and delivery.claim_id = given.claim_id`.execute(
    db,
  )
  if (probes.length > 0)
    await sql`update webhook_health set circuit_until = ${now}
      where webhook_id = any(${arrayText(probes)}::uuid[]) and circuit_until > ${now}`.execute(db)
}
