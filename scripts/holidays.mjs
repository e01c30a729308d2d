/**
 * Writes the public holidays of some countries to `shared/holidays/`, a file each, for ten years.
 * The package with their rules is 50 MB on disk, so it is installed for this run only:
 *
 *   npm install --no-save date-holidays@3.37.0 && node scripts/holidays.mjs 2026
 */
import { writeFileSync } from 'node:fs'
import Holidays from 'date-holidays'

const COUNTRIES = 'AT AU AZ BE BR CA CH DE ES FR GB GR IE IT MX NL PL PT SE TR US'.split(' ')
const YEARS = 10
const DAY_MS = 86_400_000
const folder = new URL('../shared/holidays/', import.meta.url)

const first = Number(process.argv[2])
if (!Number.isInteger(first)) throw new Error('Give the first year')

/** The days of a holiday. Some begin on the evening before their first day and end at noon of the last. */
function daysOf({ date, start, end }) {
  const count = Math.max(1, Math.floor((end - start) / DAY_MS))
  const day = Date.parse(`${date.slice(0, 10)}T00:00:00Z`)
  return Array.from({ length: count }, (_, index) => new Date(day + index * DAY_MS).toISOString().slice(0, 10))
}

/** The names of a day in a language; where the package has none, in English. */
function namesByDay(country, language) {
  const rules = new Holidays(country)
  const names = new Map()
  for (let year = first; year < first + YEARS; year++)
    for (const holiday of rules.getHolidays(year, language))
      if (holiday.type === 'public')
        for (const day of daysOf(holiday)) names.set(day, [...new Set([...(names.get(day) ?? []), holiday.name])])
  return names
}

const zones = {}
for (const country of COUNTRIES) {
  zones[country] = new Intl.Locale(`und-${country}`).getTimeZones()
  const [english, turkish] = [namesByDay(country, 'en'), namesByDay(country, 'tr')]
  const days = [...english.keys()].toSorted()
  const named = days.map((day) => [day, { en: english.get(day).join(', '), tr: turkish.get(day).join(', ') }])
  writeFileSync(new URL(`countries/${country}.json`, folder), `${JSON.stringify(Object.fromEntries(named))}\n`)
}
writeFileSync(new URL('zones.json', folder), `${JSON.stringify(zones)}\n`)
