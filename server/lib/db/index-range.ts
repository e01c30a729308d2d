import { type RawBuilder, type SqlBool, sql } from 'kysely'

type Value = string | Date | RawBuilder<unknown>

/**
 * The part of an index that holds a list, in the order of the list. The first column is the owner of the rows, such as
 * the workspace.
 *
 * The columns are compared as one row value. With a condition for each, PostgreSQL may choose an index that has the same
 * order without the owner, expecting to find the first rows soon, and walk the rows of all other owners. Generic plans
 * do so when one owner has most rows.
 */
export type IndexRange = {
  columns: readonly string[]
  /** Excluded in an ascending list, where a page continues after it. */
  low: readonly Value[]
  /** Excluded in a descending list. */
  high: readonly Value[]
  direction: 'asc' | 'desc'
}

const rowOf = (values: readonly Value[]) => sql`(${sql.join(values)})`
const columnsOf = ({ columns }: IndexRange) => columns.map((column) => sql.ref(column))

export function isInRange(range: IndexRange) {
  const row = rowOf(columnsOf(range))
  const [low, high] = [rowOf(range.low), rowOf(range.high)]
  return range.direction === 'asc'
    ? sql<SqlBool>`${row} > ${low} and ${row} <= ${high}`
    : sql<SqlBool>`${row} >= ${low} and ${row} < ${high}`
}

/** The columns of an `order by`. */
export const orderOfRange = (range: IndexRange) =>
  sql.join(columnsOf(range).map((column) => sql`${column} ${sql.raw(range.direction)}`))

/** The range after a key, for the next page. */
export const rangeAfter = (range: IndexRange, key: readonly Value[]): IndexRange =>
  range.direction === 'asc' ? { ...range, low: key } : { ...range, high: key }

/**
 * Rows of the index that are read for one page of a list with filters that the index does not serve. The page ends there
 * with a cursor, so that no request takes longer because few rows match.
 */
export const MAX_SCANNED = 10_000
