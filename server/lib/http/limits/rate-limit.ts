import { LRUCache } from 'lru-cache'
import { problem } from '../../../errors.ts'
import type { Clock } from '../../runtime/clock.ts'

const WINDOW_S = 60
/** Calls over the limit after which a caller counts as a flood. */
const FLOOD = 300

/**
 * Rate-limit headers of a response (draft-ietf-httpapi-ratelimit-headers): the policy, and what remains of it. `window`
 * and `seconds`, its length and what is left of it, in seconds.
 */
export const rateLimitHeaders = (
  name: string,
  { quota, left, seconds, window = WINDOW_S }: { quota: number; left: number; seconds: number; window?: number },
) => ({
  'ratelimit-policy': `"${name}";q=${quota};w=${window}`,
  ratelimit: `"${name}";r=${Math.max(0, left)};t=${seconds}`,
})

export const tooManyRequests = (seconds: number) =>
  problem('too_many_requests', { detail: `Try again in ${seconds} seconds.`, retryAfter: seconds })

/**
 * Counts calls of one kind per minute for each caller, in this process. A window starts with a caller's first call.
 * Returns undefined when there is no limit.
 */
export function rateLimit(name: string, quota: number, clock: Clock) {
  if (quota === 0) return undefined
  let windows: LRUCache<string, { until: number; used: number }> | undefined
  return (caller: string) => {
    // Its allocation takes milliseconds, and few limits are used soon.
    windows ??= new LRUCache({ max: 100_000 })
    const now = clock.now().getTime()
    let window = windows.get(caller)
    if (!window || window.until <= now) {
      window = { until: now + WINDOW_S * 1000, used: 0 }
      windows.set(caller, window)
    }
    window.used++
    const seconds = Math.ceil((window.until - now) / 1000)
    return {
      headers: rateLimitHeaders(name, { quota, left: quota - window.used, seconds }),
      exceeded: window.used > quota ? tooManyRequests(seconds) : undefined,
      isFlood: window.used > quota + FLOOD,
    }
  }
}
export type RateLimit = ReturnType<typeof rateLimit>
