export type Timers = ReturnType<typeof createTimers>

/** Everything that falls due at the providers, run in the order of its time, with the clock standing at that time. */
export function createTimers(now: () => Date) {
  const timers = new Map<string, { at: number; run: () => void }>()
  let ahead = 0
  let running: number | undefined

  const time = () => running ?? now().getTime() + ahead
  const earliest = () =>
    [...timers].reduce<{ key: string; at: number; run: () => void } | undefined>(
      (first, [key, timer]) => (first && first.at <= timer.at ? first : { key, ...timer }),
      undefined,
    )

  /** Runs everything that is due by now. A timer that runs may set others, which run too when they are due. */
  function catchUp() {
    if (running !== undefined) return
    const until = time()
    for (let next = earliest(); next && next.at <= until; next = earliest()) {
      timers.delete(next.key)
      running = next.at
      try {
        next.run()
      } finally {
        running = undefined
      }
    }
  }

  return {
    /** Milliseconds. While a timer runs, the time for which it was set. */
    time,
    /** Sets or replaces the timer of this key. */
    set: (key: string, at: number, run: () => void) => {
      timers.delete(key)
      timers.set(key, { at, run })
    },
    clear: (key: string) => timers.delete(key),
    catchUp,
    /** Moves the providers ahead of the clock that they were given. */
    moveAhead: (ms: number) => {
      ahead += ms
      catchUp()
    },
    nextDue: () => {
      const next = earliest()
      return next ? new Date(next.at) : null
    },
  }
}

export type Interval = 'day' | 'week' | 'month' | 'year'

const DAY = 86_400_000

/** The time `count` intervals after the anchor. A day that the month does not have becomes its last: 31 January, 28 February, 31 March. */
function after(anchor: number, interval: Interval, count: number) {
  if (interval === 'day') return anchor + count * DAY
  if (interval === 'week') return anchor + 7 * count * DAY
  const date = new Date(anchor)
  const month = date.getUTCMonth() + count * (interval === 'year' ? 12 : 1)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate()
  return new Date(anchor).setUTCFullYear(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), lastDay))
}

/** The end of the period that begins at `start`, counted from the anchor. */
export function periodEnd(anchor: number, start: number, interval: Interval, count: number) {
  for (let n = count; ; n += count) {
    const end = after(anchor, interval, n)
    if (end > start) return end
  }
}
