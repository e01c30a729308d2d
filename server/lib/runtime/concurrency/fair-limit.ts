/**
 * Runs at most `max` pieces of work at a time, and at most `maxPerKey` of one key: by default one less than `max`, so that
 * work of another key can begin at once. Keys with waiting work take turns. Keeps nothing for keys without work.
 */
export function limitFairly(max: number, maxPerKey = Math.max(1, max - 1)) {
  /** Keys in the order of their turns. */
  const keys = new Map<string, { running: number; waiting: (() => void)[] }>()
  let running = 0

  function beginNext() {
    for (const [key, use] of keys) {
      if (running === max) return
      const begin = use.running < maxPerKey ? use.waiting.shift() : undefined
      if (!begin) continue
      running++
      use.running++
      // Its next turn comes after all others. The loop finds it at the end.
      keys.delete(key)
      keys.set(key, use)
      begin()
    }
  }

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const use = keys.get(key) ?? { running: 0, waiting: [] }
    keys.set(key, use)
    await new Promise<void>((begin) => {
      use.waiting.push(begin)
      beginNext()
    })
    try {
      return await work()
    } finally {
      running--
      use.running--
      keys.delete(key)
      if (use.running > 0 || use.waiting.length > 0) keys.set(key, use)
      beginNext()
    }
  }
}
