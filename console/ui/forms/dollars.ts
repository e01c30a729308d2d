import { currentLocale } from '../text/format'

/** Decimals that an amount in dollars can have, as in the API. */
const DECIMALS = 6

const decimalSeparator = () =>
  new Intl.NumberFormat(currentLocale()).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'

/**
 * Null for an empty field, NaN for what is no amount. Parses 0.25 and 0,25, but not what can mean thousands: 1,000 in
 * English and 1.000 in Turkish.
 */
export function textToDollars(text: string, separator = decimalSeparator()) {
  const typed = text.trim()
  if (typed === '') return null
  const [all, mark, decimals = ''] = /^\d+(?:([.,])(\d+))?$/.exec(typed) ?? []
  if (all === undefined || decimals.length > DECIMALS) return Number.NaN
  if (mark !== separator && decimals.length === 3) return Number.NaN
  return Number(all.replace(',', '.'))
}

/** Whether the text has a separator that can mean thousands. */
export const hasThousands = (text: string, separator = decimalSeparator()) =>
  /^\d{1,3}([.,]\d{3})+([.,]\d+)?$/.test(text.trim()) && Number.isNaN(textToDollars(text, separator))

/** The amount as it is typed, which an exponent such as 1e-6 is not. */
export const dollarsToText = (usd: number | null, separator = decimalSeparator()) =>
  usd === null
    ? ''
    : usd
        .toFixed(DECIMALS)
        .replace(/\.?0+$/, '')
        .replace('.', separator)
