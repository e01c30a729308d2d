import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Deps } from '../../deps.ts'
import { renamePayload } from '../../events.ts'
import { inTransaction } from '../../lib/database.ts'
import { onWake } from '../../lib/wake.ts'
import { type Sent, sendSigned } from './send.ts'
import { openSecret } from './secrets.ts'

/** Deliveries to one endpoint at a time; a slow one fills its own lane and no other. */
const LANE = 8
/** Deliveries of one workspace at a time, whatever the number of its endpoints. */
const WORKSPACE = 64
/** Deliveries at a time in this process. */
const IN_FLIGHT = 1024
const BATCH = 100
const IDLE_POLL_MS = 250
const SWEEP_MS = 5000
/** Longer than any attempt can take: a lease that ran out belongs to a worker that is gone. */
const LEASE_S = 60

type Claimed = {
  id: string
  claim_id: string
  attempt: number
  type: string
  event_id: string
  event_type: string
  payload: Buffer
  webhook_id: string
  team_id: string
  url: string
  secret: string
}
type Completed = { delivery: Claimed; sent: Sent }

/**
 * Sends due deliveries until it is stopped. A delivery is claimed under a lease, sent, and completed; each write names
 * the claim, so a worker that comes back late changes nothing.
 */
export function startDispatcher(deps: Deps) {
  const { clock, log, keyring } = deps
  const { db } = deps.workerDatabase
  const lanes = counter()
  const workspaces = counter()
  const flights = new Set<Promise<void>>()
  let completed: Completed[] = []
  let completing: Promise<void> | undefined
  let running = false
  let again = false
  let stopped = false

  /** Webhooks that have something due, by a loose scan over the index: its cost follows their number, not the queue's. */
  async function dueLanes() {
    const now = clock.now()
    const { rows } = await sql<{ webhook_id: string; team_id: string }>`
      with recursive due as (
        (select webhook_id from delivery where claim_id is null and run_at <= ${now} order by webhook_id limit 1)
        union all
        select (select webhook_id from delivery where claim_id is null and run_at <= ${now} and webhook_id > due.webhook_id
          order by webhook_id limit 1)
        from due where due.webhook_id is not null
      ) select webhook_id, team_id from due join webhook on webhook.id = due.webhook_id`.execute(db)
    const left = new Map<string, number>()
    return rows
      .sort(() => Math.random() - 0.5)
      .map(({ webhook_id, team_id }) => {
        const budget = left.get(team_id) ?? WORKSPACE - workspaces.of(team_id)
        const room = Math.max(0, Math.min(LANE - lanes.of(webhook_id), budget))
        left.set(team_id, budget - room)
        return { webhook_id, room }
      })
      .filter(({ room }) => room > 0)
  }

  async function claim(room: number): Promise<Claimed[]> {
    const due = await dueLanes()
    if (due.length === 0) return []
    const now = clock.now()
    const claim_id = randomUUID()
    const { rows } = await sql<Claimed>`
      with claimable as (
        select chosen.id from unnest(${due.map((lane) => lane.webhook_id)}::uuid[], ${due.map((lane) => lane.room)}::int[])
          as lane (webhook_id, room)
        cross join lateral (
          select id from delivery where delivery.webhook_id = lane.webhook_id and claim_id is null and run_at <= ${now}
          order by run_at limit lane.room for update skip locked
        ) as chosen
        limit ${room}::int
      )
      update delivery set claim_id = ${claim_id}::uuid, lease_until = now() + make_interval(secs => ${LEASE_S}), attempt = attempt + 1
      from claimable, event, webhook
      where delivery.id = claimable.id and event.id = delivery.event_id and webhook.id = delivery.webhook_id
      returning delivery.id, delivery.claim_id, delivery.attempt, delivery.type, delivery.event_id, event.type as event_type,
        event.payload, delivery.webhook_id, webhook.team_id, webhook.url, webhook.secret`.execute(db)
    return rows
  }

  async function deliver(delivery: Claimed) {
    const body = renamePayload(delivery.payload, delivery.event_type, delivery.type)
    const secret = openSecret(keyring, { id: delivery.webhook_id, secret: delivery.secret })
    const sent = await sendSigned(deps, { url: delivery.url, secret, event_id: delivery.event_id, body })
    // Broken off by our own stop: nobody knows how it would have ended, so it does not count.
    if (stopped && sent.status === null) {
      await release(delivery)
      return
    }
    completed.push({ delivery, sent })
    completing ??= complete()
    await completing
  }

  const release = ({ id, claim_id }: Claimed) =>
    db
      .updateTable('delivery')
      .set({ claim_id: null, lease_until: null, attempt: sql`attempt - 1` })
      .where('id', '=', id)
      .where('claim_id', '=', claim_id)
      .execute()

  /** Writes what is done, many at a time: whatever ends while one batch is written goes into the next. */
  async function complete() {
    await new Promise<void>((resolve) => setImmediate(resolve))
    try {
      while (completed.length) {
        const batch = completed
        completed = []
        await writeCompleted(deps, batch)
      }
    } finally {
      completing = undefined
    }
  }

  /** Claims and sends while there is something due and room for it. */
  async function run() {
    if (running) {
      again = true
      return
    }
    running = true
    try {
      do {
        again = false
        const claimed =
          flights.size < IN_FLIGHT && !stopped ? await claim(Math.min(BATCH, IN_FLIGHT - flights.size)) : []
        for (const delivery of claimed) {
          lanes.add(delivery.webhook_id, 1)
          workspaces.add(delivery.team_id, 1)
          const flight = deliver(delivery)
            // What could not be written stays leased, and is sent again when the lease runs out.
            .catch((err) => log.error({ err }, 'a webhook delivery was not completed'))
            .finally(() => {
              lanes.add(delivery.webhook_id, -1)
              workspaces.add(delivery.team_id, -1)
              flights.delete(flight)
              void run()
            })
          flights.add(flight)
        }
        if (claimed.length === BATCH) again = true
      } while (again && !stopped)
    } catch (err) {
      if (!stopped) log.warn({ err }, 'webhook deliveries could not be claimed')
    } finally {
      running = false
    }
  }

  /** Frees what dead workers had claimed. An attempt that nobody knows the end of does not count. */
  const sweep = () =>
    sql`update delivery set claim_id = null, lease_until = null, attempt = attempt - 1
      where claim_id is not null and lease_until < now()`
      .execute(db)
      .catch((err) => stopped || log.warn({ err }, 'expired webhook leases could not be freed'))

  const removeWakeListener = onWake(() => void run())
  const timers = [setInterval(() => void run(), IDLE_POLL_MS), setInterval(() => void sweep(), SWEEP_MS)]
  void sweep()
  void run()

  return {
    /** Stops claiming, and resolves when what is in flight has ended. */
    stop: async () => {
      stopped = true
      removeWakeListener()
      for (const timer of timers) clearInterval(timer)
      await Promise.allSettled(flights)
    },
  }
}

/** Counts by name, and forgets a name at zero. */
function counter() {
  const counts = new Map<string, number>()
  return {
    of: (name: string) => counts.get(name) ?? 0,
    add: (name: string, change: number) => {
      const count = (counts.get(name) ?? 0) + change
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    },
  }
}

/** When the next attempt is due, with up to a fifth added so that retries spread; null after the last one. */
function nextAttempt({ delivery, sent }: Completed, schedule: readonly number[], now: Date) {
  const wait = schedule[delivery.attempt]
  if (wait === undefined) return null
  const jittered = wait * (1 + Math.random() * 0.2)
  return new Date(now.getTime() + Math.max(jittered, sent.retry_after_s ?? 0) * 1000)
}

async function writeCompleted({ workerDatabase, clock, config, log }: Deps, batch: Completed[]) {
  const now = clock.now()
  const next = batch.map((done) => (done.sent.ok ? null : nextAttempt(done, config.WEBHOOK_RETRY_SCHEDULE, now)))
  batch.forEach(({ delivery, sent }, index) => {
    if (!sent.ok && next[index] === null)
      log.warn(
        { webhook_id: delivery.webhook_id, event_id: delivery.event_id, status: sent.status },
        'a webhook delivery ran out of attempts',
      )
  })
  // In a transaction for its retry: deleting a webhook locks the same rows in another order.
  await inTransaction(workerDatabase.db, (tx) =>
    sql`
    with done as (
      select * from unnest(
        ${batch.map(({ delivery }) => delivery.id)}::bigint[], ${batch.map(({ delivery }) => delivery.claim_id)}::uuid[],
        ${batch.map(({ sent }) => sent.ok)}::boolean[], ${next}::timestamptz[]
      ) with ordinality as done (id, claim_id, ok, next_at, n)
    ), finished as (
      delete from delivery using done
      where delivery.id = done.id and delivery.claim_id = done.claim_id and done.next_at is null
      returning delivery.webhook_id, done.ok, done.n
    ), postponed as (
      update delivery set claim_id = null, lease_until = null, run_at = done.next_at from done
      where delivery.id = done.id and delivery.claim_id = done.claim_id and done.next_at is not null
      returning delivery.webhook_id, done.ok, done.n
    ), outcome as (
      select webhook_id, bool_or(ok) as any_ok, bool_or(not ok) as any_failed,
        count(*) filter (where not ok and n > coalesce((
          select max(n) from (select * from finished union all select * from postponed) other
          where other.webhook_id = each.webhook_id and other.ok), 0)) as failures_since
      from (select * from finished union all select * from postponed) each group by webhook_id
    ), locked as (
      select webhook_id from webhook_health where webhook_id in (select webhook_id from outcome) order by webhook_id for update
    )
    update webhook_health set
      failure_count = case when any_ok then 0 else failure_count end + failures_since,
      last_dispatched_at = case when any_ok then ${now}::timestamptz else last_dispatched_at end,
      last_failure_at = case when any_failed then ${now}::timestamptz else last_failure_at end
    from outcome join locked using (webhook_id)
    where webhook_health.webhook_id = outcome.webhook_id`.execute(tx),
  )
}
