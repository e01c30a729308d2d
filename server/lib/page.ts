import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { type TSchema, Type } from 'typebox'
import { invalid } from '../errors.ts'

/** Query parameters of every list. */
export const PageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'How many to return' })),
  cursor: Type.Optional(
    Type.String({ maxLength: 100, description: '`next_cursor` of the page before; absent for the first page' }),
  ),
}

export const Page = <T extends TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item, { maxItems: 100 }),
    next_cursor: Type.Unsafe<string | null>(
      Type.String({ type: ['string', 'null'], maxLength: 100, description: 'For the next page; null on the last' }),
    ),
  })

export type PageInput = { limit?: number; cursor?: string }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What a client gives back to go on after this row. */
export const cursorOf = (id: string) => Buffer.from(id).toString('base64url')

/** The id after which the next page begins. */
export const idOfCursor = (cursor: string) => {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (!uuid.test(id)) throw invalid('/cursor', 'This is not a cursor that a list returned.')
  return id
}

/**
 * One page of `query`, newest first. Ids are UUIDv7 and so in the order of creation: `by` is the id column that the
 * page is cut by, which an index must cover. What is added meanwhile stands in front and moves nothing.
 */
export async function page<DB, TB extends keyof DB, Row extends { id: string }>(
  query: SelectQueryBuilder<DB, TB, Row>,
  by: string,
  { limit = 25, cursor }: PageInput,
): Promise<{ data: Row[]; next_cursor: string | null }> {
  const from = cursor === undefined ? query : query.where(sql<SqlBool>`${sql.ref(by)} < ${idOfCursor(cursor)}::uuid`)
  const rows = await from
    .orderBy(sql.ref(by), 'desc')
    .limit(limit + 1)
    .execute()
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: rows.length > limit && last ? cursorOf(last.id) : null }
}
