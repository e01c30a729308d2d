import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { type TSchema, Type } from 'typebox'
import { invalid } from '../../errors.ts'

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

export const Page = <T extends TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item, { maxItems: 100 }),
    next_cursor: Type.Unsafe<string | null>(
      Type.String({
        type: ['string', 'null'],
        maxLength: 100,
        description: 'Cursor of the next page. Null on the last page.',
      }),
    ),
  })

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

/** The id after which the next page begins. */
export const idOfCursor = (cursor: string) => keyOfCursor(cursor, (text) => (uuid.test(text) ? text : undefined))

/** Bytes of JSON from which a page ends, so that a page of long texts stays small in memory. */
const MAX_PAGE_BYTES = 1_000_000

/** Number of the first rows that fit a page; at least one. */
function countFitting(rows: readonly unknown[]) {
  let bytes = 0
  const beyond = rows.findIndex((row) => {
    bytes += Buffer.byteLength(JSON.stringify(row))
    return bytes > MAX_PAGE_BYTES
  })
  return beyond === -1 ? rows.length : Math.max(1, beyond)
}

/** Cuts one page. `rows` has one row more than `limit` if another page follows. Long rows end a page before `limit`. */
export function cutPage<Row>(rows: Row[], limit: number, keyOf: (row: Row) => (string | number)[]) {
  const data = rows.slice(0, Math.min(limit, countFitting(rows)))
  const last = data.at(-1)
  return { data, next_cursor: rows.length > data.length && last ? cursorOf(...keyOf(last)) : null }
}

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

/**
 * Reads one page of `query`. With a column as `order`, the newest rows come first: ids are UUIDv7 and so in the order of
 * creation, and new rows do not shift later pages.
 */
export async function page<
  DB,
  TB extends keyof DB,
  Row extends Record<Field, string | number>,
  Field extends string = 'id',
>(query: SelectQueryBuilder<DB, TB, Row>, order: string | Order<Field>, { limit = 25, cursor }: PageInput) {
  const { by, direction, decode } = typeof order === 'string' ? newestFirst(order) : order
  const columns = Object.values<string>(by).map((column) => sql.ref(column))
  const isAfter = (key: string[]) =>
    sql<SqlBool>`(${sql.join(columns)}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.join(key)})`
  const from = cursor === undefined ? query : query.where(isAfter(keyOfCursor(cursor, decode)))
  const rows = await columns
    .reduce((sorted, column) => sorted.orderBy(column, direction), from)
    .limit(limit + 1)
    .execute()
  return cutPage(rows, limit, (row) => Object.keys(by).map((field) => row[field as Field]))
}
