import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { daily } from '../../../../test/queue.ts'
import { weekdays } from './posting-times.schema.ts'
import { slotsBetween } from './slots.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'Europe/Istanbul']
const at = (text: string) => new Date(text)
const slots = (timezone: string, time: string, from: string, to: string) =>
  [...slotsBetween({ timezone, times: daily(time) }, at(from), at(to))].map((slot) => slot.toISOString())

/** The slots by another way: every minute is looked at. A slot is the first at which its time has come. */
function slotsByMinutes(timeZone: string, times: { weekday: string; time: string }[], from: number, to: number) {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const found = new Map<string, number>()
  const days = new Map<string, string>()
  for (let minute = from - 2 * DAY; minute < to; minute += MINUTE) {
    const parts = Object.fromEntries(format.formatToParts(minute).map(({ type, value }) => [type, value]))
    const day = `${parts.year}-${parts.month}-${parts.day}`
    const shown = `${day} ${parts.hour}:${parts.minute}`
    let weekday = days.get(day)
    if (!weekday) {
      weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(new Date(day)).toLowerCase()
      days.set(day, weekday)
    }
    for (const [known, name] of days)
      for (const { time } of times.filter((one) => one.weekday === name)) {
        const slot = `${known} ${time}`
        if (!found.has(slot) && shown >= slot) found.set(slot, minute)
      }
  }
  return [...new Set(found.values())].filter((minute) => minute >= from).sort((a, b) => a - b)
}

describe('slots', () => {
  test('a time that clocks skip moves to the end of the gap, and then merges with the time there', () => {
    const night = ['2027-03-27T12:00:00Z', '2027-03-28T12:00:00Z'] as const
    expect(slots('Europe/Berlin', '02:30', ...night)).toEqual(['2027-03-28T01:00:00.000Z'])
    const times = daily('02:15', '02:45', '03:00')
    const both = [...slotsBetween({ timezone: 'Europe/Berlin', times }, at(night[0]), at(night[1]))]
    expect(both.map((slot) => slot.toISOString())).toEqual(['2027-03-28T01:00:00.000Z'])
  })

  test('a time that clocks show twice comes once, at the first', () => {
    expect(slots('Europe/Berlin', '02:30', '2027-10-30T12:00:00Z', '2027-10-31T12:00:00Z')).toEqual([
      '2027-10-31T00:30:00.000Z',
    ])
  })

  test('the first is included and the last is not', () => {
    const span = ['2026-11-23T06:30:00Z', '2026-11-24T06:30:00Z'] as const
    expect(slots('Europe/Istanbul', '09:30', ...span)).toEqual(['2026-11-23T06:30:00.000Z'])
  })

  test('in five zones, all slots of the days around a change of clocks are those that a look at every minute finds', () => {
    const time = fc
      .record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) })
      .map(({ hour, minute }) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
    const changes = ['2027-03-14', '2027-03-28', '2027-04-04', '2027-04-30', '2027-10-03', '2027-10-29', '2027-10-31']
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...changes, '2027-11-07', '2027-06-15'),
        fc.array(fc.record({ weekday: fc.constantFrom(...weekdays), time }), { minLength: 1, maxLength: 12 }),
        (timezone, day, unsorted) => {
          const times = unsorted.toSorted((a, b) => a.time.localeCompare(b.time))
          const from = Date.parse(day) - DAY
          const to = from + 3 * DAY
          const got = [...slotsBetween({ timezone, times }, new Date(from), new Date(to))]
          expect(got.map((slot) => slot.toISOString())).toEqual(
            slotsByMinutes(timezone, times, from, to).map((minute) => new Date(minute).toISOString()),
          )
        },
      ),
      { numRuns: 60 },
    )
  })
})
