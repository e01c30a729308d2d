import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { currentLanguage } from '../../../../i18n'
import { useWorkspace } from '../../../workspaces/queries'
import zones from './zones.json'

type Holidays = Record<string, { en: string; tr: string }>

/** The public holidays of each country by day, from `scripts/holidays.mjs`, loaded when they are shown. */
const tables = import.meta.glob<Holidays>('./countries/??.json', { import: 'default' })

export const countries = Object.keys(zones)

const countryOf = (zone: string) => Object.entries(zones).find(([, known]) => known.includes(zone))?.[0]

const keyOf = (workspace: string) => `holidays:${workspace}`
const NONE = 'none'

/** The stored country; undefined where nothing was chosen, and without localStorage. */
function readCountry(workspace: string) {
  try {
    return localStorage.getItem(keyOf(workspace)) ?? undefined
  } catch {
    return undefined
  }
}

/**
 * The public holidays of the country that this browser chose for the workspace: at first that of its time zone. `choose`
 * takes null for none.
 */
export function useHolidays() {
  const { slug, timezone } = useWorkspace()
  const [choice, setChoice] = useState<{ slug: string; country: string }>()
  const chosen = choice?.slug === slug ? choice.country : readCountry(slug)
  const country = chosen === NONE ? undefined : (chosen ?? countryOf(timezone))
  const load = tables[`./countries/${country}.json`]
  const holidays = useQuery({
    queryKey: ['holidays', country],
    queryFn: () => load?.() ?? null,
    enabled: load !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  return {
    country,
    nameOf: (day: string) => holidays?.[day]?.[currentLanguage()],
    choose: (country: string | null) => {
      setChoice({ slug, country: country ?? NONE })
      try {
        localStorage.setItem(keyOf(slug), country ?? NONE)
      } catch {
        // The choice lasts until the page is closed.
      }
    },
  }
}
