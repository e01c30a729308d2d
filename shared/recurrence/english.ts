import type { DateSpec } from './dates.ts'
import {
  type Language,
  type Phrase,
  set,
  setCount,
  setDays,
  setEvery,
  setHour,
  setMonthDay,
  setTime,
  type Unit,
  type Weekday,
  weekend,
  workdays,
} from './draft.ts'
import { Fault } from './fault.ts'
import { dayName, placeNames } from './names.ts'
import type { Scanner } from './scanner.ts'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const codes: Weekday[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const places: Record<string, number> = {
  first: 1,
  '1st': 1,
  second: 2,
  '2nd': 2,
  third: 3,
  '3rd': 3,
  fourth: 4,
  '4th': 4,
  last: -1,
}
const units: Record<string, Unit> = { day: 'day', week: 'week', month: 'month', year: 'year', annually: 'year' }

const DAY =
  '(?:mon(?:days?)?|tue(?:s|sdays?)?|wed(?:nesdays?)?|thu(?:r|rs|rsdays?)?|fri(?:days?)?|sat(?:urdays?)?|sun(?:days?)?)'
const DAYS = `(${DAY}(?:(?:\\s*,\\s*(?:and\\s+)?|\\s*[&/+]\\s*|\\s+and\\s+)(?:on\\s+)?${DAY}(?!\\p{L}))*)`
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const NUMBER = `(\\d{1,4}|${words.join('|')})`
const PLACE = `(${Object.keys(places).join('|')})`
const NTH = '(\\d{1,2})(?:st|nd|rd|th)'
const OF_MONTH = '(?: (?:of|in) (?:the|each|every) month)'
const YEAR = '(?:,? (\\d{4}))?'

const numberOf = (word = '') => (/^\d/.test(word) ? Number(word) : words.indexOf(word) + 1)
const dayOf = (word = ''): Weekday => codes[days.indexOf(word.slice(0, 3))] ?? 'MO'
const daysOf = (list = '') => (list.match(/[a-z]+/g) ?? []).filter((word) => days.includes(word.slice(0, 3))).map(dayOf)
const monthOf = (word = '') => months.indexOf(word.slice(0, 3)) + 1
const yearOf = (text: string | undefined) => (text === undefined ? {} : { year: Number(text) })

/** Reads a date. `9/3/2027` is 9 March to some, and 3 September to others. */
function date(scan: Scanner): DateSpec | undefined {
  const day = (year: string | undefined, month: number, of_month: string | undefined) => ({
    part: scan.taken(),
    ...yearOf(year),
    month,
    day: Number(of_month),
  })
  const written = scan.take('(\\d{4})-(\\d\\d)-(\\d\\d)')
  if (written) return day(written[0], Number(written[1]), written[2])
  const dotted = scan.take('(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})')
  if (dotted) return day(dotted[2], Number(dotted[1]), dotted[0])
  const slashed = scan.take('(\\d{1,2})/(\\d{1,2})/(\\d{4})')
  if (slashed) {
    const [first, second, year] = slashed.map(Number)
    if (first === undefined || second === undefined || (first <= 12 && second <= 12 && first !== second))
      throw new Fault('ambiguous', slashed.join('/'), slashedAs(first ?? 1, second ?? 1, year ?? 0))
    return day(slashed[2], Math.min(first, second), String(Math.max(first, second)))
  }
  const dayFirst = scan.take(`(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}${YEAR}`)
  if (dayFirst) return day(dayFirst[2], monthOf(dayFirst[1]), dayFirst[0])
  const monthFirst = scan.take(`${MONTH} (\\d{1,2})(?:st|nd|rd|th)?${YEAR}`)
  if (monthFirst) return day(monthFirst[2], monthOf(monthFirst[0]), monthFirst[1])
  if (scan.take('today')) return { part: scan.taken(), from_today: 0 }
  if (scan.take('tomorrow')) return { part: scan.taken(), from_today: 1 }
  const month = scan.take(`${MONTH}${YEAR}`)
  if (month) return { part: scan.taken(), ...yearOf(month[1]), month: monthOf(month[0]), edge: 'start' }
}

const slashedAs = (first: number, second: number, year: number) =>
  [
    [second, first],
    [first, second],
  ].map(([month = 1, day = 1]) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`)

const repetition: Phrase = (scan, draft) => {
  if (scan.take('(?:every|each) day|daily')) return setEvery(draft, 'day', 1, scan)
  const other = scan.take('every (?:other|second|2nd) (day|week|month|year)')
  if (other) return setEvery(draft, units[other[0] ?? ''] ?? 'day', 2, scan)
  const every = scan.take(`every ${NUMBER} (day|week|month|year)s?`)
  if (every) return setEvery(draft, units[every[1] ?? ''] ?? 'day', numberOf(every[0]), scan)
  const one = scan.take('(?:every|each) (week|month|year)|(week|month|year)ly|(annually)')
  if (one) return setEvery(draft, units[one.find((word) => word !== undefined) ?? ''] ?? 'day', 1, scan)
  const unclear = scan.take('bi-?(week|month)ly')
  if (unclear) throw new Fault('ambiguous', scan.taken(), [`every 2 ${unclear[0]}s`])
  return false
}

const monthly: Phrase = (scan, draft) => {
  const article = '(?:(?:on|every|each) )?(?:the )?'
  if (scan.take(`${article}last day${OF_MONTH}?`)) return setMonthDay(draft, -1, scan)
  const numbered = scan.take(`${article}(?:${NTH}(?: day)?|day (\\d{1,2}))${OF_MONTH}`)
  if (numbered) return setMonthDay(draft, Number(numbered[0] ?? numbered[1]), scan)
  const before = scan.place()
  const alternating = scan.take(`every (?:other|second|2nd) ${DAYS}`)
  if (alternating && !scan.take(OF_MONTH)) {
    setEvery(draft, 'week', 2, scan)
    return setDays(draft, daysOf(alternating[0]), scan)
  }
  scan.back(before)
  const counted = scan.take(`every (third|3rd|fourth|4th) (${DAY})`)
  if (counted && !scan.take(OF_MONTH)) {
    const place = places[counted[0] ?? ''] ?? 3
    const day = dayName(dayOf(counted[1]), 'en')
    const nth = `on the ${placeNames.en[place]} ${day} of every month`
    throw new Fault('ambiguous', scan.taken(), [`every ${place} weeks on ${day}`, nth])
  }
  scan.back(before)
  const nth = scan.take(`${article}${PLACE} (${DAY})${OF_MONTH}?`)
  if (nth) return set(draft, 'nth', { place: places[nth[0] ?? ''] ?? 1, day: dayOf(nth[1]) }, scan)
  return false
}

const weekly: Phrase = (scan, draft) => {
  const on = '(?:(?:on|every|each) )?'
  if (scan.take(`${on}(?:weekdays?|working days?|workdays?)`)) return setDays(draft, workdays, scan)
  if (scan.take(`${on}(?:the )?weekends?`)) return setDays(draft, weekend, scan)
  const named = scan.take(`${on}${DAYS}`)
  return named ? setDays(draft, daysOf(named[0]), scan) : false
}

const time: Phrase = (scan, draft) => {
  const half = '(am|pm|a\\.m\\.?|p\\.m\\.?)'
  const clock = scan.take(`(?:at )?(\\d{1,2})[:.](\\d\\d)(?:\\s*${half})?`)
  if (clock) return setTime(draft, Number(clock[0]), Number(clock[1]), clock[2], scan)
  const hour = scan.take(`(?:at )?(\\d{1,2})\\s*${half}`)
  if (hour) return setTime(draft, Number(hour[0]), 0, hour[1], scan)
  if (scan.take('(?:at )?noon')) return setTime(draft, 12, 0, undefined, scan)
  const bare = scan.take("at (\\d{1,2})(?: o'clock)?")
  return bare ? setHour(draft, Number(bare[0]), (text) => `at ${text}`, scan) : false
}

const span: Phrase = (scan, draft) => {
  if (scan.take('(?:starting|beginning|from|since)(?: on| from)?')) {
    const from = date(scan)
    if (!from) throw new Fault('not_understood', scan.taken())
    return set(draft, 'from', from, scan)
  }
  const until = scan.take('(until|till|up to|ending(?: on)?|through)')
  if (until) {
    const isWhole = scan.take('(?:the )?end of') !== undefined || until[0] === 'through'
    if (isWhole && scan.take('(?:the|this) year')) return set(draft, 'until', { part: scan.taken(), edge: 'end' }, scan)
    const to = date(scan)
    if (!to) throw new Fault('not_understood', scan.taken())
    return set(draft, 'until', isWhole && to.day === undefined ? { ...to, edge: 'end' } : to, scan)
  }
  const count = scan.take(`(?:for )?${NUMBER} times?`)
  return count ? setCount(draft, numberOf(count[0]), scan) : false
}

/** A day without its month, or of a year. */
const day: Phrase = (scan, draft) => {
  const yearly = scan.take(
    `(?:(?:on|every|each) )?(?:the )?(?:(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}|${MONTH} (\\d{1,2})(?:st|nd|rd|th)?)`,
  )
  if (yearly) {
    const [first, firstMonth, secondMonth, second] = yearly
    return set(
      draft,
      'year_day',
      { month: monthOf(firstMonth ?? secondMonth), day: Number(first ?? second), part: scan.taken() },
      scan,
    )
  }
  const monthDay = scan.take(`(?:on )?day (\\d{1,2})|(?:(?:on|every|each) )?(?:the )?${NTH}`)
  return monthDay ? setMonthDay(draft, Number(monthDay[0] ?? monthDay[1]), scan) : false
}

export const english: Language = {
  filler: /^(?:[\s,;.]|and\b)+/,
  phrases: [repetition, monthly, weekly, span, time, day],
  examples: {
    repetition: 'every Tuesday',
    day: { week: 'on Tuesday', month: 'on day 15', year: 'on 3 March', day: '' },
  },
}
