import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { divideHalfEven } from '../../../lib/money.ts'
import { periodEndAfter, unused } from './periods.ts'

const DAY = 86_400_000
const dates = { min: new Date('2020-01-01T00:00:00Z'), max: new Date('2060-01-01T00:00:00Z'), noInvalidDate: true }
const period = fc.constantFrom('monthly', 'yearly')
const day = (time: Date) => time.toISOString().slice(0, 10)

/** The ends of the first periods that begin at a day. */
function ends(first: string, each: 'monthly' | 'yearly', count: number) {
  const anchor = new Date(`${first}T10:30:00Z`)
  const found: Date[] = []
  for (let time = anchor; found.length < count; time = found.at(-1) ?? anchor)
    found.push(periodEndAfter(anchor, each, time))
  return found.map(day)
}

describe('the ends of periods', () => {
  test.each([
    ['2027-01-31', 'monthly', ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']],
    ['2028-01-31', 'monthly', ['2028-02-29', '2028-03-31', '2028-04-30']],
    ['2027-12-30', 'monthly', ['2028-01-30', '2028-02-29', '2028-03-30']],
    ['2028-02-29', 'yearly', ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
    ['2100-01-31', 'monthly', ['2100-02-28', '2100-03-31']],
  ] as const)('periods from %s, %s, end on %j', (first, each, expected) => {
    expect(ends(first, each, expected.length)).toEqual(expected)
  })

  test('periods follow each other without a gap, on the day of the anchor or the last one of a shorter month', () => {
    fc.assert(
      fc.property(fc.date(dates), period, fc.nat(60), (anchor, each, count) => {
        let end = anchor
        for (let n = 1; n <= count; n++) {
          end = periodEndAfter(anchor, each, end)
          const month = anchor.getUTCMonth() + n * (each === 'yearly' ? 12 : 1)
          const last = new Date(Date.UTC(anchor.getUTCFullYear(), month + 1, 0))
          expect([end.getUTCFullYear(), end.getUTCMonth()]).toEqual([last.getUTCFullYear(), last.getUTCMonth()])
          expect(end.getUTCDate()).toBe(Math.min(anchor.getUTCDate(), last.getUTCDate()))
          expect(end.getTime() % DAY).toBe(anchor.getTime() % DAY)
        }
      }),
    )
  })

  test('the end after a time is the first of all ends that is later', () => {
    fc.assert(
      fc.property(fc.date(dates), fc.integer({ min: 0, max: 4000 * DAY }), period, (anchor, after, each) => {
        const time = new Date(anchor.getTime() + after)
        let end = periodEndAfter(anchor, each, anchor)
        while (end <= time) end = periodEndAfter(anchor, each, end)
        expect(periodEndAfter(anchor, each, time)).toEqual(end)
      }),
    )
  })
})

describe('the parts of a price', () => {
  const amount = fc.bigInt({ min: 0n, max: 1_000_000_000n })
  const span = fc.tuple(fc.date(dates), fc.integer({ min: 1, max: 366 * DAY }))

  test('what is used and what is left of a period are its price, to the cent', () => {
    fc.assert(
      fc.property(amount, span, fc.double({ min: 0, max: 1, noNaN: true }), (price, [start, length], part) => {
        const end = new Date(start.getTime() + length)
        const now = new Date(start.getTime() + Math.floor(length * part))
        const left = unused(price, { start, end }, now)
        const used = divideHalfEven(price * BigInt(now.getTime() - start.getTime()), BigInt(length))
        // Two halves of a cent may both be rounded down or up.
        expect(left + used - price).toBeGreaterThanOrEqual(-1n)
        expect(left + used - price).toBeLessThanOrEqual(1n)
        const exact = price * BigInt(end.getTime() - now.getTime())
        expect(2n * (left * BigInt(length) - exact)).toBeLessThanOrEqual(BigInt(length))
        expect(2n * (exact - left * BigInt(length))).toBeLessThanOrEqual(BigInt(length))
      }),
    )
  })

  test('all of a price is left before its period, nothing after it, and never more with time', () => {
    fc.assert(
      fc.property(
        amount,
        span,
        fc.array(fc.integer({ min: -DAY, max: 400 * DAY })),
        (price, [start, length], times) => {
          const end = new Date(start.getTime() + length)
          const leftAt = (ms: number) => unused(price, { start, end }, new Date(ms))
          expect(leftAt(start.getTime() - 1)).toBe(price)
          expect(leftAt(start.getTime())).toBe(price)
          expect(leftAt(end.getTime())).toBe(0n)
          expect(leftAt(end.getTime() + 1)).toBe(0n)
          const lefts = times.toSorted((a, b) => a - b).map((ms) => leftAt(start.getTime() + ms))
          expect(lefts).toEqual(lefts.toSorted((a, b) => Number(b - a)))
        },
      ),
    )
  })

  test('a larger price never has less left, so the difference to pay is never negative', () => {
    fc.assert(
      fc.property(amount, amount, span, fc.nat(), (one, other, [start, length], after) => {
        const rest = { start, end: new Date(start.getTime() + length) }
        const now = new Date(start.getTime() + (after % (length + 1)))
        const [small, large] = one < other ? [one, other] : [other, one]
        expect(unused(large, rest, now)).toBeGreaterThanOrEqual(unused(small, rest, now))
      }),
    )
  })
})
