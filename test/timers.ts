import { onTestFinished, vi } from 'vitest'

const LONGEST_MS = 2 ** 31 - 1

type Timer = Parameters<typeof clearTimeout>[0]

/**
 * Holds the timers with this delay for the rest of the test: those of `setTimeout` and `setInterval`, and the signals of
 * `AbortSignal.timeout`. They fire on `expire`, so that time passes when the test says so, however slow the machine is.
 * Timers with other delays go on: the connections of the test need theirs.
 */
export function holdTimers(delay: number) {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis
  const { timeout } = AbortSignal
  const held = new Map<Timer, { run: () => void; isRepeated: boolean }>()
  let started = 0
  const hold = (run: () => void, isRepeated = false) => {
    started++
    // A real timer, for its methods. Nothing waits until it ends.
    const timer = setTimeout(() => undefined, LONGEST_MS).unref()
    const { refresh } = timer
    timer.refresh = () => {
      started++
      return refresh.call(timer)
    }
    held.set(timer, { run, isRepeated })
    return timer
  }
  const set = <Args extends unknown[]>(run: (...args: Args) => void, ms?: number, ...args: Args) =>
    ms === delay ? hold(() => run(...args)) : setTimeout(run, ms, ...args)
  const repeat = <Args extends unknown[]>(run: (...args: Args) => void, ms?: number, ...args: Args) =>
    ms === delay ? hold(() => run(...args), true) : setInterval(run, ms, ...args)
  /** Ends both kinds, as in Node. */
  const clear = (timer: Timer) => {
    held.delete(timer)
    clearTimeout(timer)
  }
  const abortLater = (ms: number) => {
    if (ms !== delay) return timeout.call(AbortSignal, ms)
    const controller = new AbortController()
    hold(() => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')))
    return controller.signal
  }
  // Assigned, because a test may hold several delays, and a function is spied on only once.
  globalThis.setTimeout = Object.assign(set, setTimeout)
  globalThis.setInterval = Object.assign(repeat, setInterval)
  globalThis.clearTimeout = clear
  globalThis.clearInterval = clear
  AbortSignal.timeout = abortLater
  onTestFinished(() => {
    Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval })
    AbortSignal.timeout = timeout
  })
  return {
    /** The number of timers that run now. */
    count: () => held.size,
    /** The number of timers that were started so far. Starting one again counts too. */
    started: () => started,
    /** Fires the timers that run now. Those of `setInterval` go on. */
    expire: () => {
      for (const [timer, { run, isRepeated }] of [...held]) {
        if (!isRepeated) clear(timer)
        run()
      }
    },
  }
}

/** Stops `performance.now` for the rest of the test, and returns a function that advances it. */
export function stopPerformanceClock() {
  // Whole, so that sums and differences are exact.
  let now = Math.ceil(performance.now())
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => void spy.mockRestore())
  return (ms: number) => {
    now += ms
  }
}
