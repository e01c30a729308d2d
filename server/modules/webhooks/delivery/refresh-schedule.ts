/** A refresh is due this often. */
export const IDLE_POLL_MS = 250
/** A requested refresh is due this long after the one before. */
const REQUESTED_POLL_MS = 20
/** Refreshes on request take at most one part in so many of the time. */
const REFRESH_SHARE = 5
/** A full refresh is due this often. The others go on from the one before, and miss what was committed late. */
const FULL_REFRESH_MS = 5000

/** Decides when the due queues are read again. `runIn` is called when a request has to wait for its time. */
export function createRefreshSchedule(runIn: (ms: number) => void) {
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
      if (age < IDLE_POLL_MS && !(isRequested && age >= earliest)) {
        if (isRequested) runIn(earliest - age)
        return undefined
      }
      isRequested = false
      const isFull = start - fullAt >= FULL_REFRESH_MS
      const end = () => {
        if (isFull) fullAt = start
        endedAt = performance.now()
        duration = endedAt - start
      }
      return { isFull, end }
    },
  }
}
