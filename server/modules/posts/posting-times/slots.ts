import { DAY } from '../../../../shared/time.ts'
import { clockOf, firstInstant } from '../../../lib/wall-clock.ts'
import { type PostingTime, weekdays } from './posting-times.schema.ts'

/** Times of the week on the clocks of an IANA time zone. */
export type WeeklyTimes = { timezone: string; times: readonly PostingTime[] }

/** 5 January 1970, a Monday. */
const A_MONDAY = 4 * DAY

/**
 * The instants of posting times from `from` to before `to`. A time that clocks skip in spring moves to the end of the
 * gap; one that they show twice in autumn comes once, at the first.
 */
export function* slotsBetween({ timezone, times }: WeeklyTimes, from: Date, to: Date) {
  const clock = clockOf(timezone)
  let last = from.getTime() - 1
  const today = Math.floor(clock(from.getTime()) / DAY) * DAY
  for (let day = today - DAY; day <= to.getTime() + DAY; day += DAY) {
    const weekday = weekdays[((day - A_MONDAY) / DAY) % 7]
    for (const { time } of times.filter((one) => one.weekday === weekday)) {
      const slot = firstInstant(clock, day + Date.parse(`1970-01-01T${time}:00Z`))
      if (slot >= to.getTime()) return
      if (slot <= last) continue
      last = slot
      yield new Date(slot)
    }
  }
}
