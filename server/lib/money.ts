import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import { decimalsOf, decimalText } from '../../shared/currency.ts'
import { invalid } from '../errors.ts'

/** Maximum price or amount, in major units. */
const MAX_MINOR = 10_000_000

/** An amount in the API, as a decimal in major units. Internally it is a bigint of minor units plus a currency. */
export const Money = (description: string) =>
  Type.Number({
    minimum: 0,
    maximum: MAX_MINOR,
    description: `${description}, with at most two decimals.`,
    examples: [299.9],
  })

export const Currency = Type.Enum(['TRY', 'USD'], { type: 'string', description: 'Currency (ISO 4217).' })

/** Minor units of a decimal text without a sign. Undefined for another text, and for more decimals than the currency has. */
export function parseMinor(text: string, currency: string) {
  const [, whole, part = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const decimals = decimalsOf(currency)
  return whole === undefined || part.length > decimals ? undefined : BigInt(whole + part.padEnd(decimals, '0'))
}

/** Converts major units to minor ones. Rejects a decimal that the currency does not have instead of rounding. */
export function toMinor(amount: number, pointer: string, currency = 'TRY'): bigint {
  // The shortest decimal text of a number has exactly the decimals that the client sent.
  const minor = parseMinor(String(amount), currency)
  if (minor === undefined)
    throw invalid(pointer, `This must be an amount with at most ${decimalNames[decimalsOf(currency)]}.`)
  return minor
}
const decimalNames = ['no decimals', 'one decimal', 'two decimals', 'three decimals']

/** Costs of AI are counted in millionths of a US dollar: prices of tokens are fractions of a cent. */
const MICROS = 1_000_000

/** An amount of these in the API, as a decimal number of US dollars. */
export const Usd = (description: string, example: number, { minimum = 0, maximum = 1_000_000_000 } = {}) =>
  Type.Number({
    minimum,
    maximum,
    description: `${description} In US dollars, with at most six decimals.`,
    examples: [example],
  })

export const toUsd = (micros: number) => micros / MICROS

/** The same in a statement. `micros`: an integer of any size. */
export const usdOf = <Usd extends number | null>(micros: RawBuilder<unknown>) =>
  sql<Usd>`${micros}::float8 / ${sql.lit(MICROS)}`

/** Converts US dollars to millionths. Rejects more decimals instead of rounding. */
export function toMicros(usd: number, pointer: string) {
  const micros = Math.round(usd * MICROS)
  if (toUsd(micros) !== usd) throw invalid(pointer, 'This must be an amount with at most six decimals.')
  return micros
}

/** PostgreSQL returns a bigint as text. Without a currency, in one of the ledger, which have two decimals. */
export const toMajor = (minor: bigint | string, currency = 'TRY') => Number(minor) / 10 ** decimalsOf(currency)

/** An amount in words: `-12.50 TRY`. */
export const moneyText = (minor: bigint | string, currency: string) => `${decimalText(minor, currency)} ${currency}`

/** Divides and rounds to the nearest integer, a half to the even one. `divisor` is positive. */
export function divideHalfEven(dividend: bigint, divisor: bigint) {
  // The remainder of a bigint has the sign of the dividend; this one is never negative.
  const rest = ((dividend % divisor) + divisor) % divisor
  const below = (dividend - rest) / divisor
  const isOdd = below % 2n !== 0n
  return 2n * rest > divisor || (2n * rest === divisor && isOdd) ? below + 1n : below
}
