import 'dayjs/locale/tr'
import { DatesProvider } from '@mantine/dates'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../i18n'
import { currentLocale } from './format'
import { firstWeekday } from './zone'

/** Calendars inside speak the console's language, and begin their weeks as its user does. */
export function DatesInLanguage({ children }: { children: ReactNode }) {
  useTranslation()
  const settings = {
    locale: currentLanguage(),
    firstDayOfWeek: firstWeekday(currentLocale()) as 0 | 1 | 2 | 3 | 4 | 5 | 6,
    // Their red is too pale to be read.
    weekendDays: [],
  }
  return <DatesProvider settings={settings}>{children}</DatesProvider>
}
