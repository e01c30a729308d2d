import type { Claimed } from './queue.ts'
import type { Sent } from './sending/send.ts'

/** The status by which an endpoint asks for no more deliveries. */
export const GONE = 410

/**
 * The shortest wait after an attempt that the endpoint is not to blame for: its cause (the proxy) takes time to
 * recover.
 */
export const NOT_CHARGED_WAIT_S = 60
const MAX_RETRY_AFTER_S = 86_400
/** Up to this share of the wait is added at random, so that retries spread. */
const JITTER = 0.2

/**
 * `next` is when the next attempt is due, null after the last one. `counts`: the attempt uses up a step of the
 * schedule.
 */
export type PlannedRetry = { next: Date | null; counts: boolean }

/** Plans the next attempt of a delivery. An attempt that the endpoint is not to blame for does not count. */
export function planRetry(
  { delivery, sent }: { delivery: Claimed; sent: Sent },
  schedule: readonly number[],
  now: Date,
): PlannedRetry {
  const counts = sent.charged !== false
  const scheduled = schedule[delivery.step + 1]
  const wait = counts ? scheduled : Math.max(scheduled ?? 0, NOT_CHARGED_WAIT_S)
  if (wait === undefined || sent.status === GONE) return { counts, next: null }
  const jittered = wait * (1 + Math.random() * JITTER)
  const seconds = Math.max(jittered, Math.min(sent.retry_after_s ?? 0, MAX_RETRY_AFTER_S))
  return { counts, next: new Date(now.getTime() + seconds * 1000) }
}
