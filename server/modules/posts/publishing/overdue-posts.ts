import { sql } from 'kysely'
import { type Reading, secondsSince } from '../../../lib/runtime/installation-metrics.ts'

/** Also counts posts that wait for a limit of their network. */
export const overduePosts: Reading = {
  query: sql`
    select count(*) as posts_overdue, ${secondsSince(sql`min(scheduled_at)`)} as posts_oldest_overdue_seconds
    from post where status in ('scheduled', 'publishing') and deleted_at is null and held is null
      and scheduled_at < now() - interval '1 minute'`,
  gauges: {
    posts_overdue: 'Posts whose scheduled time passed more than a minute ago, and that are not published.',
    posts_oldest_overdue_seconds: 'Time since the scheduled time of the oldest of them.',
  },
}
