import { LRUCache } from 'lru-cache'
import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { writeRuleText } from '../../../../shared/recurrence/write.ts'
import { DAY, SECOND } from '../../../../shared/time.ts'
import { invalid } from '../../../errors.ts'
import { checkTimeZone } from '../../auth/locale.ts'
import { endingOn, hasCount, parseRule, type Rule, without } from './rule.ts'

/** When a recurring post occurs. `starts_at`: a date and time on the clocks of `timezone`, without an offset. */
export type Recurrence = { rule: string; starts_at: string; timezone: string }

type Until = Rule['until']

/** No occurrence is looked for beyond this time. */
const MAX_AHEAD_MS = 10 * 366 * DAY

/**
 * The instant at which the clocks of the zone show a time. RFC 5545 (3.3.5): a time that they skip is read with the
 * offset before the gap, so 02:30 becomes 03:30; one that they show twice is the first.
 */
const instantOf = (local: Temporal.PlainDateTime, timezone: string) =>
  local.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds

/** The time that the clocks of the zone show, as if it were UTC. */
export const shownAt = (instant: number, timezone: string) =>
  new Date(
    `${Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone).toPlainDateTime().toString({ smallestUnit: 'second' })}Z`,
  )

/** The rule on dates and times without a zone. `until` is not part of it. */
function localRule({ rule, starts_at }: Pick<Recurrence, 'rule' | 'starts_at'>) {
  const { text, until } = parseRule(rule)
  const rruleString = `DTSTART:${starts_at.replace(/[-:]/g, '')}00Z\nRRULE:${text}`
  return { until, local: new RRuleTemporal({ rruleString, temporal: Temporal }) }
}

/** The instants of the occurrences after a time, in their order. */
export function* occurrencesAfter(recurrence: Recurrence, after: Date): Generator<Date, void> {
  for (const { instant } of timesAfter(recurrence, after)) yield instant
}

/**
 * The occurrences after a time. The rule is computed on dates and times without a zone, so that summer time moves none;
 * each is then read in the zone. `shown`: its date and time by the rule, as if it were UTC.
 */
function* timesAfter(
  { rule, starts_at, timezone }: Recurrence,
  after: Date,
): Generator<{ instant: Date; shown: Date }, void> {
  const { until, local } = localRule({ rule, starts_at })
  const latest = after.getTime() + MAX_AHEAD_MS
  let last = after.getTime()
  // A day earlier, because clocks that are set back show times again.
  let shown = new Date(shownAt(last, timezone).getTime() - DAY)
  for (;;) {
    const next = nextOf(local, shown)
    if (!next) return
    shown = new Date(next.epochMilliseconds)
    const instant = instantOf(next.toPlainDateTime(), timezone)
    if (instant > latest || isPast(until, { shown, instant })) return
    if (instant <= last) continue
    last = instant
    yield { instant: new Date(instant), shown }
  }
}

/**
 * Whether an occurrence comes after the end of its rule. An end on the clocks is compared with the time by the rule: where
 * clocks skip 23:30, that of the last day is moved to the next one, and belongs to the rule.
 */
const isPast = (until: Until, { shown, instant }: { shown: Date; instant: number }) =>
  until !== null && ('at' in until ? instant > until.at.getTime() : shown.getTime() > Date.parse(`${until.local}Z`))

/** Undefined also for a rule such as 30 February, for which the library gives up its search. */
function nextOf(rule: RRuleTemporal<Temporal.ZonedDateTime>, after: Date) {
  return search(() => rule.next(after))
}

function search<Found>(find: () => Found | null) {
  try {
    return find() ?? undefined
  } catch (error) {
    if (error instanceof Error && /^Maximum /.test(error.message)) return
    throw error
  }
}

export function isOccurrence(recurrence: Recurrence, time: Date) {
  return nextOccurrence(recurrence, new Date(time.getTime() - 1))?.getTime() === time.getTime()
}

/**
 * Cuts a recurrence before one of its occurrences. Returns the part before it, which is null if that is the first, and the
 * part that begins with it. Together they have the same occurrences.
 */
export function splitAt(recurrence: Recurrence, from: Date) {
  const { rule, starts_at, timezone } = recurrence
  const [first] = timesAfter(recurrence, new Date(from.getTime() - 1))
  if (first?.instant.getTime() !== from.getTime()) return
  const begin = first.shown.toISOString().slice(0, 16)
  // An occurrence a day is the most.
  const last_day = new Date(first.shown.getTime() - DAY).toISOString().slice(0, 10)
  const start = new Date(Date.parse(`${starts_at}Z`) - 2 * DAY)
  let earlier = 0
  for (const time of occurrencesAfter(recurrence, start)) {
    if (time >= from) break
    earlier++
    if (!hasCount(rule)) break
  }
  return {
    former: earlier === 0 ? null : { rule: endingOn(rule, last_day), starts_at, timezone },
    following: { rule: without(rule, earlier), starts_at: begin, timezone },
  }
}

/** A time after all occurrences that a rule with COUNT has. */
const END_OF_TIME = new Date('2400-01-01T00:00:00Z')

/** Last occurrences that were searched for: a list shows them of each recurring post, and a search can take 0.2 s. */
const lastOccurrences = new LRUCache<string, { at: Date | null }>({ max: 1000 })

/** The last occurrence of a rule. Null for a rule without an end. */
export function lastOccurrence(recurrence: Recurrence) {
  const { rule, starts_at, timezone } = recurrence
  const key = `${rule} ${starts_at} ${timezone}`
  const known = lastOccurrences.get(key) ?? { at: searchLast(recurrence) }
  lastOccurrences.set(key, known)
  return known.at
}

function searchLast({ rule, starts_at, timezone }: Recurrence) {
  const { until, local } = localRule({ rule, starts_at })
  if (!until && !hasCount(rule)) return null
  let before = untilShown(until, timezone)
  for (;;) {
    const found = search(() => local.previous(before))
    if (!found) return null
    const shown = new Date(found.epochMilliseconds)
    const instant = instantOf(found.toPlainDateTime(), timezone)
    if (!isPast(until, { shown, instant })) return new Date(instant)
    before = shown
  }
}

/** A time on the clocks that is later than all occurrences of a rule with this end. */
function untilShown(until: Until, timezone: string) {
  if (!until) return END_OF_TIME
  if ('local' in until) return new Date(Date.parse(`${until.local}Z`) + SECOND)
  // A day later, because clocks that are set back show times again.
  return new Date(shownAt(until.at.getTime(), timezone).getTime() + DAY)
}

export function firstOccurrences(recurrence: Recurrence, after: Date, count: number) {
  const found: Date[] = []
  for (const time of occurrencesAfter(recurrence, after)) if (found.push(time) >= count) break
  return found
}

export const nextOccurrence = (recurrence: Recurrence, after: Date) => firstOccurrences(recurrence, after, 1)[0] ?? null

/** The rule in words. Null for one that words cannot say. */
export function ruleText(recurrence: Pick<Recurrence, 'rule' | 'starts_at'>) {
  const [en, tr] = [writeRuleText(recurrence, 'en'), writeRuleText(recurrence, 'tr')]
  return en && tr ? { en, tr } : null
}

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
