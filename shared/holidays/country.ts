import zones from './zones.json' with { type: 'json' }

/** The holidays of a country by day, as `scripts/holidays.mjs` writes them to `countries/`. */
export type Holidays = Record<string, { en: string; tr: string }>

/** The countries whose holidays are known. */
export const holidayCountries = Object.keys(zones)

/** The choice of a workspace that has no holidays. */
export const NO_HOLIDAYS = 'none'

/** The country in which a time zone is, where its holidays are known. */
export const countryOfZone = (zone: string) => Object.entries(zones).find(([, known]) => known.includes(zone))?.[0]

type Choice = { holiday_country?: string | null; timezone: string }

/** The country whose holidays a workspace has: the chosen one, or that of its time zone. Undefined: none. */
export function holidayCountryOf({ holiday_country, timezone }: Choice) {
  const country = holiday_country ?? countryOfZone(timezone)
  return country !== undefined && holidayCountries.includes(country) ? country : undefined
}
