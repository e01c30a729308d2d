import { sql } from 'kysely'
import type { Static } from 'typebox'
import { csvTable, csvText } from '../../../lib/csv.ts'
import { type Db, FIRST_ID, LAST_ID } from '../../../lib/db/database.ts'
import { type IndexRange, isInRange, orderOfRange } from '../../../lib/db/index-range.ts'
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

/**
 * Reads the ids of the posts of a period, in the order of their times: the planned ones, and those that an approval would
 * plan. All of them at once, so that a post that is moved while the file is sent is in it once.
 */
async function idsOfPeriod(db: Db, workspace_id: string, { from, to }: Static<typeof ExportPostsQuery>) {
  // Sent as dates, because PostgreSQL refuses the text of a time in the year 0.
  const [first, end] = [from ? new Date(from) : '-infinity', to ? new Date(to) : 'infinity']
  const inPeriod = (time: string) =>
    isInRange({
      columns: ['post.workspace_id', time, 'post.id'],
      ...{ low: [workspace_id, first, FIRST_ID], high: [workspace_id, end, FIRST_ID], direction: 'asc' },
    })
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, scheduled_at as time from post where ${inPeriod('post.scheduled_at')} and deleted_at is null
      union all
      select id, review_scheduled_at from post where ${inPeriod('post.review_scheduled_at')}
        and review_scheduled_at is not null and scheduled_at is null and deleted_at is null
    ) as planned order by time, id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Reads the ids of the next `BATCH` posts of a workspace after one of them, in the order of creation. */
async function nextIds(db: Db, workspace_id: string, after: string) {
  const range: IndexRange = {
    columns: ['post.workspace_id', 'post.id'],
    ...{ low: [workspace_id, after], high: [workspace_id, LAST_ID], direction: 'asc' },
  }
  const { rows } = await sql<{ id: string }>`
    select id from post where ${isInRange(range)} order by ${orderOfRange(range)} limit ${BATCH}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Yields the ids of the exported posts in batches, in the order of the file. */
async function* idBatches(db: Db, workspace_id: string, query: Static<typeof ExportPostsQuery>) {
  if (query.from === undefined && query.to === undefined) {
    let ids = await nextIds(db, workspace_id, FIRST_ID)
    for (; ids.length > 0; ids = await nextIds(db, workspace_id, ids.at(-1) ?? LAST_ID)) yield ids
    return
  }
  const ids = await idsOfPeriod(db, workspace_id, query)
  for (let begin = 0; begin < ids.length; begin += BATCH) yield ids.slice(begin, begin + BATCH)
}

async function readRows(db: Db, ids: readonly string[]) {
  const { rows } = await sql<Row>`
    select id, content, first_comment, labels, media_ids, status, is_idea, review,
      coalesce(scheduled_at, review_scheduled_at) as time,
      array(select a.network || ':' || a.handle from post_target t join account a on a.id = t.account_id
        where t.post_id = post.id order by t.position) as accounts,
      array(select coalesce(m.alt, '') from unnest(media_ids) with ordinality as listed (media_id, place)
        left join media m on m.id = media_id order by place) as alts,
      (select min(published_at) from post_target where post_id = post.id) as published_at,
      array(select url from post_target where post_id = post.id and url is not null order by position) as urls,
      array(select metrics from post_metrics join post_target t on t.id = target_id where t.post_id = post.id) as metrics
    from post where id = any(${ids}::uuid[]) and deleted_at is null
    order by array_position(${ids}::uuid[], id)`.execute(db)
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
  for await (const ids of idBatches(db, workspace_id, query)) {
    const rows = await readRows(db, ids)
    yield lines(
      rows.map((row) => ({
        ...row,
        date: row.time ? wallOf(row.time).slice(0, 10) : '',
        clock: row.time ? wallOf(row.time).slice(11, 16) : '',
        timezone: row.time ? timezone : '',
        total: sumOf(row.metrics),
      })),
    )
  }
}
