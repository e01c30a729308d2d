type Field = string | null | undefined

/** Programs run text of users that begins like a formula. An apostrophe makes it text. */
export const csvText = (text: Field) => text?.replace(/^(?=[=+\-@\t\r])/, "'")

const quoted = (field: Field) => (field && /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : (field ?? ''))

/** A line of CSV (RFC 4180). Pass text of users through `csvText`. */
export const csvLine = (fields: Field[]) => `${fields.map(quoted).join(',')}\r\n`

/** The first line. The byte order mark tells Excel that the file is UTF-8. */
export const csvHeader = (columns: string[]) => `\ufeff${csvLine(columns)}`
