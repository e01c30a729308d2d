import { readFile } from 'node:fs/promises'
import { type Holidays, holidayCountries, holidayCountryOf, NO_HOLIDAYS } from '../../../shared/holidays/country.ts'
import { invalid } from '../../errors.ts'
import type { Db } from '../../lib/db/database.ts'
import { languageOf } from '../../lib/language.ts'

const folder = new URL('../../../shared/holidays/countries/', import.meta.url)

/** Throws `invalid` unless the holidays of this country are known. */
export function checkHolidayCountry(country: string) {
  if (country !== NO_HOLIDAYS && !holidayCountries.includes(country))
    throw invalid('/holiday_country', {
      en: 'The holidays of this country are not known.',
      tr: 'Bu ülkenin tatilleri bilinmiyor.',
    })
}

type Period = { workspace_id: string; from: string; to: string; language: string }

/** The public holidays of a workspace from one day to another, both included, with their names in a language. */
export async function readHolidays(db: Db, { workspace_id, from, to, language }: Period) {
  const workspace = await db
    .selectFrom('workspace')
    .select(['holiday_country', 'timezone'])
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow()
  const country = holidayCountryOf(workspace)
  if (!country) return []
  const holidays: Holidays = JSON.parse(await readFile(new URL(`${country}.json`, folder), 'utf8'))
  return Object.entries(holidays)
    .filter(([day]) => day >= from && day <= to)
    .map(([day, names]) => ({ day, name: names[languageOf(language)] }))
}
