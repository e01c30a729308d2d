import { type Weekday, weekdays, workdays } from './draft.ts'
import { dayName, monthName, placeNames, type TextLanguage } from './names.ts'

/** What a rule says, if it is one that can be said in words. */
type Said = {
  unit: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  interval: number
  days: Weekday[]
  place: number
  month_day: number
  month: number
}

const isWeekday = (text: string): text is Weekday => weekdays.some((day) => day === text)

/** The parts of a rule, if words can say it. `starts_at`: gives the days that the rule leaves open. */
function saidOf(rule: string, starts_at: string): (Said & { until: string | null; count: number | null }) | undefined {
  const parts = Object.fromEntries(rule.split(';').map((part) => part.split('=')))
  const { FREQ, INTERVAL = '1', BYDAY = '', BYMONTHDAY, BYMONTH, COUNT, UNTIL, ...others } = parts
  const until = UNTIL === undefined ? null : /^(\d{4})(\d\d)(\d\d)$/.exec(UNTIL)
  const nth = /^(-1|[1-4])(\w\w)$/.exec(BYDAY)
  const days = (nth ? [nth[2] ?? ''] : BYDAY.split(',')).filter(isWeekday)
  const start = new Date(`${starts_at.slice(0, 10)}T00:00:00Z`)
  const month_day = Number(BYMONTHDAY ?? start.getUTCDate())
  const said = {
    interval: Number(INTERVAL),
    place: Number(nth?.[1] ?? 0),
    month_day,
    month: Number(BYMONTH ?? start.getUTCMonth() + 1),
    until: until ? until.slice(1).join('-') : null,
    count: COUNT === undefined ? null : Number(COUNT),
  }
  const hasOthers = Object.keys(others).length > 0 || (UNTIL !== undefined && !until)
  const isUnknownDay = BYDAY !== '' && days.length !== BYDAY.split(',').length
  if (hasOthers || isUnknownDay || Number.isNaN(said.month_day) || month_day < -1) return
  const startDay = weekdays[(start.getUTCDay() + 6) % 7] ?? 'MO'
  if (FREQ === 'DAILY' && !BYDAY && !BYMONTHDAY && !BYMONTH) return { ...said, unit: FREQ, days }
  if (FREQ === 'WEEKLY' && !nth && !BYMONTH)
    return { ...said, unit: FREQ, days: BYDAY ? weekdays.filter((day) => days.includes(day)) : [startDay] }
  if (FREQ === 'MONTHLY' && !BYMONTH && (nth ? !BYMONTHDAY : !BYDAY)) return { ...said, unit: FREQ, days }
  if (FREQ === 'YEARLY' && !BYDAY && month_day > 0 && Boolean(BYMONTH) === Boolean(BYMONTHDAY))
    return { ...said, unit: FREQ, days }
}

const listOf = (days: readonly Weekday[], language: TextLanguage) => {
  const names = days.map((day) => dayName(day, language))
  const and = language === 'en' ? ' and ' : ' ve '
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')}${and}${names.at(-1)}`
}

function inEnglish({ unit, interval, days, place, month_day, month }: Said) {
  const every = (name: string) => (interval === 1 ? `every ${name}` : `every ${interval} ${name}s`)
  if (unit === 'DAILY') return every('day')
  if (unit === 'WEEKLY' && interval === 1)
    return days.join() === workdays.join() ? 'every weekday' : `every ${listOf(days, 'en')}`
  if (unit === 'WEEKLY') return `${every('week')} on ${listOf(days, 'en')}`
  if (unit === 'YEARLY') return `${every('year')} on ${month_day} ${monthName(month, 'en')}`
  if (place) return `${every('month')} on the ${placeNames.en[place]} ${listOf(days, 'en')}`
  return `${every('month')} on ${month_day === -1 ? 'the last day' : `day ${month_day}`}`
}

function inTurkish({ unit, interval, days, place, month_day, month }: Said) {
  const ofMonth = interval === 1 ? 'her ayın' : `${interval} ayda bir ayın`
  if (unit === 'DAILY') return interval === 1 ? 'her gün' : `${interval} günde bir`
  if (unit === 'WEEKLY' && interval === 1)
    return days.join() === workdays.join() ? 'hafta içi her gün' : `her ${listOf(days, 'tr')}`
  if (unit === 'WEEKLY') return `${interval} haftada bir ${listOf(days, 'tr')}`
  if (unit === 'YEARLY')
    return `${interval === 1 ? 'her yıl' : `${interval} yılda bir`} ${month_day} ${monthName(month, 'tr')}`
  if (place) return `${ofMonth} ${placeNames.tr[place]} ${listOf(days, 'tr')} günü`
  return `${ofMonth} ${month_day === -1 ? 'son' : `${month_day}.`} günü`
}

const dateOf = (date: string, language: TextLanguage) =>
  `${Number(date.slice(8))} ${monthName(Number(date.slice(5, 7)), language)} ${date.slice(0, 4)}`

/**
 * The text of a recurrence, such as “every 2 weeks on Tuesday at 09:00 until 31 May 2027”, which `readRuleText` reads as
 * the same rule. Null for a rule that words cannot say.
 */
export function writeRuleText({ rule, starts_at }: { rule: string; starts_at: string }, language: TextLanguage) {
  const said = saidOf(rule, starts_at)
  if (!said) return null
  const time = starts_at.slice(11)
  if (language === 'en') {
    const end = said.until ? ` until ${dateOf(said.until, 'en')}` : said.count ? `, ${said.count} times` : ''
    return `${inEnglish(said)} at ${time}${end}`
  }
  const end = said.until ? `, ${dateOf(said.until, 'tr')} tarihine kadar` : said.count ? `, ${said.count} kez` : ''
  return `${inTurkish(said)} saat ${time}${end}`
}
