import { CronExpressionParser } from 'cron-parser'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { DAY } from '../../../../shared/time.ts'
import { SEED, timesOf } from '../../../../test/torture/settings.ts'
import { lastDue, nextTime, type Schedule, slotOf } from './schedule.ts'

// More of it: npm run torture -- cron
const RUNS = timesOf('CRON_RUNS', 300)
/** Times that are compared of one schedule, within this time. */
const [MAX_TIMES, MAX_MS] = [60, 400 * DAY]

/** Zones whose clocks move by an hour at night or at midnight, and by half an hour. */
const zones = ['Europe/Berlin', 'America/New_York', 'Africa/Cairo', 'America/Havana', 'Australia/Lord_Howe']

/** The time on the clocks of a zone, as if they were those of UTC. */
const wallOf = (time: Date, timezone: string) => new Date(`${slotOf({ timezone }, time)}Z`)

/** The time of a wall time: the first of two, and `atEnd` the end of a gap for one that clocks skip. */
function timeOf(wall: Date, timezone: string, atEnd: boolean) {
  const local = Temporal.PlainDateTime.from(wall.toISOString().slice(0, 16))
  const before = local.toZonedDateTime(timezone, { disambiguation: 'earlier' })
  if (before.toPlainDateTime().equals(local)) return before.epochMilliseconds
  return atEnd ? before.getTimeZoneTransition('next')?.epochMilliseconds : undefined
}

/** The next times by another library, which reads the fields, and by the calendar of Temporal. */
function expectedTimes({ schedule_cron, timezone }: Schedule, from: Date) {
  const currentDate = new Date(wallOf(from, timezone).getTime() - DAY)
  const cron = CronExpressionParser.parse(schedule_cron, { tz: 'UTC', currentDate })
  const isTimeOfDay = !/[*/]/.test(schedule_cron.split(' ').slice(0, 2).join())
  const found = new Set<number>()
  while (found.size < MAX_TIMES) {
    const wall = cron.next().toDate()
    if (wall.getTime() > from.getTime() + MAX_MS) break
    const time = timeOf(wall, timezone, isTimeOfDay)
    if (time !== undefined && time > from.getTime()) found.add(time)
  }
  // A repeated hour comes before times that are later on the clocks.
  return [...found].sort((a, b) => a - b)
}

/** The next times of an agent, each slot once. */
function actualTimes(schedule: Schedule, from: Date, until: number) {
  const slots = new Map<string, number>()
  let at = nextTime(schedule, from)
  while (at && at.getTime() <= until) {
    const slot = slotOf(schedule, at)
    if (!slots.has(slot)) slots.set(slot, at.getTime())
    at = nextTime(schedule, at)
  }
  return [...slots.values()]
}

const number = (min: number, max: number) => fc.integer({ min, max }).map(String)
const list = (min: number, max: number) =>
  fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 }).map((all) => all.join(','))
const range = (min: number, max: number) =>
  fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).map((ends) => ends.sort((a, b) => a - b).join('-'))
const isReadable = (fields: string) => {
  try {
    return CronExpressionParser.parse(fields) !== undefined
  } catch {
    return false
  }
}
const pattern = fc
  .tuple(
    fc.oneof(number(0, 59), list(0, 59), fc.constantFrom('0', '*/15', '*/20', '*/30')),
    fc.oneof(
      number(0, 4),
      number(0, 23),
      list(0, 23),
      range(0, 23),
      fc.constantFrom('*', '*/2', '*/5', '0-3', '23,0,1'),
    ),
    fc.oneof(fc.constant('*'), number(1, 31), list(1, 31), range(1, 28)),
    fc.oneof({ weight: 3, arbitrary: fc.constant('*') }, list(1, 12), fc.constantFrom('MAR,OCT', 'apr-nov')),
    fc.oneof({ weight: 2, arbitrary: fc.constant('*') }, number(0, 7), list(0, 6), fc.constantFrom('MON-FRI', 'sun')),
  )
  .map((fields) => fields.join(' '))
  // The library refuses a day that none of the months has, such as April 31.
  .filter(isReadable)

/** Days before and after changes of the clocks in all zones, at a time of day at which none changes. */
const noons = fc
  .tuple(
    fc.integer({ min: 2025, max: 2029 }),
    fc.oneof(
      fc.constantFrom([2, 4], [2, 26], [3, 1], [3, 20], [9, 1], [9, 22], [10, 1]),
      fc.tuple(fc.nat(11), fc.nat(27)),
    ),
    fc.nat(10),
  )
  .map(([year, [month = 0, day = 0], later]) => new Date(Date.UTC(year, month, day + later, 12)))

test(`a schedule comes at the times of another library, each wall time once, when clocks change, too (seed ${SEED})`, () => {
  fc.assert(
    fc.property(pattern, fc.constantFrom(...zones), noons, (schedule_cron, timezone, from) => {
      const schedule = { schedule_cron, timezone }
      const expected = expectedTimes(schedule, from)
      const until = expected.at(-1) ?? from.getTime()
      const iso = (times: readonly number[]) => times.map((time) => new Date(time).toISOString().slice(0, 16))
      const actual = actualTimes(schedule, from, until)
      expect(iso(actual)).toEqual(iso(expected))
      // Looking back from the moment before the next time finds the same.
      for (const time of actual.slice(0, 20).map((each) => new Date(each))) {
        const next = nextTime(schedule, time)
        if (next) expect(lastDue(schedule, time, new Date(next.getTime() - 1))).toEqual({ time, missed: 0 })
      }
    }),
    { numRuns: RUNS, seed: SEED },
  )
})
