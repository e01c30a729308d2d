import { sql } from 'kysely'
import type { Gauge } from './meter.ts'

/** Plans state it already. It stays 0 until Meydan keeps files. */
export const storage: Gauge = {
  meter: 'storage_mb',
  kind: 'gauge',
  count: () => sql<number>`0`,
  allows: (limit) => `${limit} MB of files`,
  hint: 'Delete files that you no longer need',
}
