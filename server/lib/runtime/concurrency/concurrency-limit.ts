import { createShares } from './shares.ts'

/**
 * Runs at most `max` pieces of work of a key at a time. Others wait in order of arrival. When `maxQueued` of a key are
 * waiting, further calls are rejected. Keeps nothing for keys without work.
 */
export function limitConcurrencyPerKey(max: number, maxQueued = Number.POSITIVE_INFINITY) {
  const shares = createShares(max, maxQueued)
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    await shares.take(key, 1)
    try {
      return await work()
    } finally {
      shares.giveBack(key, 1)
    }
  }
}

/** Like `limitConcurrencyPerKey`, for all work together. */
export function limitConcurrency(max: number, maxQueued?: number) {
  const limit = limitConcurrencyPerKey(max, maxQueued)
  return <T>(work: () => Promise<T>) => limit('', work)
}
