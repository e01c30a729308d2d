/**
 * Sends deliveries: a delivery is one event for one webhook. `emit` writes its row together with the event. The row is the
 * job, and is deleted when the delivery ends in success.
 *
 *     emit ──▶ waiting ──claim──▶ in flight ──2xx──▶ delivered
 *       │       ▲   ▲                │
 *       ▼       │   └─────retry──────┼──schedule used up──▶ failed
 *      held ────┘                    │                        │
 *       ▲                            │                        │
 *       └──webhook disabled──────────┘      waiting ◀──redelivery
 *
 * - In flight: the row has a `claim_id` and a lease. Every write names the claim, so a node that comes back after its
 *   lease changes nothing. A lease that ends makes the delivery due again: receivers may get an event twice.
 * - `held`: the webhook is disabled. Its deliveries wait until it is enabled.
 * - Each attempt is a row of `attempt`, which outlives the delivery.
 */
import type { Deps } from '../../../lib/deps.ts'
import { createRunLoop } from '../../../lib/runtime/concurrency/run-loop.ts'
import { claimAndSend } from './claim-and-send.ts'
import { createSetbackRepair } from './clock-setback.ts'
import { createLimiter } from './concurrency.ts'
import { createDueEndpoints } from './due-endpoints.ts'
import { createResultWriters } from './results/result-writers.ts'
import { startStatsBuffer } from './results/stats-buffer.ts'
import { createDeliver } from './sending/deliver.ts'
import { createEndpointCache } from './sending/endpoint-cache.ts'
import { createInFlight } from './sending/in-flight.ts'

/** Freed slots are gathered for this long, or until there are this many: larger batches cost less for each delivery. */
const GATHER_MS = 3
const MIN_FREED_SLOTS = 64

/** Claims and sends due deliveries until it is stopped. */
export function startDispatcher(deps: Deps) {
  const { clock, timings, outageLog, dueSignal } = deps
  const { db } = deps.workerDatabase
  const loop = createRunLoop({
    work: async () => {
      if (await repairSetback()) dueEndpoints.markDue(undefined)
      return claimAndSend(parts)
    },
    onError: (err) => outageLog.report(err, 'webhook deliveries could not be claimed'),
    gatherMs: GATHER_MS,
    gatherCount: MIN_FREED_SLOTS,
  })
  const { isStopped } = loop
  const repairSetback = createSetbackRepair({ ...deps, db })
  const dueEndpoints = createDueEndpoints({ db, clock, timings, scheduleRefresh: loop.runIn })
  const limiter = createLimiter()
  const inFlight = createInFlight()
  const endpoints = createEndpointCache(deps)
  const stats = startStatsBuffer(deps)
  const writers = createResultWriters({ deps, dueEndpoints, limiter, inFlight, loop })
  const deliver = createDeliver({ deps, dueEndpoints, limiter, endpoints, stats, writers, isStopped })
  const parts = { db, clock, timings, dueEndpoints, limiter, inFlight, endpoints, writers, deliver, isStopped }

  const unsubscribe = dueSignal.onNotify((due) => {
    dueEndpoints.markDue(due)
    if (due) loop.runSoon()
    else loop.runIn(0)
  })
  const poll = setInterval(loop.run, timings.deliveryPoll)
  loop.run()

  return {
    /** Stops claiming, and resolves when nothing is in flight. */
    stop: async () => {
      unsubscribe()
      clearInterval(poll)
      await loop.stop()
      await inFlight.drained()
      await stats.stop()
    },
  }
}
