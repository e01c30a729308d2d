import { problem } from '../../errors.ts'

/**
 * Runs at most `max` pieces of work of a key at a time. Others wait in order of arrival. When `maxQueued` of a key are
 * waiting, further calls are rejected. Keeps nothing for keys without work.
 */
export function limitConcurrencyPerKey(max: number, maxQueued = Number.POSITIVE_INFINITY) {
  const running = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()

  function waitForTurn(key: string) {
    const queue = waiting.get(key) ?? []
    if (queue.length >= maxQueued)
      throw problem('too_many_requests', {
        detail: 'Too many concurrent requests of this kind. Try again in a second.',
        retryAfter: 1,
      })
    waiting.set(key, queue)
    return new Promise<void>((resolve) => queue.push(resolve))
  }

  function passOn(key: string) {
    const queue = waiting.get(key)
    const next = queue?.shift()
    if (queue?.length === 0) waiting.delete(key)
    if (next) return next()
    const left = (running.get(key) ?? 1) - 1
    if (left > 0) running.set(key, left)
    else running.delete(key)
  }

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const count = running.get(key) ?? 0
    if (count < max) running.set(key, count + 1)
    else await waitForTurn(key)
    try {
      return await work()
    } finally {
      passOn(key)
    }
  }
}

/** Like `limitConcurrencyPerKey`, for all work together. */
export function limitConcurrency(max: number, maxQueued?: number) {
  const limit = limitConcurrencyPerKey(max, maxQueued)
  return <T>(work: () => Promise<T>) => limit('', work)
}
