import { sql } from 'kysely'

/**
 * When a post is changed: later than ever before, also when two changes fall into one millisecond. By it, who keeps a
 * copy knows which of two is the newer.
 */
export const changedAt = (now: Date) => sql<Date>`greatest(updated_at + interval '1 ms', ${now}::timestamptz)`
