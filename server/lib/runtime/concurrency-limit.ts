import { problem } from '../../errors.ts'

/**
 * Runs at most `max` pieces of work at a time. Others wait in order of arrival. When `maxQueued` are waiting, further
 * calls are rejected.
 */
export function limitConcurrency(max: number, maxQueued = Number.POSITIVE_INFINITY) {
  let free = max
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free--
    else if (waiting.length < maxQueued) await new Promise<void>((resolve) => waiting.push(resolve))
    else
      throw problem('too_many_requests', {
        detail: 'Too many concurrent requests of this kind. Try again in a second.',
        retryAfter: 1,
      })
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/** Like `limitConcurrency`, for each key on its own. Keeps nothing for keys without work. */
export function limitConcurrencyPerKey(max: number, maxQueued: number) {
  const limits = new Map<string, { run: ReturnType<typeof limitConcurrency>; open: number }>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const limit = limits.get(key) ?? { run: limitConcurrency(max, maxQueued), open: 0 }
    limits.set(key, limit)
    limit.open++
    try {
      return await limit.run(work)
    } finally {
      limit.open--
      if (limit.open === 0) limits.delete(key)
    }
  }
}

export type ConcurrencyLimitPerKey = ReturnType<typeof limitConcurrencyPerKey>
