import { useQuery } from '@tanstack/react-query'
import { type Holidays, holidayCountryOf } from '../../../../../shared/holidays/country'
import { currentLanguage } from '../../../../i18n'
import { useWorkspace } from '../../../workspaces/queries'

const folder = '../../../../../shared/holidays/countries'

/** The public holidays of each country by day, loaded when they are shown. */
const tables = import.meta.glob<Holidays>('../../../../../shared/holidays/countries/??.json', { import: 'default' })

/** Returns what names the public holiday of a day in the workspace; undefined on other days. */
export function useHolidays() {
  const country = holidayCountryOf(useWorkspace())
  const load = tables[`${folder}/${country}.json`]
  const holidays = useQuery({
    queryKey: ['holidays', country],
    queryFn: () => load?.() ?? null,
    enabled: load !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  return (day: string) => holidays?.[day]?.[currentLanguage()]
}
