import { sql } from 'kysely'
import type { Static } from 'typebox'
import { csvTable, csvText } from '../../../lib/csv.ts'
import { type Db, FIRST_ID } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'
import { clockOf } from '../../../lib/wall-clock.ts'
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
}

type Shown = Row & { date: string; clock: string; timezone: string }

/** The columns of the template, so that the file can be imported again. */
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
})

const readRows = async (db: Db, workspace_id: string, after: string, { from, to }: Static<typeof ExportPostsQuery>) => {
  // Sent as dates, because PostgreSQL refuses the text of a time in the year 0.
  const [first, end] = [from ? new Date(from) : '-infinity', to ? new Date(to) : 'infinity']
  const { rows } = await sql<Row>`
    select id, content, first_comment, labels, media_ids, status, is_idea, review, time,
      array(select a.network || ':' || a.handle from post_target t join account a on a.id = t.account_id
        where t.post_id = post.id order by t.position) as accounts,
      array(select coalesce(m.alt, '') from unnest(media_ids) with ordinality as listed (media_id, place)
        left join media m on m.id = media_id order by place) as alts
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
      })),
    )
    if (rows.length < BATCH) return
    after = rows.at(-1)?.id ?? after
  }
}
