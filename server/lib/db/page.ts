import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { type TSchema, Type } from 'typebox'
import { invalid } from '../../errors.ts'
import { type Db, FIRST_ID, LAST_ID } from './database.ts'
import { type IndexRange, isInRange, orderOfRange } from './index-range.ts'

/** Query parameters of all lists. */
export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 25,
      description: 'Maximum number of records to return. A page with long texts may have fewer.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 100, description: '`next_cursor` of the previous page. Omit it for the first page.' }),
  ),
}

export const Page = <T extends TSchema>(item: T, maxItems = 100) =>
  Type.Object({
    data: Type.Array(item, { maxItems }),
    next_cursor: Type.Unsafe<string | null>(
      Type.String({
        type: ['string', 'null'],
        maxLength: 100,
        description: 'Cursor of the next page. Null on the last page.',
      }),
    ),
  })

/** Description of lists that read a limited number of rows for a page (`MAX_SCANNED`). */
export const PARTIAL_PAGES =
  'One call looks through a limited number of records: with several filters, a page may have fewer records than `limit`, or none, while `next_cursor` leads to more.'

export type PageInput = { limit?: number; cursor?: string }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Decode<Key> = (text: string) => Key | undefined

/** The cursor with which a client continues after the row with this key. */
export const cursorOf = (...key: (string | number)[]) => Buffer.from(key.join(' ')).toString('base64url')

/** The key after which the next page begins. `decode` returns undefined for what the list never wrote into a cursor. */
function keyOfCursor<Key>(cursor: string, decode: Decode<Key>) {
  const key = decode(Buffer.from(cursor, 'base64url').toString())
  if (key === undefined) throw invalid('/cursor', 'This is not a cursor returned by this list.')
  return key
}

const decodeId = (text: string) => (uuid.test(text) ? text : undefined)

/** The id after which the next page begins. */
export const idOfCursor = (cursor: string) => keyOfCursor(cursor, decodeId)

/** Text of a time with its microseconds, as `timeAndIdOfCursor` reads it. A `Date` would lose them. */
export const cursorTime = (column: string) =>
  sql<string | null>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** The time and the id after which the next page begins, in a list in the order of a time. */
export const timeAndIdOfCursor = (cursor: string) =>
  keyOfCursor(cursor, (text) => {
    const [time = '', id = ''] = text.split(' ')
    const isTime = /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/.test(time) && !Number.isNaN(Date.parse(time))
    return isTime && uuid.test(id) ? { time, id } : undefined
  })

/** The number and the id after which the next page begins, in a list in the order of a whole number. */
export const numberAndIdOfCursor = (cursor: string) =>
  keyOfCursor(cursor, (text) => {
    const [number = '', id = ''] = text.split(' ')
    return /^\d{1,15}$/.test(number) && uuid.test(id) ? { number, id } : undefined
  })

/** Bytes of JSON from which a page ends, so that a page of long texts stays small in memory. It has at least one row. */
export const MAX_PAGE_BYTES = 500_000

/** Number of the first rows that fit a page; at least one. */
function countFitting(rows: readonly unknown[], maxBytes: number) {
  let bytes = 0
  const beyond = rows.findIndex((row) => {
    bytes += Buffer.byteLength(JSON.stringify(row))
    return bytes > maxBytes
  })
  return beyond === -1 ? rows.length : Math.max(1, beyond)
}

type Sql = RawBuilder<unknown>

/**
 * Reads `rows` up to the first that no longer fits a page, so that no more long texts are read than it has. `bytes`: the
 * size of a row, at most that of its JSON; `octet_length` finds that of a column without reading it. `order` and `bytes`
 * name columns of `rows`.
 */
export const untilPageIsFull = (rows: Sql, order: Sql, bytes: Sql) => sql`
  select * from (
    select counted.*, row_number() over in_order as place,
      sum(${bytes}) over (in_order rows between unbounded preceding and 1 preceding) as bytes_before
    from (${rows}) as counted window in_order as (order by ${order})
  ) as fitting where place <= 2 or bytes_before <= ${sql.lit(MAX_PAGE_BYTES)}`

/** Cuts one page. `rows` has more rows than `limit` if another page follows. Long rows end a page before `limit`. */
export function cutPage<Row>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => (string | number)[],
  maxBytes = MAX_PAGE_BYTES,
) {
  const data = rows.slice(0, Math.min(limit, countFitting(rows, maxBytes)))
  const last = data.at(-1)
  return { data, next_cursor: rows.length > data.length && last ? cursorOf(...keyOf(last)) : null }
}

/** Numbers of rows that are read for a page, one of which is the first row of the next page. */
const READ_SIZES = [11, 26, 51, 101, 1001]

/**
 * The `limit` of a statement that reads a page. It is part of the statement, because a plan for any limit expects to
 * return a tenth of all rows; only a few different ones, because each is another statement.
 */
export const pageLimit = (limit: number) => sql.lit(READ_SIZES.find((size) => size > limit) ?? limit + 1)

export type Order<Field extends string> = {
  /** The columns that order the list, which an index must cover, by the fields of a row that cursors hold. */
  by: Record<Field, string>
  direction: 'asc' | 'desc'
  /** Reads the values of these columns from a cursor. Cursors of the previous release must be accepted. */
  decode: Decode<string[]>
}

const newestFirst = (column: string): Order<'id'> => ({
  by: { id: column },
  direction: 'desc',
  decode: (text) => (uuid.test(text) ? [text] : undefined),
})

/** Columns with long texts, which bound the rows that are read for a page. */
type Long<Row> = { db: Db; columns: readonly (keyof Row & string)[] }

async function readRows<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: Sql,
  long: Long<Row> | undefined,
): Promise<Row[]> {
  if (!long) return query.execute()
  const sizes = long.columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`)
  const { rows } =
    await sql<Row>`${untilPageIsFull(sql`${query}`, order, sql.join(sizes, sql` + `))} order by place`.execute(long.db)
  return rows
}

/**
 * Reads one page of the rows of a large table that have `value` in `column`, the newest rows first, or of all rows
 * without a value. The table needs an index on (column, id).
 */
export async function pageWhere<DB, TB extends keyof DB, Row extends { id: string }>(
  query: SelectQueryBuilder<DB, TB, Row>,
  column: `${string}.${string}`,
  value: string | undefined,
  { limit = 25, cursor }: PageInput,
  long?: Long<Row>,
) {
  const id = column.replace(/\.\w+$/, '.id')
  if (value === undefined) return page(query, id, { limit, ...(cursor !== undefined && { cursor }) }, long)
  const range: IndexRange = {
    columns: [column, id],
    low: [value, FIRST_ID],
    high: [value, cursor === undefined ? LAST_ID : idOfCursor(cursor)],
    direction: 'desc',
  }
  const read = query.where(isInRange(range)).orderBy(orderOfRange(range)).limit(pageLimit(limit))
  const rows = await readRows(read, sql`id desc`, long)
  return cutPage(rows, limit, ({ id }) => [id])
}

/** Reads one page of what a workspace has in a large table. `table` needs an index on (workspace_id, id). */
export const pageOfWorkspace = <DB, TB extends keyof DB, Row extends { id: string }>(
  query: SelectQueryBuilder<DB, TB, Row>,
  table: string,
  workspace_id: string,
  cut: PageInput,
  long?: Long<Row>,
) => pageWhere(query, `${table}.workspace_id`, workspace_id, cut, long)

/**
 * Reads one page of `query`. With a column as `order`, the newest rows come first: ids are UUIDv7 and so in the order of
 * creation, and new rows do not shift later pages.
 */
export async function page<
  DB,
  TB extends keyof DB,
  Row extends Record<Field, string | number>,
  Field extends string = 'id',
>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: string | Order<Field>,
  { limit = 25, cursor }: PageInput,
  long?: Long<Row>,
) {
  const { by, direction, decode } = typeof order === 'string' ? newestFirst(order) : order
  const columns = Object.values<string>(by).map((column) => sql.ref(column))
  const isAfter = (key: string[]) =>
    sql<SqlBool>`(${sql.join(columns)}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.join(key)})`
  const from = cursor === undefined ? query : query.where(isAfter(keyOfCursor(cursor, decode)))
  const read = columns.reduce((sorted, column) => sorted.orderBy(column, direction), from).limit(pageLimit(limit))
  const fields = Object.keys(by).map((field) => sql`${sql.ref(field)} ${sql.raw(direction)}`)
  const rows = await readRows(read, sql.join(fields), long)
  return cutPage(rows, limit, (row) => Object.keys(by).map((field) => row[field as Field]))
}
