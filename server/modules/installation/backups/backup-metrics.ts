import { sql } from 'kysely'
import type { Reading } from '../../../lib/runtime/installation-metrics.ts'

/** Without a verified backup the age is infinite, so that an alert on it fires. */
export const backupReading: Reading = {
  query: sql`
    select
      coalesce((select greatest(0, extract(epoch from now() - started_at))::float8 from backup
        where state = 'verified' and removed_at is null order by id desc limit 1), 'Infinity') as backup_age_seconds,
      coalesce((select bytes from backup
        where state = 'verified' and removed_at is null order by id desc limit 1), 0)::float8 as backup_size_bytes,
      coalesce((select (state = 'verified')::int from backup
        where ended_at is not null order by id desc limit 1), 0) as backup_last_ok`,
  gauges: {
    backup_age_seconds: 'Age of the newest verified backup. +Inf without one.',
    backup_size_bytes: 'Size of the newest verified backup.',
    backup_last_ok: '1 if the last backup was written and verified, else 0.',
  },
}
