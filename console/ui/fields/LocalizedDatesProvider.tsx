import 'dayjs/locale/tr'
import { DatesProvider } from '@mantine/dates'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../i18n'
import { currentLocale } from '../text/format'
import { firstWeekday } from '../text/time-zone'

/** Sets the language of calendars and the first day of the week of the user's locale. */
export function LocalizedDatesProvider({ children }: { children: ReactNode }) {
  useTranslation()
  const settings = {
    locale: currentLanguage(),
    firstDayOfWeek: firstWeekday(currentLocale()) as 0 | 1 | 2 | 3 | 4 | 5 | 6,
    // Mantine's red is too pale to read.
    weekendDays: [],
  }
  return <DatesProvider settings={settings}>{children}</DatesProvider>
}
