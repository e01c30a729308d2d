import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import { csvTable, csvText } from '../../../lib/csv.ts'
import { type Db, FIRST_ID, LAST_ID } from '../../../lib/db/database.ts'
import { type IndexRange, isInRange, orderOfRange, rangeAfter } from '../../../lib/db/index-range.ts'
import { cursorTime } from '../../../lib/db/page.ts'
import type { Member } from '../../../lib/http/access.ts'
import { clockOf } from '../../../lib/wall-clock.ts'
import { summedMetrics, sumOf } from '../../networks/metrics.schema.ts'
import type { PostMetrics } from '../../networks/metrics.ts'
import type { ExportPostsQuery } from './imports.schema.ts'

/** Posts of one read, few, because texts may be long. */
const BATCH = 100

type Row = {
  id: string
  content: string
  first_comment: string | null
  labels: string[]
  media_ids: string[]
  status: string
  is_idea: boolean
  review: string
  time: Date | null
  accounts: string[]
  alts: string[]
  published_at: Date | null
  urls: string[]
  metrics: PostMetrics[]
}

type Shown = Row & { date: string; clock: string; timezone: string; total: ReturnType<typeof sumOf> }

/** The columns of the template, so that the file can be imported again. An import ignores those that follow them. */
const table = csvTable<Shown>({
  date: ({ date }) => date,
  time: ({ clock }) => clock,
  timezone: ({ timezone }) => timezone,
  accounts: ({ accounts }) => csvText(accounts.join(', ')),
  text: ({ content }) => csvText(content),
  media: ({ media_ids }) => media_ids.join(' '),
  alt: ({ alts }) => csvText(alts.join(' | ')),
  first_comment: ({ first_comment }) => csvText(first_comment),
  labels: ({ labels }) => csvText(labels.join(', ')),
  status: ({ status, review, is_idea }) => (is_idea ? 'idea' : review === 'pending' ? 'review' : status),
  published_at: ({ published_at }) => published_at?.toISOString(),
  published_urls: ({ urls }) => csvText(urls.join(' ')),
  ...Object.fromEntries(summedMetrics.map((name) => [name, ({ total }: Shown) => total[name]?.toString()])),
})

/** The place of a post in the file. Without a time where the posts are in the order of their ids. */
type Place = { place: string | null; id: string }

/** A part of an index that has posts in the order of the file, and the condition of the index. */
type Source = { range: IndexRange; time?: string; isListed: RawBuilder<unknown> }

/** All posts of a workspace, or those with a time in a period: the planned ones, and those whose approval would plan them. */
function sourcesOf(workspace_id: string, { from, to }: Static<typeof ExportPostsQuery>): Source[] {
  if (from === undefined && to === undefined) {
    const columns = ['post.workspace_id', 'post.id']
    const [low, high] = [
      [workspace_id, FIRST_ID],
      [workspace_id, LAST_ID],
    ]
    return [{ range: { columns, low, high, direction: 'asc' }, isListed: sql`true` }]
  }
  const byTime = (time: string, isListed: RawBuilder<unknown>): Source => ({
    ...{ time, isListed },
    range: {
      columns: ['post.workspace_id', time, 'post.id'],
      // Sent as dates, because PostgreSQL refuses the text of a time in the year 0.
      low: [workspace_id, from ? new Date(from) : '-infinity', FIRST_ID],
      high: [workspace_id, to ? new Date(to) : 'infinity', FIRST_ID],
      direction: 'asc',
    },
  })
  const isUnplanned = sql`post.scheduled_at is null and post.review_scheduled_at is not null`
  return [byTime('post.scheduled_at', sql`true`), byTime('post.review_scheduled_at', isUnplanned)]
}

async function readRows(db: Db, workspace_id: string, query: Static<typeof ExportPostsQuery>, after?: Place) {
  const listed = sourcesOf(workspace_id, query).map(({ range: all, time, isListed }) => {
    const range = after ? rangeAfter(all, [workspace_id, ...(after.place ? [after.place] : []), after.id]) : all
    return sql`(select post.id, ${time ? sql.ref(time) : sql`null::timestamptz`} as place from post
      where ${isInRange(range)} and ${isListed} and post.deleted_at is null order by ${orderOfRange(range)} limit ${BATCH})`
  })
  const { rows } = await sql<Row & Place>`
    select id, content, first_comment, labels, media_ids, status, is_idea, review,
      coalesce(scheduled_at, review_scheduled_at) as time, ${cursorTime('place')} as place,
      array(select a.network || ':' || a.handle from post_target t join account a on a.id = t.account_id
        where t.post_id = post.id order by t.position) as accounts,
      array(select coalesce(m.alt, '') from unnest(media_ids) with ordinality as listed (media_id, place)
        left join media m on m.id = media_id order by listed.place) as alts,
      (select min(published_at) from post_target where post_id = post.id) as published_at,
      array(select url from post_target where post_id = post.id and url is not null order by position) as urls,
      array(select metrics from post_metrics join post_target t on t.id = target_id where t.post_id = post.id) as metrics
    from (${sql.join(listed, sql` union all `)}) as listed join post using (id)
    order by listed.place, id limit ${BATCH}`.execute(db)
  return rows
}

/**
 * The posts of a workspace as CSV, the oldest first; those of a period in the order of their times. They are read in
 * batches while they are sent.
 */
export async function* exportPosts(db: Db, { workspace_id }: Member, query: Static<typeof ExportPostsQuery>) {
  const { timezone } = await db
    .selectFrom('workspace')
    .select('timezone')
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow()
  const clock = clockOf(timezone)
  const wallOf = (time: Date) => new Date(clock(time.getTime())).toISOString()
  const { header, lines } = table(query.separator)
  yield header
  for (let after: Place | undefined; ; ) {
    const rows = await readRows(db, workspace_id, query, after)
    yield lines(
      rows.map((row) => ({
        ...row,
        date: row.time ? wallOf(row.time).slice(0, 10) : '',
        clock: row.time ? wallOf(row.time).slice(11, 16) : '',
        timezone: row.time ? timezone : '',
        total: sumOf(row.metrics),
      })),
    )
    if (rows.length < BATCH) return
    after = rows.at(-1)
  }
}
