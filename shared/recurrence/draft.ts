import type { DateSpec } from './dates.ts'
import { Fault } from './fault.ts'
import type { Scanner } from './scanner.ts'

/** Weekdays as RFC 5545 writes them. */
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type Weekday = (typeof weekdays)[number]
export const workdays = weekdays.slice(0, 5)
export const weekend = weekdays.slice(5)

export type Unit = 'day' | 'week' | 'month' | 'year'

/** What was read of a text so far. `place`: 1 to 4, or -1 for the last of a month. */
export type Draft = {
  every?: { unit: Unit; interval: number }
  days?: readonly Weekday[]
  nth?: { place: number; day: Weekday }
  month_day?: number
  year_day?: { month: number; day: number; part: string }
  time?: string
  from?: DateSpec
  until?: DateSpec
  count?: number
}

/** Reads one phrase at the place of the scanner. Returns whether there was one. */
export type Phrase = (scan: Scanner, draft: Draft) => boolean

/** The phrases of a language. `filler`: what separates them. `examples`: what a text can lack. */
export type Language = {
  filler: RegExp
  phrases: Phrase[]
  examples: { repetition: string; day: Record<Unit, string> }
}

export function set<Key extends keyof Draft>(draft: Draft, key: Key, value: NonNullable<Draft[Key]>, scan: Scanner) {
  if (draft[key] !== undefined) throw new Fault('said_twice', scan.taken())
  draft[key] = value
  return true
}

/** Sets the days of the week, and that they repeat each week if nothing else was said. */
export const setDays = (draft: Draft, days: readonly Weekday[], scan: Scanner) =>
  set(
    draft,
    'days',
    weekdays.filter((day) => days.includes(day)),
    scan,
  )

export function setEvery(draft: Draft, unit: Unit, interval: number, scan: Scanner) {
  if (!(interval >= 1 && interval <= 400)) throw new Fault('number', scan.taken())
  return set(draft, 'every', { unit, interval }, scan)
}

export function setMonthDay(draft: Draft, day: number, scan: Scanner) {
  if (day !== -1 && !(day >= 1 && day <= 31)) throw new Fault('no_date', scan.taken())
  return set(draft, 'month_day', day, scan)
}

export function setCount(draft: Draft, count: number, scan: Scanner) {
  if (!(count >= 1 && count <= 1000)) throw new Fault('number', scan.taken())
  return set(draft, 'count', count, scan)
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Sets the time of day. `half`: am or pm, for hours from 1 to 12. */
export function setTime(draft: Draft, hour: number, minute: number, half: string | undefined, scan: Scanner) {
  const isTwelve = half === undefined || (hour >= 1 && hour <= 12)
  const hours = half === undefined ? hour : (hour % 12) + (half.startsWith('p') ? 12 : 0)
  if (!isTwelve || hours > 23 || minute > 59) throw new Fault('number', scan.taken())
  return set(draft, 'time', `${twoDigits(hours)}:${twoDigits(minute)}`, scan)
}

/** An hour without minutes can be of the morning or of the evening. `write`: a phrase with a time. */
export function setHour(draft: Draft, hour: number, write: (time: string) => string, scan: Scanner) {
  if (hour >= 1 && hour <= 12) {
    const evening = (hour % 12) + 12
    const times = [hour, evening === 24 ? 0 : evening].map((one) => write(`${twoDigits(one)}:00`))
    throw new Fault('ambiguous', scan.taken(), times)
  }
  return setTime(draft, hour, 0, undefined, scan)
}
