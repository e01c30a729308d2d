import { type Static, Type } from 'typebox'

type Field = string | null | undefined

export const Separator = Type.Optional(
  Type.Enum(['comma', 'semicolon'], {
    type: 'string',
    description:
      'Separator of the fields. `semicolon` also writes a decimal comma, as Excel expects in Turkish, German and other languages. Default: `comma`, with a decimal point.',
  }),
)

/** Writes numbers with the decimal mark that the separator leaves free. */
type Numbers = {
  /** Writes an amount with two decimals. */
  money: (amount: number) => string
  number: (value: number) => string
}

const formats = {
  comma: { mark: ',', decimal: '.' },
  semicolon: { mark: ';', decimal: ',' },
}

/**
 * Programs run text of users that begins like a formula. An apostrophe makes it text. Where `;` separates cells, a part
 * of a text can begin one.
 */
export const csvText = (text: Field) => text?.replace(/(^|[;\t\r\n])(?=\s*[=+\-@＝＋－＠]|[\t\r])/g, "$1'")

const quoted = (field: Field, mark: string) =>
  field && (/[";\t\r\n]/.test(field) || field.includes(mark)) ? `"${field.replaceAll('"', '""')}"` : (field ?? '')

/**
 * A table in CSV (RFC 4180) with these columns. Columns with text of users pass it through `csvText`. Excel reads UTF-8
 * after the byte order mark of the header.
 */
export const csvTable =
  <Row>(columns: Record<string, (row: Row, numbers: Numbers) => Field>) =>
  (separator: Static<typeof Separator> = 'comma') => {
    const { mark, decimal } = formats[separator]
    const numbers: Numbers = {
      money: (amount) => amount.toFixed(2).replace('.', decimal),
      number: (value) => String(value).replace('.', decimal),
    }
    const lineOf = (fields: Field[]) => `${fields.map((field) => quoted(field, mark)).join(mark)}\r\n`
    return {
      header: `\ufeff${lineOf(Object.keys(columns))}`,
      lines: (rows: readonly Row[]) =>
        rows.map((row) => lineOf(Object.values(columns).map((column) => column(row, numbers)))).join(''),
    }
  }
