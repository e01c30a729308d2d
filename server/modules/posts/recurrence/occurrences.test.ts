import fc from 'fast-check'
import { DateTime } from 'luxon'
import rrule from 'rrule'
import { describe, expect, test } from 'vitest'
import { DAY } from '../../../../shared/time.ts'
import { SEED, timesOf } from '../../../../test/torture/settings.ts'
import { firstOccurrences, lastOccurrence, occurrencesAfter } from './occurrences.ts'
import { frequencies } from './rule.ts'

const zones = ['Europe/Istanbul', 'Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Africa/Cairo']
const long_ago = new Date('2026-01-01T00:00:00Z')
const times = (rule: string, starts_at: string, timezone = 'Europe/Berlin', count = 4, after = long_ago) =>
  firstOccurrences({ rule, starts_at, timezone }, after, count).map((time) => time.toISOString().slice(0, 16))

/** The occurrences by other libraries: one for the rule, one for the zone. */
const timesOfOthers = (rule: string, starts_at: string, timezone: string, count: number) =>
  rrule
    .rrulestr(`DTSTART:${starts_at.replace(/[-:]/g, '')}00Z\nRRULE:${rule}`)
    .all((time, index) => index < count && time.getUTCFullYear() < 2050)
    .map((time) => DateTime.fromJSDate(time, { zone: 'utc' }).setZone(timezone, { keepLocalTime: true }))
    // luxon takes either of two times that clocks show alike.
    .map((time) => Math.min(...time.getPossibleOffsets().map((one) => one.toMillis())))

describe('occurrences', () => {
  test('the hour on the clocks stays the same when summer time begins and ends', () => {
    expect(times('FREQ=DAILY', '2027-03-27T09:00', 'Europe/Berlin', 3)).toEqual([
      '2027-03-27T08:00',
      '2027-03-28T07:00',
      '2027-03-29T07:00',
    ])
    expect(times('FREQ=WEEKLY;BYDAY=SU', '2027-10-24T09:00', 'Europe/Berlin', 2)).toEqual([
      '2027-10-24T07:00',
      '2027-10-31T08:00',
    ])
  })

  test('a time that clocks skip is read with the offset before the gap, and counts', () => {
    expect(times('FREQ=DAILY;COUNT=3', '2027-03-27T02:30')).toEqual([
      '2027-03-27T01:30',
      '2027-03-28T01:30',
      '2027-03-29T00:30',
    ])
  })

  test('nor is a day lost whose midnight clocks skip', () => {
    expect(times('FREQ=WEEKLY;BYDAY=FR', '2027-04-23T00:30', 'Africa/Cairo', 3)).toEqual([
      '2027-04-22T22:30',
      '2027-04-29T22:30',
      '2027-05-06T21:30',
    ])
  })

  test('a time that clocks show twice comes once, at the first', () => {
    expect(times('FREQ=DAILY;COUNT=3', '2027-10-30T02:30')).toEqual([
      '2027-10-30T00:30',
      '2027-10-31T00:30',
      '2027-11-01T01:30',
    ])
    const between = new Date('2027-10-31T01:00:00Z')
    expect(times('FREQ=DAILY', '2027-10-30T02:30', 'Europe/Berlin', 1, between)).toEqual(['2027-11-01T01:30'])
  })

  test('a month without its day has no occurrence', () => {
    expect(times('FREQ=MONTHLY', '2027-01-31T12:00', 'UTC', 3)).toEqual([
      '2027-01-31T12:00',
      '2027-03-31T12:00',
      '2027-05-31T12:00',
    ])
    expect(times('FREQ=MONTHLY;BYMONTHDAY=-1', '2027-01-31T12:00', 'UTC', 2)).toEqual([
      '2027-01-31T12:00',
      '2027-02-28T12:00',
    ])
  })

  test('it ends after COUNT, and with UNTIL, whose day is included', () => {
    expect(times('FREQ=DAILY;COUNT=2', '2027-01-01T23:30', 'Europe/Istanbul')).toEqual([
      '2027-01-01T20:30',
      '2027-01-02T20:30',
    ])
    for (const until of ['20270102', '20270102T233000', '20270102T203000Z'])
      expect(times(`FREQ=DAILY;UNTIL=${until}`, '2027-01-01T23:30', 'Europe/Istanbul'), until).toEqual([
        '2027-01-01T20:30',
        '2027-01-02T20:30',
      ])
    expect(times('FREQ=DAILY;UNTIL=20270102T202959Z', '2027-01-01T23:30', 'Europe/Istanbul').length).toBe(1)
  })

  test('a start that the rule does not match is no occurrence', () => {
    expect(times('FREQ=WEEKLY;BYDAY=MO', '2027-01-01T12:00', 'UTC', 1)).toEqual(['2027-01-04T12:00'])
  })

  test('a day that never comes has none', () => {
    expect(times('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', '2027-01-01T12:00')).toEqual([])
  })

  const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
  const listOf = <T>(item: fc.Arbitrary<T>, maxLength = 4) =>
    fc.uniqueArray(item, { minLength: 1, maxLength }).map((items) => items.join(','))
  const byDay = listOf(fc.constantFrom(...days))
  const optional = (name: string, value: fc.Arbitrary<string | number>) =>
    fc.option(value, { nil: undefined }).map((given) => (given === undefined ? '' : `;${name}=${given}`))
  const rule = fc.constantFrom(...frequencies).chain((frequency) => {
    const nth = fc.tuple(fc.constantFrom(1, 2, 3, 4, -1, -2), fc.constantFrom(...days)).map(([n, day]) => `${n}${day}`)
    const parts: Record<(typeof frequencies)[number], fc.Arbitrary<string>[]> = {
      DAILY: [optional('BYDAY', byDay), optional('BYMONTH', listOf(fc.integer({ min: 1, max: 12 })))],
      WEEKLY: [optional('BYDAY', byDay), optional('WKST', fc.constantFrom('MO', 'SU'))],
      MONTHLY: [
        fc.oneof(
          optional('BYMONTHDAY', listOf(fc.integer({ min: 1, max: 31 }))),
          optional('BYMONTHDAY', fc.constantFrom(-1, -2, -31)),
          optional('BYDAY', listOf(nth, 2)),
          fc.tuple(byDay, fc.constantFrom(1, 2, -1)).map(([on, position]) => `;BYDAY=${on};BYSETPOS=${position}`),
        ),
      ],
      YEARLY: [
        fc
          .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
          .map(([month, day]) => `;BYMONTH=${month};BYMONTHDAY=${day}`),
      ],
    }
    return fc
      .tuple(
        fc.integer({ min: 1, max: 5 }),
        fc.tuple(...parts[frequency]),
        optional('COUNT', fc.integer({ min: 1, max: 60 })),
      )
      .map(([interval, more, count]) => `FREQ=${frequency};INTERVAL=${interval}${more.join('')}${count}`)
  })
  /** Days before a change of clocks in one of the zones, and others. */
  const start = fc
    .record({
      day: fc.constantFrom(
        ...['2027-03-12', '2027-03-26', '2027-04-02', '2027-04-28', '2027-10-01', '2027-10-27', '2027-10-29'],
        ...['2027-11-05', '2026-01-31', '2028-02-29'],
        // Clocks of Istanbul and São Paulo do not change any more.
        ...['2015-10-24', '2016-03-25', '2017-10-14', '2018-02-16'],
      ),
      hour: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 23 })),
      minute: fc.constantFrom(0, 15, 30, 45, 59),
    })
    .map(({ day, hour, minute }) => `${day}T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)

  test('the last occurrence of a rule with an end is the last of all that it has', () => {
    const end = fc.oneof(
      fc.integer({ min: 1, max: 60 }).map((count) => `;COUNT=${count}`),
      fc.constantFrom(';UNTIL=20280401', ';UNTIL=20271031T003000Z', ';UNTIL=20280326T023000', ';UNTIL=20270430'),
    )
    const withEnd = rule.map((text) => text.replace(/;COUNT=\d+/, ''))
    fc.assert(
      fc.property(fc.constantFrom(...zones), withEnd, end, start, (timezone, text, last, starts_at) => {
        const recurrence = { rule: `${text}${last}`, starts_at, timezone }
        const before = new Date(Date.parse(`${starts_at}Z`) - 2 * DAY)
        const all = firstOccurrences(recurrence, before, 5000)
        const found = lastOccurrence(recurrence)
        // The search for all ends after ten years.
        if (!found || found.getTime() < before.getTime() + 3650 * DAY) expect(found).toEqual(all.at(-1) ?? null)
      }),
      { numRuns: timesOf('RECURRENCE_RUNS', 60), seed: SEED },
    )
  })

  // More of it: npm run torture -- recurrence
  test(`in five zones, those of every rule are those of other libraries (seed ${SEED})`, () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), rule, start, (timezone, text, starts_at) => {
        const others = timesOfOthers(text, starts_at, timezone, 40)
        const own: number[] = []
        const before = new Date(Date.parse(`${starts_at}Z`) - 2 * DAY)
        for (const time of occurrencesAfter({ rule: text, starts_at, timezone }, before)) {
          own.push(time.getTime())
          if (own.length >= 40) break
        }
        expect(own).toEqual(others.slice(0, own.length))
        // The search ends after ten years.
        if (own.length < Math.min(40, others.length))
          expect(others[own.length]).toBeGreaterThan(before.getTime() + 3650 * DAY)
      }),
      { numRuns: timesOf('RECURRENCE_RUNS', 60), seed: SEED },
    )
  })
})
