import type { Deps } from '../../../lib/deps.ts'

/** A requested refresh is due this long after the one before. */
const REQUESTED_POLL_MS = 20
/** Refreshes on request take at most one part in so many of the time. */
const REFRESH_SHARE = 5

/**
 * Decides when the due queues are read again. A full refresh reads them from their beginning; the others go on from the
 * one before, and miss what was committed late. `runIn` is called when a request has to wait for its time.
 */
export function createRefreshSchedule(
  { deliveryPoll, fullDeliveryPoll }: Deps['timings'],
  runIn: (ms: number) => void,
) {
  let endedAt = Number.NEGATIVE_INFINITY
  let fullAt = Number.NEGATIVE_INFINITY
  let duration = 0
  let isRequested = false

  return {
    request: () => {
      isRequested = true
    },
    /** Begins a refresh if one is due. A refresh that fails is not ended, so the next one is due at once. */
    begin: () => {
      const start = performance.now()
      const age = start - endedAt
      const earliest = Math.max(REQUESTED_POLL_MS, duration * REFRESH_SHARE)
      if (age < deliveryPoll && !(isRequested && age >= earliest)) {
        if (isRequested) runIn(earliest - age)
        return undefined
      }
      isRequested = false
      const isFull = start - fullAt >= fullDeliveryPoll
      const end = () => {
        if (isFull) fullAt = start
        endedAt = performance.now()
        duration = endedAt - start
      }
      return { isFull, end }
    },
  }
}
