import { Cron } from 'croner'
import { DAY, MINUTE } from '../../../../shared/time.ts'
import { invalid } from '../../../errors.ts'

/** Times in cron notation, read on the clocks of an IANA time zone. */
export type Schedule = { schedule_cron: string; timezone: string }

/** Digits, `*`, steps, ranges, lists, and names of months and days. Excludes what only some crons know, such as `L`. */
const FIVE_FIELDS = /^(?:[\d*/,-]|[A-Z]{3})+(?: (?:[\d*/,-]|[A-Z]{3})+){4}$/i

/** Shortest time between two runs. */
const MIN_INTERVAL_MINUTES = 15
const CHECKED_RUNS = 200
const CHECKED_DAYS = 400

/** Counting stops here, because an agent can have slept for years. */
export const MAX_MISSED = 100

/** Lists and ranges of hours are times of day like a single one, so none of them is lost when clocks skip it. */
const cronOf = ({ schedule_cron, timezone }: Schedule) =>
  new Cron(schedule_cron, { mode: '5-part', timezone, fixedTimeRule: 'no-wildcard' })

function parsed(schedule_cron: string) {
  if (!FIVE_FIELDS.test(schedule_cron)) return undefined
  try {
    return cronOf({ schedule_cron, timezone: 'UTC' })
  } catch {
    return undefined
  }
}

/** Shortest minutes between runs. Read in UTC, because the end of summer time brings runs closer for one night. */
function shortestInterval(cron: Cron, now: Date) {
  let before = cron.nextRun(now)
  let shortest = Number.POSITIVE_INFINITY
  for (let run = 0; before && run < CHECKED_RUNS && before.getTime() < now.getTime() + CHECKED_DAYS * DAY; run++) {
    const next = cron.nextRun(before)
    if (next) shortest = Math.min(shortest, (next.getTime() - before.getTime()) / MINUTE)
    before = next
  }
  return shortest
}

/** Throws `invalid` at `/schedule_cron` for a pattern that is malformed, never comes, or comes too often. */
export function checkSchedule(schedule_cron: string, now: Date) {
  const refused = (en: string, tr: string) => invalid('/schedule_cron', { en, tr })
  const cron = parsed(schedule_cron)
  if (!cron)
    throw refused(
      'Write five fields: minute, hour, day of month, month, day of week.',
      'Beş alan yazın: dakika, saat, ayın günü, ay, haftanın günü.',
    )
  if (!cron.nextRun(now)) throw refused('This time never comes.', 'Bu zaman hiç gelmez.')
  if (shortestInterval(cron, now) < MIN_INTERVAL_MINUTES)
    throw refused(
      `Leave at least ${MIN_INTERVAL_MINUTES} minutes between runs.`,
      `Çalışmaların arasında en az ${MIN_INTERVAL_MINUTES} dakika bırakın.`,
    )
}

/**
 * First time after `after`. A time that clocks skip in spring moves to the end of the gap, unless minute or hour has `*`
 * or a step: then it is skipped, and one that they repeat in autumn is returned twice, with the same slot.
 */
export const nextTime = (schedule: Schedule, after: Date) => cronOf(schedule).nextRun(after)

/** Name of a run: its minute on the clocks of the agent, such as `2026-11-22T09:00`. A repeated hour repeats its names. */
export const slotOf = ({ timezone }: Pick<Schedule, 'timezone'>, time: Date) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
    .format(time)
    .replace(' ', 'T')

/** Last time that is due when `since` was the next one, and the number of those before it, at most `MAX_MISSED`. */
export function lastDue(schedule: Schedule, since: Date, now: Date) {
  const cron = cronOf(schedule)
  const [last] = cron.previousRuns(1, new Date(now.getTime() + 1))
  if (!last || last < since) return
  let missed = 0
  for (let time: Date | null = since; time && time < last && missed < MAX_MISSED; time = cron.nextRun(time)) missed++
  return { time: last, missed }
}
