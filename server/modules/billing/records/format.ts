import type { Language } from '../../../lib/language.ts'

/** Minor units as a decimal number with two places, in the form of the language: `1,234.50`, `1.234,50`. */
export const formatDecimal = (minor: bigint, language: Language) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).format(decimalOf(minor) as Intl.StringNumericLiteral)

/** Minor units as a decimal text with a point, exact at any size: `1234.50`. */
const decimalOf = (minor: bigint) => {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0')
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export const formatDate = (date: Date, language: Language, timeZone: string) =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone }).format(date)
