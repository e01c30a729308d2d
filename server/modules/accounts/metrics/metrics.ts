import { sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import { notFound } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { errorOf, everyAccountMetric, everySum, summedMetrics } from '../../networks/metrics.schema.ts'
import type { AccountMetrics, PostMetrics } from '../../networks/metrics.ts'

const readRow = (db: Db, { workspace_id }: Member, id: string) =>
  db
    .selectFrom('account')
    .leftJoin('account_metrics as read', 'read.account_id', 'account.id')
    .select(['account.id', 'read.account_id', 'read_at', 'due_at', 'error_code', 'error_message'])
    .select(sql<AccountMetrics>`coalesce(read.metrics, '{}')`.as('metrics'))
    .where('account.id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

const daysOf = (db: Db, account_id: string, since: string) =>
  db
    .selectFrom('account_metrics_day')
    .select([sql<string>`day::text`.as('day'), sql<AccountMetrics>`metrics`.as('metrics')])
    .where('account_id', '=', account_id)
    .where('day', '>=', sql<Date>`${since}::date`)
    .orderBy('day')
    .execute()

/** A sum of each number over the posts that have it. */
const sums = sql<PostMetrics>`json_strip_nulls(json_build_object(${sql.join(
  summedMetrics.flatMap((name) => [sql.lit(name), sql`sum((read.metrics->>${sql.lit(name)})::bigint)`]),
)}))`

/** The posts that were published since, with the sums of their last numbers. */
const publishedSince = (db: Db, account_id: string, since: Date) =>
  db
    .selectFrom('post_target')
    .leftJoin('post_metrics as read', 'read.target_id', 'post_target.id')
    .select([
      sql<number>`count(*)::int`.as('posts'),
      sql<number>`count(read.read_at)::int`.as('read_posts'),
      sql<number>`count(read.due_at) filter (where read.read_at is null)::int`.as('unread_posts'),
      sql<Date | null>`min(read.due_at) filter (where read.read_at is null)`.as('next_read_at'),
      sums.as('metrics'),
    ])
    .where('post_target.account_id', '=', account_id)
    .where('post_target.status', '=', 'published')
    .where('published_at', '>=', since)
    .executeTakeFirstOrThrow()

/** The numbers of an account, from the last readings. No network is called. */
export async function readMetricsOfAccount(
  { db, clock }: Pick<Deps, 'clock'> & { db: Db },
  caller: Member,
  id: string,
  days: number,
) {
  const account = await readRow(db, caller, id)
  if (!account) throw notFound()
  const { read_at, due_at, metrics } = account
  const isSupported = account.account_id !== null && (due_at !== null || read_at !== null)
  const since = new Date(clock.now().getTime() - (days - 1) * DAY).toISOString().slice(0, 10)
  const read = await daysOf(db, account.id, since)
  const published = await publishedSince(db, account.id, new Date(since))
  return {
    account_id: account.id,
    state: isSupported ? (read_at === null ? ('planned' as const) : ('read' as const)) : ('unsupported' as const),
    metrics: everyAccountMetric(metrics),
    read_at,
    next_read_at: due_at,
    error: errorOf(account),
    days: read.map((each) => ({ day: each.day, ...everyAccountMetric(each.metrics) })),
    published: { ...published, metrics: everySum(published.metrics) },
  }
}
