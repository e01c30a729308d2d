import type { FieldError } from '../../../../errors.ts'
import { toMessage } from '../../../../errors.ts'
import type { Text } from '../../../../lib/language.ts'
import { quoted } from '../../../../lib/text.ts'
import type { ImportField } from '../file/columns.ts'

/** Characters of a cell that a problem shows. */
export const SHOWN = 120

export type RowProblem = {
  severity: 'error' | 'warning'
  field: ImportField
  /** Index of the first column with the field. Null without one. */
  column: number | null
  code: string
  message: string
  translations?: Omit<Text, 'en'>
  value: string | null
  suggestion: string | null
}

type Found = {
  field: ImportField
  code: string
  text: Text
  severity?: 'error' | 'warning'
  value?: string
  suggestion?: string
}

export type Columns = readonly ImportField[]

const columnOf = (fields: Columns, field: ImportField) => {
  const index = fields.indexOf(field)
  return index === -1 ? null : index
}

export const rowProblem = (
  fields: Columns,
  { field, code, text, severity = 'error', value, suggestion }: Found,
): RowProblem => ({
  severity,
  field,
  column: columnOf(fields, field),
  code,
  ...toMessage(text),
  value: value === undefined ? null : quoted(value, SHOWN),
  suggestion: suggestion ?? null,
})

/** The field of a row that a field of a post was read from. */
const origins: [pointer: string, field: ImportField][] = [
  ['/scheduled_at', 'date'],
  ['/account_ids', 'accounts'],
  ['/targets', 'accounts'],
  ['/media_ids', 'media'],
  ['/first_comment', 'first_comment'],
  ['/labels', 'labels'],
]

/** A problem of a post, at the column of its field. */
export function problemOfPost(
  fields: Columns,
  { pointer, code, message, translations }: FieldError,
  severity: 'error' | 'warning' = 'error',
): RowProblem {
  const found = origins.find(([prefix]) => pointer.startsWith(prefix))?.[1] ?? 'text'
  const field = found === 'accounts' && !fields.includes('accounts') && fields.includes('network') ? 'network' : found
  return {
    severity,
    field,
    column: columnOf(fields, field),
    code,
    message,
    ...(translations && { translations }),
    value: null,
    suggestion: null,
  }
}
