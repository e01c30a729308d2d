import { LRUCache } from 'lru-cache'
import type { MaybePromise } from '../concurrency/maybe-promise.ts'
import type { InvalidationBus, InvalidationKind } from './invalidation-bus.ts'

/** Maximum age of a cached row, for changes without an announcement, such as manual ones. */
const MAX_AGE_MS = 15_000

/** Reads of all caches of this process so far, for metrics. */
export const cacheReads = { hits: 0, misses: 0 }

/**
 * Caches rows that every call needs, in this process. `read` runs when a row is not cached, and while the invalidation
 * bus is not connected, because a revocation could be missed then. An announcement clears the whole cache, since
 * announcements are rare; with `kind`, only an announcement of that kind does.
 */
export function createInvalidatedCache<Row extends object>(
  invalidationBus: Pick<InvalidationBus, 'isConnected' | 'onInvalidate'>,
  kind?: InvalidationKind,
) {
  // Reserves the memory of all rows, so it is created with the first one.
  let rows: LRUCache<string, Row> | undefined
  let epoch = 0
  invalidationBus.onInvalidate((message) => {
    if (kind !== undefined && message !== undefined && message !== kind) return
    epoch++
    rows?.clear()
  })
  async function readAndKeep<Found extends Row | undefined>(key: string, read: () => Promise<Found>) {
    const asOf = epoch
    const row = await read()
    // A row read before the latest announcement may be outdated by it.
    if (row && asOf === epoch) {
      rows ??= new LRUCache({ max: 10_000, ttl: MAX_AGE_MS, ttlResolution: 100 })
      rows.set(key, row)
    }
    return row
  }
  return <Found extends Row | undefined>(
    key: string,
    read: () => Promise<Found>,
    { keep = true } = {},
  ): MaybePromise<Row | Found> => {
    const row = invalidationBus.isConnected() ? rows?.get(key) : undefined
    if (row) cacheReads.hits++
    else cacheReads.misses++
    return row ?? (keep ? readAndKeep(key, read) : read())
  }
}
