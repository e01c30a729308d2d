import { divideHalfEven } from '../../../lib/money.ts'

/** VAT inside an amount that includes it. Amounts are minor units. `percent` has at most two decimals. */
export function vatWithin(amount: bigint, percent: number) {
  const rate = BigInt(Math.round(percent * 100))
  return divideHalfEven(amount * rate, 10_000n + rate)
}

/** VAT inside each amount. Their sum is the VAT inside the total: rounding is carried from line to line. */
export function vatOfLines(amounts: readonly bigint[], percent: number) {
  let total = 0n
  let vat = 0n
  return amounts.map((amount) => {
    total += amount
    const before = vat
    vat = vatWithin(total, percent)
    return vat - before
  })
}

/** VAT inside the next part of an amount of which `before` was taken. All parts together have the VAT of the whole. */
export const vatOfPart = (whole: { amount: bigint; vat: bigint }, before: bigint, part: bigint) =>
  divideHalfEven(whole.vat * (before + part), whole.amount) - divideHalfEven(whole.vat * before, whole.amount)
