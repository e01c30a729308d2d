import { DAY } from '../../../shared/time.ts'

/** A wall-clock time, `YYYY-MM-DD HH:mm:ss`, which has a meaning only with a time zone. */
export type Wall = string

type Clock = { format: Intl.DateTimeFormat; offsets: Map<number, number> }
const zoneClocks = new Map<string, Clock>()

function clockOf(zone: string) {
  const known = zoneClocks.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const made: Clock = { format, offsets: new Map() }
  zoneClocks.set(zone, made)
  return made
}

/** A quarter of an hour in milliseconds. Offsets change only then, and are cached by quarter because Intl is slow. */
const QUARTER = 900_000

/** The offset of the zone from UTC at a time, in milliseconds. */
function offsetAt(zone: string, time: number) {
  const { format, offsets } = clockOf(zone)
  const quarter = Math.floor(time / QUARTER)
  const known = offsets.get(quarter)
  if (known !== undefined) return known
  const part: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(quarter * QUARTER)) part[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  const offset = Date.UTC(year, month - 1, day, hour, minute, second) - quarter * QUARTER
  offsets.set(quarter, offset)
  return offset
}

export function toWall(zone: string, time: Date | string): Wall {
  const ms = new Date(time).getTime()
  return new Date(ms + offsetAt(zone, ms)).toISOString().slice(0, 19).replace('T', ' ')
}

/** The time at which clocks in the zone show this. Repeated: the first. Skipped: later by the clock change. */
export function fromWall(zone: string, wall: Wall): Date {
  const utc = Date.parse(`${wall.replace(' ', 'T')}Z`)
  const before = utc - offsetAt(zone, utc - DAY)
  const after = utc - offsetAt(zone, utc + DAY)
  const found = [before, after].find((time) => time + offsetAt(zone, time) === utc)
  return new Date(found ?? before)
}

export const dayOf = (wall: Wall) => wall.slice(0, 10)

export const today = (zone: string) => dayOf(toWall(zone, new Date()))

/** Moves a wall-clock time; days and hours ignore clock changes in between. */
export function moveWall(wall: Wall, { days = 0, hours = 0 }: { days?: number; hours?: number }): Wall {
  const time = new Date(`${wall.slice(0, 10)}T${wall.slice(11) || '00:00:00'}Z`)
  time.setUTCDate(time.getUTCDate() + days)
  time.setUTCHours(time.getUTCHours() + hours)
  return time.toISOString().slice(0, 19).replace('T', ' ')
}

export const moveDay = (day: string, days: number) => dayOf(moveWall(`${day} 00:00:00`, { days }))

/** 0 for Sunday … 6 for Saturday. */
export const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay()

/** The first day of the week in this locale, 0 for Sunday. */
export function firstWeekday(locale: string) {
  const known = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } }
  return (known.getWeekInfo?.().firstDay ?? 1) % 7
}
export const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Every time zone of the browser, including its own. `stored`: one that the browser may list by another name. */
export const timeZones = (stored?: string | null) =>
  [...new Set(['UTC', browserZone(), ...(stored ? [stored] : []), ...Intl.supportedValuesOf('timeZone')])].sort()
