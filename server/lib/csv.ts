type Field = string | null | undefined

/**
 * Programs run text of users that begins like a formula. An apostrophe makes it text. Where `;` separates cells, a part
 * of a text can begin one.
 */
export const csvText = (text: Field) => text?.replace(/(^|[;\t\r\n])(?=\s*[=+\-@＝＋－＠]|[\t\r])/g, "$1'")

const quoted = (field: Field) =>
  field && /[",;\t\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : (field ?? '')

const lineOf = (fields: Field[]) => `${fields.map(quoted).join(',')}\r\n`

/**
 * A table in CSV (RFC 4180) with these columns. Columns with text of users pass it through `csvText`. Excel reads UTF-8
 * after the byte order mark of the header.
 */
export const csvTable = <Row>(columns: Record<string, (row: Row) => Field>) => ({
  header: `\ufeff${lineOf(Object.keys(columns))}`,
  lines: (rows: readonly Row[]) =>
    rows.map((row) => lineOf(Object.values(columns).map((column) => column(row)))).join(''),
})
