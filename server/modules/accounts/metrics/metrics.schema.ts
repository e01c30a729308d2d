import { Type } from 'typebox'
import { Closed, Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { AccountDay, AccountMetrics, MetricsError, PostMetricsSum } from '../../networks/metrics.schema.ts'

const MAX_DAYS = 366

export const MetricsQuery = Closed({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_DAYS,
      default: 30,
      description: 'Number of days, today included. 30 by default.',
      examples: [30],
    }),
  ),
})

export const MetricsOfAccount = Type.Object(
  {
    account_id: idOf('account'),
    state: Type.Enum(['unsupported', 'planned', 'read'], {
      type: 'string',
      description:
        '`unsupported`: the network reports no numbers. `planned`: they are read soon. `read`: they are those of `read_at`.',
    }),
    metrics: AccountMetrics,
    read_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time of the numbers. Null until the first reading.' }),
    ),
    next_read_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time of the next reading. Null if the network reports no numbers.' }),
    ),
    error: MetricsError,
    days: Type.Array(AccountDay, {
      maxItems: MAX_DAYS,
      description: 'The numbers of each day on which they were read, oldest first.',
    }),
    published: Type.Object(
      {
        posts: Count('Number of posts that Meydan published on the account in these days.', 24),
        read_posts: Count('Number of those whose numbers were read.', 23),
        unread_posts: Count('Number of those whose numbers are read for the first time later.', 1),
        next_read_at: nullable(
          Type.Unsafe<Date>({
            ...Time,
            description: 'Time of the next of these first readings. Null if none follows.',
          }),
        ),
        metrics: PostMetricsSum,
      },
      { description: 'Posts that Meydan published in these days, with the sums of their last numbers.' },
    ),
  },
  { title: 'MetricsOfAccount' },
)
