import { Type } from 'typebox'
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

const decimal = /^(\d+)(?:\.(\d{1,2}))?$/

/** Converts major units to minor ones. Rejects a third decimal instead of rounding. */
export function toMinor(amount: number, pointer: string): bigint {
  // The shortest decimal text of a number has exactly the decimals that the client sent.
  const [, whole, part = ''] = decimal.exec(String(amount)) ?? []
  if (whole === undefined) throw invalid(pointer, 'This must be an amount with at most two decimals.')
  return BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'))
}

/** PostgreSQL returns a bigint as text. */
export const toMajor = (minor: bigint | string) => Number(minor) / 100

/** Divides and rounds to the nearest integer, a half to the even one. `divisor` is positive. */
export function divideHalfEven(dividend: bigint, divisor: bigint) {
  // The remainder of a bigint has the sign of the dividend; this one is never negative.
  const rest = ((dividend % divisor) + divisor) % divisor
  const below = (dividend - rest) / divisor
  const isOdd = below % 2n !== 0n
  return 2n * rest > divisor || (2n * rest === divisor && isOdd) ? below + 1n : below
}
