import { sql } from 'kysely'

/** Condition: a column contains a text, whatever its case and its marks. I, İ, ı and i are one letter. */
export const contains = (column: string, search: string) =>
  sql<boolean>`strpos(folded(coalesce(${sql.ref(column)}, '')), folded(${search})) > 0`
