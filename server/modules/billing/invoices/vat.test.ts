import fc from 'fast-check'
import { expect, test } from 'vitest'
import { divideHalfEven } from '../../../lib/money.ts'
import { vatOfLines, vatOfPart, vatWithin } from './invoices.ts'

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
const amount = fc.bigInt({ min: -1_000_000_000n, max: 1_000_000_000n })
const percent = fc.integer({ min: 0, max: 5000 }).map((hundredths) => hundredths / 100)

test('a half is rounded to the even number, also below zero', () => {
  const halves = [-5n, -3n, -1n, 1n, 3n, 5n].map((odd) => divideHalfEven(odd, 2n))
  expect(halves).toEqual([-2n, -2n, 0n, 0n, 2n, 2n])
})

test('a rounded quotient is at most half away from the exact one', () => {
  fc.assert(
    fc.property(amount, fc.bigInt({ min: 1n, max: 100_000n }), (dividend, divisor) => {
      const off = 2n * (dividend - divideHalfEven(dividend, divisor) * divisor)
      expect(off <= divisor && -off <= divisor).toBe(true)
    }),
  )
})

test('499 lira with 20 % have 83.17 VAT, and without VAT have none', () => {
  expect(vatWithin(49_900n, 20)).toBe(8317n)
  expect(vatWithin(-49_900n, 20)).toBe(-8317n)
  expect(vatWithin(49_900n, 0)).toBe(0n)
  expect(vatWithin(10_850n, 8.5)).toBe(850n)
})

test('the VAT of the lines adds up to that of the total, and each is less than one unit from its own', () => {
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 30 }), percent, (amounts, percent) => {
      const vat = vatOfLines(amounts, percent)
      expect(sum(vat)).toBe(vatWithin(sum(amounts), percent))
      const rate = BigInt(Math.round(percent * 100))
      for (const [index, own] of vat.entries()) {
        const off = own * (10_000n + rate) - (amounts[index] ?? 0n) * rate
        expect(off < 10_000n + rate + 1n && -off < 10_000n + rate + 1n).toBe(true)
      }
    }),
  )
})

test('parts that add up to the whole have its VAT', () => {
  const parts = fc.array(fc.bigInt({ min: 1n, max: 1_000_000n }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(parts, percent, (parts, percent) => {
      const whole = { amount: sum(parts), vat: vatWithin(sum(parts), percent) }
      let before = 0n
      const vat = parts.map((part) => {
        const own = vatOfPart(whole, before, part)
        before += part
        return own
      })
      expect(sum(vat)).toBe(whole.vat)
      expect(vat.every((own) => own >= 0n)).toBe(true)
    }),
  )
})
