import { decimalText } from '../../../../shared/currency.ts'
import type { Language } from '../../../lib/language.ts'

/** Minor units as a decimal number with two places, in the form of the language: `1,234.50`, `1.234,50`. */
export const formatDecimal = (minor: bigint, language: Language) =>
  new Intl.NumberFormat(language, { minimumFractionDigits: 2 }).format(
    decimalText(minor, 'TRY') as Intl.StringNumericLiteral,
  )

export const formatDate = (date: Date, language: Language, timeZone: string) =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone }).format(date)
