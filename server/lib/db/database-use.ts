import { sql } from 'kysely'
import { type Reading, secondsSince } from '../runtime/installation-metrics.ts'

export const databaseUse: Reading = {
  query: sql`
    select pg_database_size(current_database()) as database_bytes, (
      select ${secondsSince(sql`min(xact_start)`)} from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'
    ) as database_oldest_transaction_seconds`,
  gauges: {
    database_bytes: 'Size of the database.',
    database_oldest_transaction_seconds: 'Age of the oldest open transaction.',
  },
}
