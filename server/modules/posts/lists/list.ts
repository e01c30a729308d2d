import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { type Db, FIRST_ID, LAST_ID } from '../../../lib/db/database.ts'
import type { DB } from '../../../lib/db/database-types.ts'
import { type IndexRange, isInRange, MAX_SCANNED, orderOfRange, rangeAfter } from '../../../lib/db/index-range.ts'
import {
  cursorOf,
  cursorTime,
  cutPage,
  idOfCursor,
  MAX_PAGE_BYTES,
  pageLimit,
  timeAndIdOfCursor,
  untilPageIsFull,
} from '../../../lib/db/page.ts'
import type { Member } from '../../../lib/http/access.ts'
import { storedLabel } from '../../../lib/text.ts'
import { excerpt } from '../record/excerpt.ts'
import { selectPosts } from '../record/select-posts.ts'
import { type TargetWarning, targetWarning } from '../record/target-warning.ts'
import type { PostQuery, PostSummaryQuery } from './list.schema.ts'
import { matches } from './search.ts'

type Query = Static<typeof PostQuery>
type Filter =
  | 'status'
  | 'is_idea'
  | 'review'
  | 'held'
  | 'account_id'
  | 'author_id'
  | 'scheduled_at'
  | 'updated_at'
  | 'search'
/** The place of a post in its list. Without a time where the list is in the order of ids. */
type Key = { time?: string | null; id: string }

/** The index that a list is read from. */
type Source = {
  table: RawBuilder<unknown>
  /** Joins the table with `post`. */
  join: RawBuilder<unknown>
  /** The column with the id of the post. */
  id: RawBuilder<unknown>
  /** The condition of a partial index. */
  isListed: RawBuilder<unknown>
  range: IndexRange
  /** The leading columns of the range, which have one value. */
  prefix: IndexRange['low']
  time?: 'scheduled_at' | 'updated_at'
  /** The filters that the range serves. */
  serves: Filter[]
}

const inPost = { table: sql`post`, join: sql``, id: sql`post.id`, isListed: sql`post.deleted_at is null` }

/** Chooses the index by the filter that leaves the fewest posts. */
function sourceOf(
  workspace_id: string,
  { updated_since, from, to, account_id, author_id, status, is_idea, review, held }: Query,
): Source {
  if (review)
    return {
      ...inPost,
      isListed: sql`post.review <> 'none' and post.deleted_at is null`,
      ...newestFirst(['post.workspace_id', 'post.review', 'post.id'], [workspace_id, review]),
      serves: ['review'],
    }
  if (held)
    return {
      ...inPost,
      isListed: sql`post.held is not null and post.deleted_at is null`,
      ...newestFirst(['post.workspace_id', 'post.held', 'post.id'], [workspace_id, held]),
      serves: ['held'],
    }
  if (updated_since) return byTime('updated_at', workspace_id, new Date(updated_since))
  if (from || to)
    return byTime('scheduled_at', workspace_id, from ? new Date(from) : '-infinity', to ? new Date(to) : 'infinity')
  if (is_idea)
    return {
      ...inPost,
      isListed: sql`post.is_idea and post.deleted_at is null`,
      ...newestFirst(['post.workspace_id', 'post.id'], [workspace_id]),
      serves: ['is_idea'],
    }
  if (account_id) {
    // An account of another workspace has no posts here.
    const account = sql`(select id from account where id = ${account_id} and workspace_id = ${workspace_id})`
    return {
      table: sql`post_target as listed`,
      join: sql`join post on post.id = listed.post_id`,
      id: sql`listed.post_id`,
      isListed: sql`true`,
      ...newestFirst(['listed.account_id', 'listed.post_id'], [account]),
      serves: ['account_id'],
    }
  }
  if (author_id)
    return {
      ...inPost,
      ...newestFirst(['post.workspace_id', 'post.author_id', 'post.id'], [workspace_id, author_id]),
      serves: ['author_id'],
    }
  if (status)
    return {
      ...inPost,
      ...newestFirst(['post.workspace_id', 'post.status', 'post.id'], [workspace_id, status]),
      serves: ['status'],
    }
  return {
    ...inPost,
    // This index has the deleted posts too.
    isListed: sql`true`,
    ...newestFirst(['post.workspace_id', 'post.id'], [workspace_id]),
    serves: [],
  }
}

const newestFirst = (columns: string[], prefix: Source['prefix']): Pick<Source, 'range' | 'prefix'> => ({
  range: { columns, low: [...prefix, FIRST_ID], high: [...prefix, LAST_ID], direction: 'desc' },
  prefix,
})

const byTime = (
  time: 'scheduled_at' | 'updated_at',
  workspace_id: string,
  from: Date | string,
  to: Date | string = 'infinity',
): Source => ({
  ...inPost,
  range: {
    columns: ['post.workspace_id', `post.${time}`, 'post.id'],
    low: [workspace_id, from, FIRST_ID],
    high: [workspace_id, to, FIRST_ID],
    direction: 'asc',
  },
  prefix: [workspace_id],
  time,
  serves: [time],
})

/** The conditions of filters that the source does not serve. */
function filtersOf({ serves }: Source, query: Query) {
  const { status, is_idea, held, account_id, account_group_id, author_id, label, from, to, updated_since, search } =
    query
  const conditions: RawBuilder<SqlBool>[] = []
  if (status && !serves.includes('status')) conditions.push(sql`post.status = ${status}`)
  if (is_idea !== undefined && !serves.includes('is_idea')) conditions.push(sql`post.is_idea = ${is_idea}`)
  if (held && !serves.includes('held')) conditions.push(sql`post.held = ${held}`)
  if (updated_since && !serves.includes('updated_at'))
    conditions.push(sql`post.updated_at >= ${new Date(updated_since)}`)
  if ((from || to) && !serves.includes('scheduled_at'))
    conditions.push(sql`post.scheduled_at >= ${from ? new Date(from) : '-infinity'}::timestamptz
      and post.scheduled_at < ${to ? new Date(to) : 'infinity'}::timestamptz`)
  if (account_id && !serves.includes('account_id'))
    conditions.push(
      sql`exists (select from post_target as t where t.post_id = post.id and t.account_id = ${account_id})`,
    )
  if (account_group_id)
    conditions.push(sql`exists (select from post_target as t join grouped_account as g on g.account_id = t.account_id
      where t.post_id = post.id and g.group_id = ${account_group_id})`)
  if (author_id && !serves.includes('author_id')) conditions.push(sql`post.author_id = ${author_id}`)
  if (label) conditions.push(sql`${storedLabel(label)} = any(post.labels)`)
  if (search) conditions.push(matches(search))
  return conditions
}

const placeOf = (index: number) => `place_${index}`
/** The columns of the range, under names that do not depend on it. */
const placesOf = ({ columns }: IndexRange) =>
  sql.join(columns.map((column, index) => sql`${sql.ref(column)} as ${sql.ref(placeOf(index))}`))

/**
 * The rows of the index that are read for a page with filters. The limit makes PostgreSQL read them from this index in
 * its order, and `lateral` look at each post by its id, until the page is full. It is higher than that of `scanEnd`, which
 * is read afterwards, so that no row is between them although rows may have gone meanwhile.
 */
function scanOf(source: Source, range: IndexRange) {
  return sql`(
    select ${source.id} as id, ${placesOf(range)} from ${source.table}
    where ${isInRange(range)} and ${source.isListed}
    order by ${orderOfRange(range)} limit ${sql.lit(1.2 * MAX_SCANNED)})`
}

/** The size of the texts of a post, at most that of its JSON. */
const textBytes = sql`octet_length(post.content) + coalesce(
  (select sum(octet_length(t.content)) from post_target as t where t.post_id = post.id), 0)`

/** The key of the last row that is read for a page, or nothing when the range ends before. */
async function scanEnd(db: Db, { time, id, table, isListed }: Source, range: IndexRange) {
  const { rows } = await sql<Key>`
    select ${id} as id, ${time ? cursorTime(`post.${time}`) : sql`null`} as time
    from ${table} where ${isInRange(range)} and ${isListed}
    order by ${orderOfRange(range)} limit 1 offset ${sql.lit(MAX_SCANNED - 1)}`.execute(db)
  return rows[0]
}

/**
 * Reads a page of posts from the index that serves its filters best. With `search`, run it with `runSearch`.
 *
 * Only the ids are read in the order of the index, whatever PostgreSQL estimates; the posts are then found by their ids.
 */
export const listPosts = (db: Db, caller: Member, query: Query) =>
  readPage(db, caller, { limit: 25, ...query }, selectPosts(db), textBytes, MAX_PAGE_BYTES)

export const listPostSummaries = (db: Db, caller: Member, query: Static<typeof PostSummaryQuery>) =>
  readPage(db, caller, { limit: MAX_SUMMARIES, ...query }, selectSummaries(db), sql`0`, MAX_SUMMARY_BYTES)

const MAX_SUMMARIES = 1000

/** The texts of summaries are short, so a month of 1,000 posts fits one page, each with up to five targets. */
const MAX_SUMMARY_BYTES = 1_200_000

export const selectSummaries = (db: Db) =>
  db.selectFrom('post').select([
    'post.id',
    excerpt,
    sql<string | null>`(select '/api/v1/media/' || media.id || '/thumbnail' from media
        where media.id = post.media_ids[1] and media.deleted_at is null and media.thumbnail_bytes is not null
      )`.as('thumbnail_url'),
    'post.labels',
    'post.status',
    'post.is_idea',
    'post.held',
    'post.review',
    'post.scheduled_at',
    'post.review_scheduled_at',
    'post.published_at',
    'post.recurring_post_id',
    'post.author_id',
    sql<{ account_id: string; network: string; warning: TargetWarning | null }[]>`coalesce((
        select json_agg(json_build_object('account_id', t.account_id, 'network', a.network, 'warning', ${targetWarning}) order by t.position)
        from post_target t join account a on a.id = t.account_id where t.post_id = post.id
      ), '[]')`.as('targets'),
    'post.updated_at',
  ])

async function readPage<Row extends { id: string }>(
  db: Db,
  { workspace_id }: Member,
  { limit, cursor, ...query }: Query & { limit: number },
  posts: SelectQueryBuilder<DB, 'post', Row>,
  bytes: RawBuilder<unknown>,
  maxBytes: number,
) {
  const source = sourceOf(workspace_id, query)
  const filters = filtersOf(source, query)
  const valuesOf = (key: Key) => [...source.prefix, ...partsOf(key)]
  let { range } = source
  if (cursor !== undefined)
    range = rangeAfter(range, valuesOf(source.time ? timeAndIdOfCursor(cursor) : { id: idOfCursor(cursor) }))

  const read = pageLimit(limit)
  const inOrder = orderOfRange({ ...range, columns: range.columns.map((_, index) => placeOf(index)) })
  const matching =
    filters.length > 0
      ? sql`select scanned.*, bytes from ${scanOf(source, range)} as scanned cross join lateral (
            select ${bytes} as bytes from post
            where post.id = scanned.id and deleted_at is null and ${sql.join(filters, sql` and `)} limit 1
          ) as matching order by ${inOrder} limit ${read}`
      : sql`select ${source.id} as id, ${placesOf(range)}, ${bytes} as bytes from ${source.table} ${source.join}
          where ${isInRange(range)} and ${source.isListed} and post.deleted_at is null order by ${orderOfRange(range)} limit ${read}`
  const ids = sql`select id from (${untilPageIsFull(matching, inOrder, sql`bytes`)}) as listed`
  let found = posts
    .select(source.time ? cursorTime(`post.${source.time}`).as('time') : sql<null>`null`.as('time'))
    .where(sql<SqlBool>`post.id = any(array(${ids}))`)
  if (source.time) found = found.orderBy(`post.${source.time}`)
  const rows = await found.orderBy('post.id', range.direction).execute()
  const end = filters.length > 0 && rows.length <= limit ? await scanEnd(db, source, range) : undefined
  const page = cutPage(end ? rows.filter((row) => !isAfter(row, end, range)) : rows, limit, partsOf, maxBytes)
  return { ...page, next_cursor: page.next_cursor ?? (end ? cursorOf(...partsOf(end)) : null) }
}

const partsOf = ({ time, id }: Key) => (time ? [time, id] : [id])

function isAfter(row: Key, end: Key, { direction }: IndexRange) {
  const [one, other] = [partsOf(row).join(), partsOf(end).join()]
  return direction === 'asc' ? one > other : one < other
}
