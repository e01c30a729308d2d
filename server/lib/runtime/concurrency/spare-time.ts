import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'

/** Time over which is measured how busy this process is. */
const MEASURED_MS = 100
/** Share of that time in which it may be busy. A process that gets no CPU counts as busy. */
const MAX_BUSY = 0.6
const MAX_WAIT_MS = 3000

/**
 * Waits until this process has time to spare, for work that nobody waits for. Resolves after `maxWait` milliseconds, three
 * seconds if not given, even if it stays busy, so that such work always goes on.
 */
export async function spareTime(maxWait = MAX_WAIT_MS) {
  for (let waited = 0; waited < maxWait; waited += MEASURED_MS) {
    const before = performance.eventLoopUtilization()
    await setTimeout(MEASURED_MS)
    if (performance.eventLoopUtilization(before).utilization <= MAX_BUSY) return
  }
}
