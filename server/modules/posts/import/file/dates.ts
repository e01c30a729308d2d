/** Order of day and month in a date whose year is not first. */
export const dateOrders = ['day_first', 'month_first'] as const
export type DateOrder = (typeof dateOrders)[number]

export type WallDate = { year: number; month: number; day: number }
export type WallTime = { hour: number; minute: number; second: number; offset: string | null }

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/
/** Days since the end of 1899, as Excel stores a time. */
const SERIAL = /^\d{5}(?:[.,]\d{1,15})?$/
const TIME =
  /^(?:(AM|PM|ÖÖ|ÖS)\s*)?(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d{1,9})?)?(?:\s*(AM|PM|A\.M\.|P\.M\.|ÖÖ|ÖS))?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i
const SERIAL_TIME = /^0?[.,]\d{1,15}$/
const DAY_SECONDS = 86_400
/** 1 January 1970 as Excel counts its days. */
const EPOCH_SERIAL = 25_569

/** A cell of a date in its two parts. The second is empty without a time. */
export function splitDate(cell: string): [date: string, time: string] {
  const text = cell.trim()
  const [date = ''] = /^[^\sT,]+/i.exec(text) ?? []
  return [date, text.slice(date.length).replace(/^[\sT,]+/i, '')]
}

/** Finds the order of the dates in the cells of a column. */
export function orderOf(cells: Iterable<string>) {
  let dayFirst = 0
  let monthFirst = 0
  const open: string[] = []
  for (const cell of cells) {
    const [, first, separator, second] = YEAR_LAST.exec(splitDate(cell)[0]) ?? []
    if (first === undefined) continue
    if (separator === '.' || Number(first) > 12) dayFirst++
    else if (Number(second) > 12) monthFirst++
    else open.push(cell)
  }
  const isOpen = dayFirst > 0 === monthFirst > 0 && (open.length > 0 || dayFirst > 0)
  const order: DateOrder | null =
    isOpen || dayFirst + monthFirst === 0 ? null : dayFirst > 0 ? 'day_first' : 'month_first'
  return { order, isAmbiguous: isOpen, examples: open.slice(0, 3) }
}

const isDate = ({ year, month, day }: WallDate) => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return year >= 1970 && year < 2200 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** `shortYears`: takes years of two digits, as of this century. */
export function parseDate(text: string, order: DateOrder | null, { shortYears = false } = {}): WallDate | undefined {
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? []
  if (year !== undefined) {
    const date = { year: Number(year), month: Number(month), day: Number(day) }
    return isDate(date) ? date : undefined
  }
  const [, first, separator, second, last = ''] = YEAR_LAST.exec(text) ?? []
  const known = separator === '.' ? 'day_first' : order
  if (first === undefined || known === null || (last.length === 2 && !shortYears)) return
  const [one, other] = [Number(first), Number(second)]
  const [dayPart, monthPart] = known === 'day_first' ? [one, other] : [other, one]
  const date = { year: Number(last) + (last.length === 2 ? 2000 : 0), month: monthPart, day: dayPart }
  return isDate(date) ? date : undefined
}

const clockOf = (seconds: number): WallTime => ({
  hour: Math.floor(seconds / 3600),
  minute: Math.floor(seconds / 60) % 60,
  second: seconds % 60,
  offset: null,
})

export function parseTime(text: string): WallTime | undefined {
  const trimmed = text.trim()
  if (SERIAL_TIME.test(trimmed)) {
    const seconds = Math.round(Number(trimmed.replace(',', '.')) * DAY_SECONDS)
    return seconds < DAY_SECONDS ? clockOf(seconds) : undefined
  }
  const [whole, before, hours = '', minutes, seconds = '0', after, zone] = TIME.exec(trimmed) ?? []
  if (whole === undefined) return
  const half = (before ?? after)?.toUpperCase().replaceAll('.', '')
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)]
  if (minute > 59 || second > 59 || (half ? hour < 1 || hour > 12 : hour > 23)) return
  const isAfternoon = half === 'PM' || half === 'ÖS'
  const offset =
    zone === undefined ? null : /^(?:Z|UTC)$/i.test(zone) ? '+00:00' : zone.replace(/^(...)(\d\d)$/, '$1:$2')
  return { hour: half ? (hour % 12) + (isAfternoon ? 12 : 0) : hour, minute, second, offset }
}

/** A date and a time that Excel stores as a number. */
export function parseSerial(text: string): (WallDate & WallTime) | undefined {
  const trimmed = text.trim()
  if (!SERIAL.test(trimmed)) return
  const seconds = Math.round((Number(trimmed.replace(',', '.')) - EPOCH_SERIAL) * DAY_SECONDS)
  const date = new Date(seconds * 1000)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    ...clockOf(((seconds % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS),
  }
}

/** Whether a cell is a date, in any order. */
export const isDateCell = (cell: string) => {
  const [date] = splitDate(cell)
  return ['day_first' as const, 'month_first' as const].some(
    (order) => parseDate(date, order, { shortYears: true }) !== undefined,
  )
}
