import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { type Db, FIRST_ID, LAST_ID } from '../../lib/db/database.ts'
import { type IndexRange, isInRange, MAX_SCANNED, orderOfRange } from '../../lib/db/index-range.ts'
import { cursorOf, cutPage, idOfCursor, pageLimit } from '../../lib/db/page.ts'
import type { Member } from '../../lib/http/access.ts'
import { storedLabel } from '../../lib/text.ts'
import type { MediaQuery } from './media.schema.ts'
import { selectMedia } from './media.ts'

type Query = Static<typeof MediaQuery>

/** The part of an index that has the files, newest first. */
function rangeOf(workspace_id: string, { kind, cursor }: Query): IndexRange {
  const prefix = kind ? [workspace_id, kind] : [workspace_id]
  return {
    columns: kind ? ['media.workspace_id', 'media.kind', 'media.id'] : ['media.workspace_id', 'media.id'],
    low: [...prefix, FIRST_ID],
    high: [...prefix, cursor === undefined ? LAST_ID : idOfCursor(cursor)],
    direction: 'desc',
  }
}

/** Condition: name, alternative text or labels contain each word of `search`. */
function matches(search: string) {
  const words = search.split(/\s+/).filter((word) => word !== '')
  const patterns = words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
  return sql<SqlBool>`media.search_text like all ((
    select array_agg(folded(word)) from unnest(${patterns}::text[]) as word)::text[])`
}

/** Conditions that no index serves. */
const filtersOf = ({ label, search }: Query): RawBuilder<SqlBool>[] => [
  ...(label === undefined ? [] : [sql<SqlBool>`${storedLabel(label)} = any(media.labels)`]),
  ...(search === undefined ? [] : [matches(search)]),
]

/**
 * Reads a page of files. Their ids are read in the order of an index, at most MAX_SCANNED for a page, and each file is
 * then looked at by its id.
 */
export async function listMedia(db: Db, caller: Member, query: Query) {
  const { limit = 25 } = query
  const range = rangeOf(caller.workspace_id, query)
  const filters = filtersOf(query)
  const isListed = query.kind ? sql`media.deleted_at is null` : sql`true`
  const columns = sql.join(range.columns.map((column) => sql.ref(column)))
  const scanned = (limited: RawBuilder<unknown>) => sql`
    select ${columns} from media where ${isInRange(range)} and ${isListed} order by ${orderOfRange(range)} ${limited}`
  // All columns of the index, as they are read: with another order, all scanned rows would be read and sorted.
  const inOrder = orderOfRange({
    ...range,
    columns: range.columns.map((column) => column.replace('media.', 'scanned.')),
  })
  const ids = sql`
    select scanned.id from (${scanned(sql`limit ${sql.lit(1.2 * MAX_SCANNED)}`)}) as scanned
    cross join lateral (
      select from media where media.id = scanned.id and ${sql.join([sql`media.deleted_at is null`, ...filters], sql` and `)}
      limit 1
    ) as matching
    order by ${inOrder} limit ${pageLimit(limit)}`
  const rows = await selectMedia(db, caller)
    .where(sql<SqlBool>`media.id = any(array(${ids}))`)
    .orderBy('media.id', 'desc')
    .execute()
  // Read after the page, so that no row is between the two although rows may have gone meanwhile.
  const end =
    rows.length > limit
      ? undefined
      : (await sql<{ id: string }>`${scanned(sql`limit 1 offset ${sql.lit(MAX_SCANNED - 1)}`)}`.execute(db)).rows[0]
  const page = cutPage(end ? rows.filter(({ id }) => id >= end.id) : rows, limit, ({ id }) => [id])
  return { ...page, next_cursor: page.next_cursor ?? (end ? cursorOf(end.id) : null) }
}
