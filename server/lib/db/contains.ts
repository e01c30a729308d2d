import { sql } from 'kysely'

/**
 * Condition: a column contains a text, whatever its case and its marks. I, İ, ı and i are one letter. In a subquery, the
 * text is folded once and not for each row.
 */
export const contains = (column: string, search: string) =>
  sql<boolean>`strpos(folded(coalesce(${sql.ref(column)}, '')), (select folded(${search}))) > 0`
