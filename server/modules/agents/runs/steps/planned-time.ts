import { MINUTE } from '../../../../../shared/time.ts'
import { nextTime } from '../../record/schedule.ts'

/** Time in which people can stop what an agent wrote, before it is published. */
const UNDO_MINUTES = 15
/** Time between two posts of a run. */
const SPACING_MINUTES = 90

type Hours = { timezone: string; quiet_from: string | null; quiet_until: string | null }

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

function isQuiet({ timezone, quiet_from, quiet_until }: Hours, time: Date) {
  if (quiet_from === null || quiet_until === null) return false
  const local = minutesOf(new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, timeStyle: 'short' }).format(time))
  const [from, until] = [minutesOf(quiet_from), minutesOf(quiet_until)]
  return from <= until ? from <= local && local < until : local >= from || local < until
}

/** The time itself, or the end of the quiet hours in which it lies. */
function outsideQuietHours(hours: Hours, time: Date) {
  if (!isQuiet(hours, time) || hours.quiet_until === null) return time
  const until = minutesOf(hours.quiet_until)
  const end = { schedule_cron: `${until % 60} ${Math.floor(until / 60)} * * *`, timezone: hours.timezone }
  return nextTime(end, time) ?? time
}

/** When the post at `position` of a run that began at `start` is to be published. Never before `now`. */
export function plannedTime(hours: Hours, { start, position, now }: { start: Date; position: number; now: Date }) {
  let time = outsideQuietHours(hours, new Date(start.getTime() + UNDO_MINUTES * MINUTE))
  for (let at = 1; at <= position; at++)
    time = outsideQuietHours(hours, new Date(time.getTime() + SPACING_MINUTES * MINUTE))
  const earliest = new Date(now.getTime() + UNDO_MINUTES * MINUTE)
  return time < earliest ? outsideQuietHours(hours, earliest) : time
}
