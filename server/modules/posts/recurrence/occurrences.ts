import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { DAY } from '../../../../shared/time.ts'
import { invalid } from '../../../errors.ts'
import { checkTimeZone } from '../../auth/locale.ts'
import { parseRule } from './rule.ts'

/** When a recurring post occurs. `starts_at`: a date and time on the clocks of `timezone`, without an offset. */
export type Recurrence = { rule: string; starts_at: string; timezone: string }

/** No occurrence is looked for beyond this time. */
const MAX_AHEAD_MS = 10 * 366 * DAY

/**
 * The instant at which the clocks of the zone show a time. RFC 5545 (3.3.5): a time that they skip is read with the
 * offset before the gap, so 02:30 becomes 03:30; one that they show twice is the first.
 */
const instantOf = (local: Temporal.PlainDateTime, timezone: string) =>
  local.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds

/** The time that the clocks of the zone show, as if it were UTC. */
const shownAt = (instant: number, timezone: string) =>
  new Date(
    `${Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone).toPlainDateTime().toString({ smallestUnit: 'second' })}Z`,
  )

/**
 * The instants of the occurrences after a time, in their order. The rule is computed on dates and times without a zone,
 * so that summer time moves none; each is then read in the zone.
 */
export function* occurrencesAfter({ rule, starts_at, timezone }: Recurrence, after: Date): Generator<Date, void> {
  const { text, until } = parseRule(rule)
  const local = new RRuleTemporal({
    rruleString: `DTSTART:${starts_at.replace(/[-:]/g, '')}00Z\nRRULE:${text}`,
    temporal: Temporal,
  })
  const end = !until ? Number.POSITIVE_INFINITY : 'at' in until ? until.at.getTime() : endOf(until.local, timezone)
  const latest = Math.min(end, after.getTime() + MAX_AHEAD_MS)
  let last = after.getTime()
  // A day earlier, because clocks that are set back show times again.
  let shown = new Date(shownAt(last, timezone).getTime() - DAY)
  for (;;) {
    const next = nextOf(local, shown)
    if (!next) return
    shown = new Date(next.epochMilliseconds)
    const instant = instantOf(next.toPlainDateTime(), timezone)
    if (instant > latest) return
    if (instant <= last) continue
    last = instant
    yield new Date(instant)
  }
}

const endOf = (local: string, timezone: string) => instantOf(Temporal.PlainDateTime.from(local), timezone)

/** Undefined also for a rule such as 30 February, for which the library gives up its search. */
function nextOf(rule: RRuleTemporal<Temporal.ZonedDateTime>, after: Date) {
  try {
    return rule.next(after) ?? undefined
  } catch (error) {
    if (error instanceof Error && /^Maximum /.test(error.message)) return
    throw error
  }
}

export function firstOccurrences(recurrence: Recurrence, after: Date, count: number) {
  const found: Date[] = []
  for (const time of occurrencesAfter(recurrence, after)) if (found.push(time) >= count) break
  return found
}

export const nextOccurrence = (recurrence: Recurrence, after: Date) => firstOccurrences(recurrence, after, 1)[0] ?? null

/** Throws `invalid` for a rule, a start or a zone that cannot be, and for a rule without an occurrence in the future. */
export function checkRecurrence(recurrence: Recurrence, now: Date) {
  checkTimeZone(recurrence.timezone)
  checkStart(recurrence.starts_at, now)
  if (!nextOccurrence(recurrence, now))
    throw invalid('/rule', {
      en: 'This rule has no occurrence in the future.',
      tr: 'Bu kuralın gelecekte hiçbir tekrarı yok.',
    })
}

function checkStart(starts_at: string, now: Date) {
  const time = Date.parse(`${starts_at}Z`)
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(starts_at))
    throw invalid('/starts_at', { en: 'This date does not exist.', tr: 'Böyle bir tarih yok.' })
  if (Math.abs(time - now.getTime()) > MAX_AHEAD_MS)
    throw invalid('/starts_at', { en: 'This date is more than ten years away.', tr: 'Bu tarihe on yıldan fazla var.' })
}
