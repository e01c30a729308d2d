import { Type } from 'typebox'
import { invalid } from '../errors.ts'

/** The largest price or amount that is taken, in major units. */
const MOST = 10_000_000

/** An amount on the API: a decimal number in major units. Inside it is a bigint of minor units with a currency beside it. */
export const Money = (description: string) =>
  Type.Number({
    minimum: 0,
    maximum: MOST,
    description: `${description}, with at most two decimals`,
    examples: [299.9],
  })

const decimal = /^(\d+)(?:\.(\d{1,2}))?$/

/** Minor units of an amount in major ones. A third decimal is refused, never rounded. */
export function toMinor(amount: number, pointer: string): bigint {
  // The shortest text that means this number has the decimals that were sent.
  const [, whole, part = ''] = decimal.exec(String(amount)) ?? []
  if (whole === undefined) throw invalid(pointer, 'This takes an amount with at most two decimals.')
  return BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'))
}

/** PostgreSQL's bigint comes as text. */
export const toMajor = (minor: bigint | string) => Number(minor) / 100
