import { sql } from 'kysely'
import { type Reading, secondsSince } from '../../../lib/runtime/installation-metrics.ts'

export const mailBacklog: Reading = {
  query: sql`
    select count(*) as mails_queued, ${secondsSince(sql`min(created_at)`)} as mails_oldest_seconds
    from mail where state = 'queued'`,
  gauges: {
    mails_queued: 'Mails that wait to be sent.',
    mails_oldest_seconds: 'Time for which the oldest mail that is not sent has waited.',
  },
}
