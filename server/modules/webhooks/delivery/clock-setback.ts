import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'

/** Seconds that the clock may go back unnoticed. No delivery waits longer than that in vain. */
const TOLERANCE_S = 10

type Parts = Pick<Deps, 'clock' | 'config' | 'log' | 'timings'> & { db: Db }

/**
 * Returns a function that makes due again what waits for a time that the clock had reached before it was set back. It
 * does so once after the start and after each time that the clock went back.
 */
export function createSetbackRepair(parts: Parts) {
  const { clock, log } = parts
  let offset = Number.POSITIVE_INFINITY
  let isPending = false
  return async () => {
    const now = clock.now()
    const former = offset
    offset = now.getTime() - performance.now()
    isPending ||= offset < former - TOLERANCE_S * 1000
    if (!isPending) return false
    const repaired = await repair(parts, now)
    isPending = false
    if (repaired > 0)
      log.warn({ repaired }, 'the clock was set back: webhook deliveries of its former time are due now')
    return repaired > 0
  }
}

/**
 * A delivery without an attempt is due at once, a claimed one at the end of its lease, and a circuit rests for a known
 * time. The endpoint may have asked for any other wait, so that is wrong only if the attempt before it lies ahead too.
 */
const repair = ({ db, config, timings }: Parts, now: Date) =>
  inTransaction(db, async (tx) => {
    const after = (seconds: number) => new Date(now.getTime() + (TOLERANCE_S + seconds) * 1000)
    const deliveries = await sql`
      update delivery set run_at = ${now}, claim_id = null where (webhook_id, id) in (
        select webhook_id, id from delivery
        where state = 'waiting' and run_at > ${after(0)} and case
          when claim_id is not null then run_at > ${after(timings.deliveryLease / 1000)}
          when attempts = 0 then true
          else exists (
            select from attempt
            where attempt.webhook_id = delivery.webhook_id and delivery_id = delivery.id and n = attempts and at > ${after(0)})
        end
        for update skip locked)`.execute(tx)
    const circuits = await sql`
      update webhook_health set circuit_until = ${now} where webhook_id in (
        select webhook_id from webhook_health where circuit_until > ${after(config.WEBHOOK_CIRCUIT.longest_rest_s)}
        for no key update skip locked)`.execute(tx)
    return Number((deliveries.numAffectedRows ?? 0n) + (circuits.numAffectedRows ?? 0n))
  })
