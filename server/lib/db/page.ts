import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { type TSchema, Type } from 'typebox'
import { invalid } from '../../errors.ts'

/** Query parameters of all lists. */
export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Maximum number of records to return.' }),
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

/** The cursor with which a client continues after this row. */
export const cursorOf = (id: string) => Buffer.from(id).toString('base64url')

/** The id after which the next page begins. */
export const idOfCursor = (cursor: string) => {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (!uuid.test(id)) throw invalid('/cursor', 'This is not a cursor returned by this list.')
  return id
}

/**
 * Reads one page of `query`, newest first. Ids are UUIDv7 and so in the order of creation. `by` is the id column that
 * pages are cut by, which an index must cover. New rows go in front and do not shift later pages.
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
