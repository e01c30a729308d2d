import { sql } from 'kysely'
import type { Static } from 'typebox'
import { DAY } from '../../../../shared/time.ts'
import { invalid, invalidTransition, notFound, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { afterCommit, inTransaction, minIdAt, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { notifyDispatcher } from '../../../lib/events/due-signal.ts'
import type { Member } from '../../../lib/http/access.ts'
import { probeNow } from '../delivery/circuit-breaker.ts'
import { daysKept } from '../retention.ts'
import type { Recovered } from './deliveries.schema.ts'
import { type DeliveryIds, findDelivery } from './deliveries.ts'

/**
 * Locks a webhook, so that it is neither enabled nor disabled until the transaction ends. Returns a function that
 * throws if it is disabled.
 */
async function lockEnabled(tx: Tx, { workspace_id }: Member, id: string, action: string) {
  const webhook = await tx
    .selectFrom('webhook')
    .select('active')
    .where('id', '=', id)
    .where('team_id', '=', workspace_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!webhook) throw notFound()
  return () => {
    if (!webhook.active) throw invalidTransition('disabled', action)
  }
}

/** Locks a delivery that is not over. */
const lockDelivery = (tx: Tx, { id, delivery_id }: DeliveryIds) =>
  tx
    .selectFrom('delivery')
    .select(['event_id', 'type', 'state', 'claim_id', 'run_at', 'attempts'])
    .where('webhook_id', '=', id)
    .where('id', '=', delivery_id)
    .forUpdate()
    .executeTakeFirst()

/** Locks the attempt that ended a delivery. */
const lockEnded = (tx: Tx, { id, delivery_id }: DeliveryIds) =>
  tx
    .selectFrom('attempt')
    .innerJoin('event', 'event.id', 'attempt.event_id')
    .select(['attempt.n', 'attempt.event_id', 'attempt.type', 'attempt.trigger'])
    .where('webhook_id', '=', id)
    .where('delivery_id', '=', delivery_id)
    .where('done', '=', true)
    .forUpdate('attempt')
    .executeTakeFirst()

const MAX_ATTEMPTS = 1000

/** Limits retries by hand, because every attempt is stored. */
function checkCount(attempts: number) {
  if (attempts < MAX_ATTEMPTS) return
  throw problem('invalid_transition', {
    detail: `This delivery was attempted ${attempts} times. It cannot be retried after ${MAX_ATTEMPTS} attempts.`,
    extra: { state: 'exhausted' },
  })
}

export const retryDelivery = ({ db, clock, config }: Deps, caller: Member, ids: DeliveryIds) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const checkEnabled = await lockEnabled(tx, caller, ids.id, 'retry a delivery')
    const again = { state: 'waiting', trigger: 'retry', run_at: now, claim_id: null } as const
    const once = { ...again, step: config.WEBHOOK_RETRY_SCHEDULE.length - 1 }
    const open = await lockDelivery(tx, ids)
    const ended = open ? undefined : await lockEnded(tx, ids)
    if (ended) {
      if (ended.trigger === 'test')
        throw problem('invalid_transition', {
          detail: 'A test delivery cannot be retried. Send another test event instead.',
          extra: { state: 'test' },
        })
      checkEnabled()
      const { n, event_id, type } = ended
      checkCount(n)
      await tx
        .insertInto('delivery')
        .values({ ...once, id: ids.delivery_id, webhook_id: ids.id, event_id, type, attempts: n })
        .execute()
      await tx
        .updateTable('attempt')
        .set({ done: false })
        .where('webhook_id', '=', ids.id)
        .where('delivery_id', '=', ids.delivery_id)
        .where('n', '=', n)
        .execute()
    } else {
      if (!open) throw notFound()
      checkEnabled()
      checkCount(open.attempts)
      if (open.claim_id !== null && open.run_at > now) throw invalidTransition('in_flight', 'retry a delivery')
      await tx
        .updateTable('delivery')
        .set(open.state === 'waiting' ? again : once)
        .where('webhook_id', '=', ids.id)
        .where('id', '=', ids.delivery_id)
        .execute()
    }
    await probeNow(tx, ids.id, now)
    await audit(tx, caller, 'webhook.delivery_retried', ids.id, {
      delivery_id: ids.delivery_id,
      event_id: (open ?? ended)?.event_id,
      before: { state: open?.state ?? 'delivered' },
    })
    afterCommit(tx, notifyDispatcher)
    return findDelivery(tx, caller, ids)
  })

const MAX_RECOVERED = 100_000

/** Queues the held and failed deliveries of events since a time, with the full retry schedule. */
export const recoverDeliveries = async (
  { db, clock, options }: Deps,
  caller: Member,
  id: string,
  { since }: { since: string },
): Promise<Static<typeof Recovered>> => {
  const now = clock.now()
  const from = new Date(since)
  const days = await daysKept(options)
  if (from.getTime() < now.getTime() - days * DAY) throw invalid('/since', `Events are kept for ${days} days.`)
  return inTransaction(db, async (tx) => {
    // The lock orders concurrent calls, so that the second one queues what the first one has left.
    const checkEnabled = await lockEnabled(tx, caller, id, 'recover deliveries')
    checkEnabled()
    const lost = sql`delivery where webhook_id = ${id} and state in ('held', 'failed') and id >= ${minIdAt(from)}::uuid
      and exists (select from event where event.id = delivery.event_id and created_at >= ${from}::timestamptz)`
    const { numAffectedRows } = await sql`
      update delivery set state = 'waiting', trigger = 'recover', step = 0, run_at = ${now}, claim_id = null
      where webhook_id = ${id} and id = any(array(select id from ${lost} order by id limit ${MAX_RECOVERED}))`.execute(
      tx,
    )
    const queued = Number(numAffectedRows ?? 0)
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${lost}`.execute(tx)
    const remaining = rows[0]?.count ?? 0
    if (queued > 0) await probeNow(tx, id, now)
    await audit(tx, caller, 'webhook.recovered', id, { since: from.toISOString(), queued, remaining })
    afterCommit(tx, notifyDispatcher)
    return { queued, remaining }
  })
}
