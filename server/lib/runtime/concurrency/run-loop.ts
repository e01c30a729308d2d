export type RunLoop = ReturnType<typeof createRunLoop>

/**
 * Runs `work` on request, never twice at the same time. A request during a run causes one more run afterwards. `work`
 * requests another run by returning true. After an error, the next run needs a new request.
 *
 * `gather` collects requests that may wait: `gatherCount` of them start a run at once, fewer after `gatherMs`.
 */
export function createRunLoop({
  work,
  onError,
  gatherMs,
  gatherCount,
}: {
  work: () => Promise<boolean>
  onError: (error: unknown) => void
  gatherMs: number
  gatherCount: number
}) {
  let timer: NodeJS.Timeout | undefined
  let gathered = 0
  let isRequested = false
  let isRunning = false
  let isStopped = false
  let lastRun: Promise<void> | undefined

  async function runWhileRequested() {
    try {
      while (isRequested && !isStopped) {
        isRequested = false
        gathered = 0
        if (await work()) isRequested = true
      }
    } catch (error) {
      if (!isStopped) onError(error)
    } finally {
      isRunning = false
    }
  }

  /** Runs at once, or again after the run in progress. */
  const run = () => {
    clearTimeout(timer)
    timer = undefined
    isRequested = true
    if (isStopped || isRunning) return
    isRunning = true
    lastRun = runWhileRequested()
  }
  /** Runs in `ms`. Keeps a run that is already scheduled. */
  const runIn = (ms: number) => {
    if (!isStopped) timer ??= setTimeout(run, ms)
  }

  return {
    run,
    runIn,
    /** Runs in `gatherMs` at the latest. */
    runSoon: () => runIn(gatherMs),
    /** Adds `count` requests to the collected ones. */
    gather: (count: number) => {
      gathered += count
      if (gathered >= gatherCount) run()
      else runIn(gatherMs)
    },
    isStopped: () => isStopped,
    /** Starts no further run. Resolves when the one in progress has ended. */
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await lastRun
    },
  }
}
