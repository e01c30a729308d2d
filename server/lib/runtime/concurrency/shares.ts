import { problem } from '../../../errors.ts'
import type { MaybePromise } from './maybe-promise.ts'

/**
 * Divides `total` shares of each key among the work of that key. Work that finds too few shares left waits in order of
 * arrival. When `maxWaiting` of a key are waiting, further work is rejected. Keeps nothing for keys without work.
 */
export function createShares(total: number, maxWaiting: number) {
  const keys = new Map<string, { taken: number; waiting: { shares: number; begin: () => void }[] }>()

  return {
    /** Takes shares, at once or when it is the turn of this work. */
    take(key: string, shares: number): MaybePromise<void> {
      const use = keys.get(key)
      if (!use) {
        keys.set(key, { taken: shares, waiting: [] })
        return
      }
      if (use.waiting.length === 0 && use.taken + shares <= total) {
        use.taken += shares
        return
      }
      if (use.waiting.length >= maxWaiting)
        throw problem('too_many_requests', {
          detail: 'Too many concurrent requests of this kind. Try again in a second.',
          retryAfter: 1,
        })
      return new Promise((begin) => use.waiting.push({ shares, begin }))
    },

    giveBack(key: string, shares: number) {
      const use = keys.get(key)
      if (!use) return
      use.taken -= shares
      for (let next = use.waiting[0]; next && use.taken + next.shares <= total; next = use.waiting[0]) {
        use.waiting.shift()
        use.taken += next.shares
        next.begin()
      }
      if (use.taken === 0) keys.delete(key)
    },
  }
}

export type Shares = ReturnType<typeof createShares>
