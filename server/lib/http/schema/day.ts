import { Type } from 'typebox'
import { invalid } from '../../../errors.ts'

/** A day of a calendar, without a zone. `parseDay` also refuses days that do not exist. */
export const Day = (description: string, example: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', maxLength: 10, description, examples: [example] })

/** Milliseconds since 1970 at the beginning of a day in UTC. 400 at `pointer` for a day that does not exist. */
export function parseDay(pointer: string, day: string) {
  const time = Date.parse(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) && day > '0001'
  if (!isDay) throw invalid(pointer, { en: 'There is no such day.', tr: 'Böyle bir gün yok.' })
  return time
}
