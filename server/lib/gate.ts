import { problem } from '../errors.ts'

/**
 * Lets `size` pieces of work run at a time; the others wait in the order they came. When `places` of them wait, the
 * next is turned away.
 */
export function gate(size: number, places = Number.POSITIVE_INFINITY) {
  let free = size
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free--
    else if (waiting.length < places) await new Promise<void>((resolve) => waiting.push(resolve))
    else
      throw problem('too_many_requests', { detail: 'Too many of these at once. Try again in a second.', retryAfter: 1 })
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
