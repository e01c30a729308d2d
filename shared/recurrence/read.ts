import { endDate, nextDate, startDate } from './dates.ts'
import { type Draft, type Language, type Phrase, type Unit, weekdays } from './draft.ts'
import { english } from './english.ts'
import { Fault, type FaultCode } from './fault.ts'
import type { TextLanguage } from './names.ts'
import { type Scanner, scannerOf } from './scanner.ts'
import { turkish } from './turkish.ts'

/** A text that was read: an RRULE, and where they were said a time of day and the first date. */
export type ReadRule = { rule: string; time: string | null; starts_on: string | null }
/** `part`: the words that are the reason, empty where something is missing. `suggestions`: what can be said instead. */
export type RuleTextProblem = { code: FaultCode; part: string; suggestions: readonly string[] }

/**
 * Reads the text of a recurrence in English or Turkish, such as “every second Tuesday at 09:00 until June”. `preferred`:
 * the language in which a text that is neither is reported. `today`: the date from which months without a year count.
 */
export function readRuleText(text: string, preferred: TextLanguage, today: string): ReadRule | RuleTextProblem {
  const first = readIn(preferred === 'en' ? english : turkish, text, today)
  if ('rule' in first.result) return first.result
  const second = readIn(preferred === 'en' ? turkish : english, text, today)
  return 'rule' in second.result || second.place > first.place ? second.result : first.result
}

/** `place`: how far the text was understood. */
function readIn(language: Language, text: string, today: string) {
  const scan = scannerOf(text)
  const draft: Draft = {}
  let place = 0
  try {
    while (scan.begin(language.filler)) {
      place = scan.place()
      if (!language.phrases.some((phrase) => phrase(scan, draft)))
        throw new Fault('not_understood', unknownPart(language, scan))
    }
    return { result: ruleOf(draft, language, today), place: text.length }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { code, part, suggestions } = error
    return { result: { code, part, suggestions }, place: code === 'not_understood' ? place : scan.place() }
  }
}

/** The words up to the next phrase that can be read. */
function unknownPart({ phrases }: Language, scan: Scanner) {
  while (scan.pass()) {
    const place = scan.place()
    const isKnown = phrases.some((phrase) => canRead(phrase, scan))
    scan.back(place)
    if (isKnown) break
  }
  return scan.taken()
}

function canRead(phrase: Phrase, scan: Scanner) {
  try {
    return phrase(scan, {})
  } catch {
    return true
  }
}

const frequencies: Record<Unit, string> = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' }

/** The days of a rule as its parts, and the unit in which they repeat. */
function daysOf({ days, nth, month_day, year_day }: Draft): { unit: Unit; by: string } | undefined {
  const said = [days, nth, month_day, year_day].filter((one) => one !== undefined)
  if (said.length > 1) throw new Fault('contradiction', '')
  if (days) return { unit: 'week', by: `;BYDAY=${days.join(',')}` }
  if (nth) return { unit: 'month', by: `;BYDAY=${nth.place}${nth.day}` }
  if (month_day !== undefined) return { unit: 'month', by: `;BYMONTHDAY=${month_day}` }
  if (year_day) return { unit: 'year', by: `;BYMONTH=${year_day.month};BYMONTHDAY=${year_day.day}` }
}

/** The days that a repetition without days has from its first date. */
function daysFrom(unit: Unit, date: string) {
  const day = Number(date.slice(8))
  if (unit === 'week') return `;BYDAY=${weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7]}`
  return unit === 'month' ? `;BYMONTHDAY=${day}` : `;BYMONTH=${Number(date.slice(5, 7))};BYMONTHDAY=${day}`
}

function ruleOf(draft: Draft, { examples }: Language, today: string): ReadRule {
  const { every, from, until, count, time = null, year_day } = draft
  const days = daysOf(draft)
  const unit = every?.unit ?? days?.unit
  if (!unit) throw new Fault('missing', '', [examples.repetition])
  if ((days && days.unit !== unit) || (until && count !== undefined)) throw new Fault('contradiction', '')
  const start = from ? startDate(from, today) : null
  const starts_on = year_day ? nextDate(start ?? today, year_day.month, year_day.day, year_day.part) : start
  const by = days?.by ?? (unit === 'day' ? '' : starts_on && daysFrom(unit, starts_on))
  if (by === null) throw new Fault('missing', '', [examples.day[unit]])
  const interval = every && every.interval > 1 ? `;INTERVAL=${every.interval}` : ''
  const end = until && endDate(until, start ?? today)
  if (end && end < (starts_on ?? today)) throw new Fault('no_date', until.part)
  const last = end ? `;UNTIL=${end.replaceAll('-', '')}` : count === undefined ? '' : `;COUNT=${count}`
  return { rule: `FREQ=${frequencies[unit]}${interval}${by}${last}`, time, starts_on }
}
