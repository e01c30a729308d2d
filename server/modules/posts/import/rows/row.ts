import type { Clock } from '../../../../lib/wall-clock.ts'
import type { DateOrder } from '../file/dates.ts'
import type { AccountNames } from './account-names.ts'
import { type Columns, type RowProblem, rowProblem } from './row-problems.ts'

/** Rules for reading the cells of an import. */
export type Reading = {
  fields: Columns
  columns: readonly string[]
  date_order: DateOrder | null
  /** Years of two digits are of this century. */
  shortYears: boolean
  timezone: string
  account_ids: readonly string[]
  accounts: AccountNames
  clocks: Map<string, Clock | null>
}

/** A row that is being read, with the problems found so far. */
export type Row = Reading & { cells: readonly string[]; problems: RowProblem[] }

/** The cells of the columns with this field, without empty ones. */
export const cellsOf = ({ fields, cells }: Row, field: Columns[number]) =>
  fields.flatMap((one, index) => (one === field && cells[index]?.trim() ? [cells[index]] : []))

/** The first cell with this field, or an empty string. */
export const cellOf = (row: Row, field: Columns[number]) => cellsOf(row, field)[0]?.trim() ?? ''

export function report({ fields, problems }: Row, found: Parameters<typeof rowProblem>[1]) {
  problems.push(rowProblem(fields, found))
}
