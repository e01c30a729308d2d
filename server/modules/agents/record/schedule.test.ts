import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../errors.ts'
import { checkSchedule, lastDue, MAX_MISSED, nextTime, type Schedule, slotOf } from './schedule.ts'

const now = new Date('2026-11-22T12:00:00Z')

const refusal = (pattern: string) => {
  try {
    checkSchedule(pattern, now)
  } catch (error) {
    if (error instanceof Problem) return error.options.errors?.[0]?.message
    throw error
  }
}

/** The first times after `from`, in UTC to the minute. */
function times(schedule_cron: string, timezone: string, from: string, count: number) {
  const found: string[] = []
  let at: Date | null = new Date(from)
  while (found.length < count && at) {
    at = nextTime({ schedule_cron, timezone }, at)
    if (at) found.push(at.toISOString().slice(0, 16))
  }
  return found
}

describe('a schedule', () => {
  test.each([
    ['0 9 * * *'],
    ['*/15 8-20 * * 1-5'],
    ['30 10 * JAN,dec MON-fri'],
    ['0 9 29 2 *'],
    ['0,15,30,45 * * * *'],
  ])('%s is accepted', (pattern) => {
    expect(refusal(pattern)).toBeUndefined()
  })

  test.each([
    ...['', '@daily', '0 9 * *', '0 0 9 * * *', '0 9 L * *', '0 9 15W * *', '0 9 * * 1#2', '0 9 ? * *', '0 9 * * +1'],
    ...[
      '60 9 * * *',
      '0 24 * * *',
      '0 9 0 * *',
      '0 9 * 13 *',
      '*/90 * * * *',
      'H 9 * * *',
      '0 9 * XYZ *',
      '0  9 * * *',
    ],
  ])('"%s" is refused: five fields are expected', (pattern) => {
    expect(refusal(pattern)).toMatch(/five fields/)
  })

  test('a date that no year has is refused', () => {
    for (const pattern of ['0 9 30 2 *', '0 9 31 4,6,9,11 *']) expect(refusal(pattern)).toBe('This time never comes.')
  })

  test('runs less than 15 minutes apart are refused, also when only two of them are', () => {
    for (const pattern of ['* * * * *', '*/14 * * * *', '0,10 9 * * *', '59,0 * * * *', '0,5 9 24 12 *'])
      expect(refusal(pattern)).toMatch(/15 minutes/)
  })
})

describe('the next time', () => {
  test.each([
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
    ['30 2 * * *', 'America/New_York', '2026-03-07T12:00Z', ['2026-03-08T07:00', '2026-03-09T06:30']],
    ['0 0 * * *', 'Africa/Cairo', '2026-04-22T12:00Z', ['2026-04-22T22:00', '2026-04-23T22:00', '2026-04-24T21:00']],
    [
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-02T12:00Z',
      ['2026-10-02T15:45', '2026-10-03T15:30', '2026-10-04T15:15'],
    ],
    ['0 9 * * *', 'Europe/Istanbul', '2026-03-27T12:00Z', ['2026-03-28T06:00', '2026-03-29T06:00']],
    ['0 9 31 * *', 'UTC', '2026-01-31T10:00Z', ['2026-03-31T09:00', '2026-05-31T09:00', '2026-07-31T09:00']],
    ['0 9 29 2 *', 'UTC', '2026-01-01T00:00Z', ['2028-02-29T09:00']],
  ])('of %s in %s after %s follows its clocks', (pattern, zone, from, expected) => {
    expect(times(pattern, zone, from, expected.length)).toEqual(expected)
  })

  test('two times in an hour that clocks repeat have the same slot', () => {
    const berlin = { schedule_cron: '0 */2 * * *', timezone: 'Europe/Berlin' }
    const slots = times(berlin.schedule_cron, berlin.timezone, '2026-10-24T22:30Z', 3).map((time) =>
      slotOf(berlin, new Date(`${time}Z`)),
    )
    expect(slots).toEqual(['2026-10-25T02:00', '2026-10-25T02:00', '2026-10-25T04:00'])
  })

  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'Europe/Istanbul']
  const daily = fc.record({
    hour: fc.nat({ max: 23 }),
    minute: fc.nat({ max: 59 }),
    timezone: fc.constantFrom(...zones),
    day: fc.nat({ max: 364 }),
  })
  test('of a daily schedule is on the next local day, at its local minute unless clocks skip it', () => {
    fc.assert(
      fc.property(daily, ({ hour, minute, timezone, day }) => {
        const schedule = { schedule_cron: `${minute} ${hour} * * *`, timezone }
        const first = nextTime(schedule, new Date(Date.UTC(2026, 0, 1 + day)))
        const second = first && nextTime(schedule, first)
        if (!first || !second) throw new Error('a daily schedule ended')
        const hours = (second.getTime() - first.getTime()) / 3_600_000
        expect(hours).toBeGreaterThanOrEqual(22)
        expect(hours).toBeLessThanOrEqual(26)
        const [date, local] = slotOf(schedule, second).split('T')
        expect(date).not.toBe(slotOf(schedule, first).split('T')[0])
        const wanted = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
        if (local !== wanted)
          expect(slotOf(schedule, new Date(second.getTime() - 1))).not.toContain(`${date}T${wanted}`)
      }),
      { numRuns: 200 },
    )
  })
})

describe('the last due time', () => {
  const nine: Schedule = { schedule_cron: '0 9 * * *', timezone: 'Europe/Istanbul' }
  const since = new Date('2026-11-20T06:00:00Z')

  test('is the time itself in its minute, and nothing before it', () => {
    expect(lastDue(nine, since, since)).toEqual({ time: since, missed: 0 })
    expect(lastDue(nine, since, new Date(since.getTime() - 1))).toBeUndefined()
  })

  test('after a downtime is the newest, with the number of those that were missed', () => {
    const back = new Date('2026-11-23T05:59:00Z')
    expect(lastDue(nine, since, back)).toEqual({ time: new Date('2026-11-22T06:00:00Z'), missed: 2 })
  })

  test('of an agent that slept for years is found without counting all of them', () => {
    const quarter = { schedule_cron: '*/15 * * * *', timezone: 'UTC' }
    const found = lastDue(quarter, new Date('2016-01-01T00:00:00Z'), new Date('2026-01-01T00:07:00Z'))
    expect(found).toEqual({ time: new Date('2026-01-01T00:00:00Z'), missed: MAX_MISSED })
  })
})
