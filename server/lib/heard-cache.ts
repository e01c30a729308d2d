import { LRUCache } from 'lru-cache'
import type { Pulse } from './pulse.ts'
import type { Soon } from './soon.ts'

/** For what no announcement tells: a row that was changed by hand is believed no longer than this. */
const FRESH_MS = 15_000

/**
 * Rows that every call needs, kept in this process. `read` is asked when a row is not kept, or when the pulse is not
 * heard, because then a revocation would not be either. An announcement empties all of them: these are rare acts.
 */
export function heardCache<Row extends object>(pulse: Pulse) {
  const rows = new LRUCache<string, Row>({ max: 10_000, ttl: FRESH_MS, ttlResolution: 100 })
  let epoch = 0
  pulse.onInvalid(() => {
    epoch++
    rows.clear()
  })
  async function readAndKeep(key: string, read: () => Promise<Row | undefined>) {
    const asOf = epoch
    const row = await read()
    // What was read before the latest announcement may be what it was about.
    if (row && asOf === epoch) rows.set(key, row)
    return row
  }
  return (key: string, read: () => Promise<Row | undefined>): Soon<Row | undefined> =>
    (pulse.isHeard() && rows.get(key)) || readAndKeep(key, read)
}
