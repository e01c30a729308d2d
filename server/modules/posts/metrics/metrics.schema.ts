import { Type } from 'typebox'
import { idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { MetricsError, PostMetrics, PostMetricsSum, PostReading } from '../../networks/metrics.schema.ts'
import { NetworkId } from '../../networks/networks.schema.ts'

export const TargetMetrics = Type.Object(
  {
    account_id: idOf('account', 'Id of the account on which it was published.'),
    network: NetworkId,
    state: Type.Enum(['unsupported', 'planned', 'read', 'absent'], {
      type: 'string',
      description:
        '`unsupported`: there are none, because the network reports none of posts or the post is not published there. `planned`: they are read at `next_read_at`. `read`: they are those of `read_at`. `absent`: the network no longer has the post, and the numbers are the last ones.',
    }),
    metrics: PostMetrics,
    read_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time of the numbers. Null until the first reading.' }),
    ),
    next_read_at: nullable(
      Type.Unsafe<Date>({
        ...Time,
        description:
          'Time of the next reading. Posts are read often in their first days and then seldom, for 90 days. Null after the last.',
      }),
    ),
    error: MetricsError,
    history: Type.Array(PostReading, { maxItems: 100, description: 'The readings, oldest first.' }),
  },
  { title: 'TargetMetrics' },
)

export const MetricsOfPost = Type.Object(
  {
    post_id: idOf('post'),
    total: PostMetricsSum,
    targets: Type.Array(TargetMetrics, { maxItems: 50, description: 'The numbers on each account.' }),
  },
  { title: 'MetricsOfPost' },
)
