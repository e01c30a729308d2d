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

// The scanner reads without Turkish marks: ğ is g, ı is i.
const days: Record<string, Weekday> = {
  pazartesi: 'MO',
  sali: 'TU',
  carsamba: 'WE',
  persembe: 'TH',
  cumartesi: 'SA',
  cuma: 'FR',
  pazar: 'SU',
}
const months = ['oca', 'sub', 'mar', 'nis', 'may', 'haz', 'tem', 'agu', 'eyl', 'eki', 'kas', 'ara']
const words = ['bir', 'iki', 'uc', 'dort', 'bes', 'alti', 'yedi', 'sekiz', 'dokuz', 'on', 'on bir', 'on iki']
const places: Record<string, number> = {
  ...{ ilk: 1, birinci: 1, '1.': 1, ikinci: 2, '2.': 2, ucuncu: 3, '3.': 3, dorduncu: 4, '4.': 4, son: -1 },
}
const units: Record<string, Unit> = { gun: 'day', hafta: 'week', ay: 'month', yil: 'year' }

const OF_DAY = "(?:'?(?:leri|lari|ler|lar|si|i))?(?: gun(?:u|leri)?(?:nde)?)?"
const DAY = `(?:(?:${Object.keys(days).join('|')})${OF_DAY})`
const DAYS = `(${DAY}(?:(?:\\s*,\\s*(?:ve\\s+)?|\\s*[&/+]\\s*|\\s+ve\\s+|\\s+ile\\s+)(?:her\\s+)?${DAY}(?!\\p{L}))*)`
const MONTH = '(oca[kg]|subat|mart|nisan|mayis|haziran|temmuz|agustos|eylul|ekim|kasim|arali[kg])'
/** Endings of “to”, “from” and “in”. */
const CASE = "(?:'?(?:y?[ae]|[dt][ae]n?|n[ae]))?"
const NUMBER = `(\\d{1,4}|${words.toReversed().join('|')})`
const PLACE = `(${Object.keys(places).join('|').replaceAll('.', '\\.')})`

const numberOf = (word = '') => (/^\d/.test(word) ? Number(word) : words.indexOf(word) + 1)
const dayNames = new RegExp(Object.keys(days).join('|'), 'g')
const daysOf = (list = '') => (list.match(dayNames) ?? []).flatMap((name) => days[name] ?? [])
const monthOf = (word = '') => months.indexOf(word.slice(0, 3)) + 1
const yearOf = (text: string | undefined) => (text === undefined ? {} : { year: Number(text) })

function date(scan: Scanner): DateSpec | undefined {
  const day = (year: string | undefined, month: number, of_month: string | undefined) => ({
    part: scan.taken(),
    ...yearOf(year),
    month,
    day: Number(of_month),
  })
  const written = scan.take(`(\\d{4})-(\\d\\d)-(\\d\\d)${CASE}`)
  if (written) return day(written[0], Number(written[1]), written[2])
  const dotted = scan.take(`(\\d{1,2})[./](\\d{1,2})[./](\\d{4})${CASE}`)
  if (dotted) return day(dotted[2], Number(dotted[1]), dotted[0])
  const named = scan.take(`(\\d{1,2}) ${MONTH}(?:${CASE} (\\d{4}))?${CASE}`)
  if (named) return day(named[2], monthOf(named[1]), named[0])
  if (scan.take('bugun(?:den|e)?')) return { part: scan.taken(), from_today: 0 }
  if (scan.take('yarin(?:dan|a)?')) return { part: scan.taken(), from_today: 1 }
  const month = scan.take(`${MONTH}(?:${CASE} (\\d{4}))?${CASE}`)
  if (month) return { part: scan.taken(), ...yearOf(month[1]), month: monthOf(month[0]), edge: 'start' }
}

/** The words that say what a date is come after it. */
const span: Phrase = (scan, draft) => {
  const before = scan.place()
  if (scan.take('(?:bu )?yil sonuna (?:kadar|dek)'))
    return set(draft, 'until', { part: scan.taken(), edge: 'end' }, scan)
  const spec = date(scan)
  if (spec) {
    const isWhole = spec.day === undefined && scan.take('(?:ayi )?sonuna') !== undefined
    if (scan.take('(?:tarihine )?(?:kadar|dek)'))
      return set(draft, 'until', { ...spec, part: scan.taken(), ...(isWhole && { edge: 'end' }) }, scan)
    if (!isWhole && scan.take('(?:tarihinden )?(?:itibaren|baslayarak|baslayip|sonra)'))
      return set(draft, 'from', { ...spec, part: scan.taken() }, scan)
  }
  scan.back(before)
  const count = scan.take(`(?:toplam )?${NUMBER} (?:kez|kere|defa)`)
  return count ? setCount(draft, numberOf(count[0]), scan) : false
}

const repetition: Phrase = (scan, draft) => {
  if (scan.take('hafta ici(?: her gun| gunleri)?|her hafta ici(?: gunu)?')) return setDays(draft, workdays, scan)
  if (scan.take('(?:her )?hafta sonu|hafta sonlari')) return setDays(draft, weekend, scan)
  if (scan.take('her gun')) return setEvery(draft, 'day', 1, scan)
  if (scan.take('gun asiri')) return setEvery(draft, 'day', 2, scan)
  const every = scan.take(`(?:her )?(?:${NUMBER} )?(gun|hafta|ay|yil)[dt][ae] bir`)
  if (every) return setEvery(draft, units[every[1] ?? ''] ?? 'day', every[0] ? numberOf(every[0]) : 1, scan)
  const one = scan.take('her (hafta|ay|yil)')
  return one ? setEvery(draft, units[one[0] ?? ''] ?? 'day', 1, scan) : false
}

const monthly: Phrase = (scan, draft) => {
  if (scan.take('(?:her )?ayin son gunu(?:nde)?')) return setMonthDay(draft, -1, scan)
  const nth = scan.take(`(?:her )?ayin ${PLACE} (${DAY})`)
  if (nth) return set(draft, 'nth', { place: places[nth[0] ?? ''] ?? 1, day: daysOf(nth[1])[0] ?? 'MO' }, scan)
  const numbered = scan.take("(?:her )?ayin (\\d{1,2})(?:\\.? ?gunu(?:nde)?|'?s?[iu](?:n[dt][ae])?)?")
  if (numbered) return setMonthDay(draft, Number(numbered[0]), scan)
  const counted = scan.take(`(?:her )?${PLACE} (${DAY})`)
  if (!counted) return false
  const place = places[counted[0] ?? ''] ?? 1
  const day = daysOf(counted[1])[0] ?? 'MO'
  const name = dayName(day, 'tr')
  const either = [`${place} haftada bir ${name}`, `her ayın ${placeNames.tr[place]} ${name} günü`]
  if (place > 1 && draft.every?.unit !== 'month') throw new Fault('ambiguous', scan.taken(), either)
  return set(draft, 'nth', { place, day }, scan)
}

const weekly: Phrase = (scan, draft) => {
  const named = scan.take(`(?:her )?${DAYS}`)
  return named ? setDays(draft, daysOf(named[0]), scan) : false
}

const time: Phrase = (scan, draft) => {
  const clock = scan.take("(?:saat )?(\\d{1,2})[:.](\\d\\d)(?:'?[dt][ae])?(?!\\.\\d)")
  if (clock) return setTime(draft, Number(clock[0]), Number(clock[1]), undefined, scan)
  const hour = scan.take("saat (\\d{1,2})(?:'?[dt][ae])?")
  return hour ? setHour(draft, Number(hour[0]), (text) => `saat ${text}`, scan) : false
}

const yearly: Phrase = (scan, draft) => {
  const found = scan.take(`(?:her )?(\\d{1,2}) ${MONTH}${CASE}`)
  return found
    ? set(draft, 'year_day', { month: monthOf(found[1]), day: Number(found[0]), part: scan.taken() }, scan)
    : false
}

export const turkish: Language = {
  filler: /^(?:[\s,;.]|ve\b)+/,
  phrases: [repetition, span, monthly, weekly, time, yearly],
  examples: {
    repetition: 'her salı',
    day: { week: 'salı', month: 'ayın 15. günü', year: '3 Mart', day: '' },
  },
}
