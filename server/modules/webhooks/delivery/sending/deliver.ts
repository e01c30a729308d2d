import type { Deps } from '../../../../lib/deps.ts'
import { renamePayload } from '../../../../lib/events/emit.ts'
import { timeOfUuid } from '../../../../lib/runtime/metrics.ts'
import type { Limiter } from '../concurrency.ts'
import type { DueEndpoints } from '../due-endpoints.ts'
import type { ResultWriters } from '../results/result-writers.ts'
import type { StatsBuffer } from '../results/stats-buffer.ts'
import { NOT_CHARGED_WAIT_S } from '../retry-plan.ts'
import type { EndpointCache } from './endpoint-cache.ts'
import type { Flight } from './in-flight.ts'
import { sendSigned } from './send.ts'

type Parts = {
  deps: Deps
  dueEndpoints: DueEndpoints
  limiter: Limiter
  endpoints: EndpointCache
  stats: StatsBuffer
  writers: ResultWriters
  isStopped: () => boolean
}

/** Returns the function that makes one attempt at a claimed delivery, and hands its result to the writers. */
export function createDeliver({ deps, dueEndpoints, limiter, endpoints, stats, writers, isStopped }: Parts) {
  /** Webhooks that failed here, and have not succeeded since. Their next success goes into their health. */
  const failing = new Set<string>()

  return async (flight: Flight) => {
    const { delivery, isProbe } = flight
    const { webhook_id } = delivery
    const endpoint = endpoints.get(webhook_id)
    // Its secret could not be decrypted. The delivery waits for the end of its lease.
    if (!endpoint) return writers.finish(flight)
    const at = deps.clock.now()
    const body = renamePayload(delivery.payload, delivery.event_type, delivery.type)
    const sent = await sendSigned(deps, { endpoint, event_id: delivery.event_id, body })
    // Our own stop aborted the attempt. How it would have ended is unknown, so it does not count.
    if (isStopped() && sent.error !== null) return writers.release(flight)
    stats.add(webhook_id, at, sent)
    deps.metrics.webhookAttempts.inc({ outcome: sent.ok ? 'success' : 'failure' })
    if (sent.ok)
      deps.metrics.webhookDeliveries.observe(
        Math.max(0, deps.clock.now().getTime() - timeOfUuid(delivery.event_id)) / 1000,
      )
    limiter.recordDuration(webhook_id, sent.duration_ms)
    if (sent.charged === false) dueEndpoints.pause(webhook_id, NOT_CHARGED_WAIT_S * 1000)
    const ended = { delivery, sent, at, isProbe, flight }
    if (sent.ok && !delivery.failing && !failing.has(webhook_id)) return writers.saveSuccess(ended)
    if (sent.ok) failing.delete(webhook_id)
    else failing.add(webhook_id)
    writers.saveFailure(ended)
  }
}
