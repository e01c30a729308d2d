import { Fault } from './fault.ts'

/**
 * A date as it is said. Without a year, it is the next one. `edge`: a month or a year without a day, whose first day
 * begins, or before which or with which it ends. `part`: the words.
 */
export type DateSpec = {
  part: string
  year?: number
  month?: number
  day?: number
  /** Days from today. */
  from_today?: number
  edge?: 'start' | 'end'
}

const iso = (year: number, month: number, day: number) =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** The date some days later, or earlier. */
const moveDate = (date: string, days: number) => {
  const time = new Date(`${date}T00:00:00Z`)
  time.setUTCDate(time.getUTCDate() + days)
  return time.toISOString().slice(0, 10)
}

const exists = (date: string) => {
  const time = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(date)
}

const firstOfNext = (year: number, month: number) => (month === 12 ? iso(year + 1, 1, 1) : iso(year, month + 1, 1))

/** The first day, from `base` on, that `day` is in `month`. */
export function nextDate(base: string, month: number, day: number, part: string) {
  const year = Number(base.slice(0, 4))
  // 29 February comes at least every eight years.
  for (let ahead = 0; ahead <= 8; ahead++) {
    const date = iso(year + ahead, month, day)
    if (date >= base && exists(date)) return date
  }
  throw new Fault('no_date', part)
}

/** The year in which a month without a year comes next. */
const yearOf = ({ year, month = 1, edge }: DateSpec, base: string) => {
  if (year !== undefined) return year
  const [now = 0, current = 1] = base.split('-').map(Number)
  return month > current || (edge === 'end' && month === current) ? now : now + 1
}

/** Throws for a year that dates of four digits cannot have, nor the day after its last. */
function checkYear({ year, part }: DateSpec) {
  if (year !== undefined && (year < 1970 || year > 9998)) throw new Fault('no_date', part)
}

/** The date that is meant by the start of a repetition. */
export function startDate(spec: DateSpec, today: string) {
  checkYear(spec)
  if (spec.from_today !== undefined) return moveDate(today, spec.from_today)
  return dayOf(spec, today) ?? iso(yearOf(spec, today), spec.month ?? 1, 1)
}

/** The last date of a repetition that goes until a date, or until a month: the day before it begins, or its last. */
export function endDate(spec: DateSpec, base: string) {
  checkYear(spec)
  if (spec.from_today !== undefined) return moveDate(base, spec.from_today)
  const day = dayOf(spec, base)
  if (day) return day
  const { month, edge } = spec
  if (month === undefined)
    return edge === 'end' ? iso(spec.year ?? Number(base.slice(0, 4)), 12, 31) : moveDate(iso(spec.year ?? 0, 1, 1), -1)
  const year = yearOf(spec, base)
  return moveDate(edge === 'end' ? firstOfNext(year, month) : iso(year, month, 1), -1)
}

function dayOf({ year, month, day, part }: DateSpec, base: string) {
  if (month === undefined || day === undefined) return
  if (year === undefined) return nextDate(base, month, day, part)
  const date = iso(year, month, day)
  if (!exists(date)) throw new Fault('no_date', part)
  return date
}
