import { type RawBuilder, sql } from 'kysely'

/**
 * Writes a list as the text of a PostgreSQL array. pg inspects every element of an array parameter, which for a batch
 * of hundreds costs more than the rest of the query.
 */
export const arrayText = (values: readonly (string | number | boolean | Date | null)[]) =>
  `{${values.map(elementText).join()}}`

const elementText = (value: string | number | boolean | Date | null) => {
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
  return value instanceof Date ? `"${value.toISOString()}"` : (value ?? 'NULL')
}

/** The TypeScript type for each PostgreSQL column type. */
type ColumnValues = {
  uuid: string
  text: string
  smallint: number
  int: number
  bigint: number
  boolean: boolean
  timestamptz: Date | string
}

/**
 * Makes a table of a list, for a `from` or `join`: `unnest(…) as alias (columns)`. Each column is one array parameter,
 * so lists of any length share one statement.
 */
export function rowsOf<Columns extends Record<string, keyof ColumnValues>>(
  list: readonly { [Name in keyof Columns]: ColumnValues[Columns[Name]] | null }[],
  columns: Columns,
  alias: string,
): RawBuilder<unknown> {
  const rows: readonly Record<string, string | number | boolean | Date | null>[] = list
  const arrays = Object.entries(columns).map(
    ([name, type]) => sql`${arrayText(rows.map((row) => row[name] ?? null))}::${sql.raw(type)}[]`,
  )
  const names = Object.keys(columns).map((name) => sql.id(name))
  return sql`unnest(${sql.join(arrays)}) as ${sql.id(alias)} (${sql.join(names)})`
}
