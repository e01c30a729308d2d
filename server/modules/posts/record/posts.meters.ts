import { sql } from 'kysely'
import type { Gauge, MonthlyMeter } from '../../usage/meter.ts'

export const postsPerMonth: MonthlyMeter = {
  meter: 'posts_per_month',
  kind: 'monthly',
  allows: (limit) => `${limit} ${limit === 1 ? 'post' : 'posts'} a month`,
}

export const scheduledPosts: Gauge = {
  meter: 'scheduled_posts_max',
  kind: 'gauge',
  // A post that is due no longer counts, because it is being published.
  count: (workspace_id, now) => sql`(select count(*)::int from post
    where workspace_id = ${workspace_id} and status = 'scheduled' and scheduled_at > ${now} and deleted_at is null)`,
  allows: (limit) => `${limit} scheduled ${limit === 1 ? 'post' : 'posts'} at a time`,
  hint: 'Wait until one is published, or make one a draft',
}
