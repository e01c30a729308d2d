import { sql } from 'kysely'
import type { Static } from 'typebox'
import { csvTable, csvText } from '../../../lib/csv.ts'
import { type Db, FIRST_ID } from '../../../lib/db/database.ts'
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

const readRows = async (db: Db, workspace_id: string, after: string, { from, to }: Static<typeof ExportPostsQuery>) => {
  // Sent as dates, because PostgreSQL refuses the text of a time in the year 0.
  const [first, end] = [from ? new Date(from) : '-infinity', to ? new Date(to) : 'infinity']
  const { rows } = await sql<Row>`
    select id, content, first_comment, labels, media_ids, status, is_idea, review, time,
      array(select a.network || ':' || a.handle from post_target t join account a on a.id = t.account_id
        where t.post_id = post.id order by t.position) as accounts,
      array(select coalesce(m.alt, '') from unnest(media_ids) with ordinality as listed (media_id, place)
        left join media m on m.id = media_id order by place) as alts,
      (select min(published_at) from post_target where post_id = post.id) as published_at,
      array(select url from post_target where post_id = post.id and url is not null order by position) as urls,
      array(select metrics from post_metrics join post_target t on t.id = target_id where t.post_id = post.id) as metrics
    from post cross join lateral (select coalesce(scheduled_at, review_scheduled_at) as time) as planned
    where workspace_id = ${workspace_id} and deleted_at is null and id > ${after}
      and (${from === undefined && to === undefined} or (time >= ${first}::timestamptz and time < ${end}::timestamptz))
    order by id limit ${BATCH}`.execute(db)
  return rows
}

/** The posts of a workspace as CSV, the oldest first. They are read in batches while they are sent. */
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
  for (let after = FIRST_ID; ; ) {
    const rows = await readRows(db, workspace_id, after, query)
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
    after = rows.at(-1)?.id ?? after
  }
}
