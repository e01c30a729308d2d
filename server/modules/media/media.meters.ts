import { sql } from 'kysely'
import type { Gauge } from '../usage/meter.ts'

/** Bytes that the plan counts as one MB. */
const MB = 1_000_000

export const megabytes = (bytes: number) => Math.ceil(bytes / MB)

/** Deleted files count until they are erased, and resumable uploads from their beginning. */
export const storage: Gauge = {
  meter: 'storage_mb',
  kind: 'gauge',
  count: (workspace_id) => sql<number>`ceil((
    (select coalesce(sum(bytes), 0) from media where workspace_id = ${workspace_id})
    + (select coalesce(sum(bytes), 0) from media_upload where workspace_id = ${workspace_id} and media_id is null)
  ) / ${sql.lit(MB)}::numeric)::int`,
  allows: (limit) => `${limit} MB of files`,
  hint: 'Delete files that you no longer need. They count for a day, unless you erase them at once',
}
