import { DAY, MINUTE, SECOND } from '../../shared/time.ts'

export type Clock = (instant: number) => number

/**
 * Clocks change at the beginning of a quarter of an hour, in all zones since 2023. Some of earlier years changed a minute
 * later, those of Newfoundland until 2011 and of Casey Station until 2022, and are wrong here for the rest of that quarter.
 */
const QUARTER = 15 * MINUTE

/** Returns the wall-clock time of a zone at an instant, in milliseconds as if it were UTC. */
export function clockOf(timeZone: string): Clock {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  // Formatting is slow, and who asks once asks again for times close by.
  const offsets = new Map<number, number>()
  return (instant) => {
    const quarter = Math.floor(instant / QUARTER) * QUARTER
    const offset = offsets.get(quarter) ?? Date.parse(`${format.format(quarter).replace(' ', 'T')}Z`) - quarter
    offsets.set(quarter, offset)
    return Math.floor(instant / SECOND) * SECOND + offset
  }
}

/** The first instant at which the clocks show `wall`, or a later time if they skip it. */
export function firstInstant(clock: Clock, wall: number) {
  const offsets = [wall - DAY, wall + DAY].map((instant) => clock(instant) - instant)
  const [early, late] = [wall - Math.max(...offsets), wall - Math.min(...offsets)]
  if (clock(early) === wall) return early
  if (clock(late) === wall) return late
  let [skipped, shown] = [early, late]
  while (shown - skipped > 1) {
    const middle = Math.floor((skipped + shown) / 2)
    if (clock(middle) < wall) skipped = middle
    else shown = middle
  }
  return shown
}

/** Milliseconds of a time of day, such as `08:30`, from midnight. */
const msOf = (time: string) => Date.parse(`1970-01-01T${time}:00Z`)

/** The next time after `instant` at which the clocks of a zone show `time`, such as `08:30`. */
export function nextTimeOfDay(timeZone: string, time: string, instant: Date) {
  const clock = clockOf(timeZone)
  const today = Math.floor(clock(instant.getTime()) / DAY) * DAY
  for (let day = today - DAY; ; day += DAY) {
    const next = firstInstant(clock, day + msOf(time))
    if (next > instant.getTime()) return new Date(next)
  }
}

/** Whether the clocks of a zone show a time of the span, which may pass midnight. */
export function isWithinTimes(timeZone: string, { from, until }: { from: string; until: string }, instant: Date) {
  const shown = clockOf(timeZone)(instant.getTime()) % DAY
  const [begin, end] = [msOf(from), msOf(until)]
  return begin <= end ? begin <= shown && shown < end : begin <= shown || shown < end
}
