import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../i18n'
import { useFormat } from '../../ui/text/format'
import { dateOfWeekday, daysOf, weekdays } from './form/form-values'

/** Loaded on its own: most pages show no schedule. */
const cronWordsQuery = queryOptions({
  queryKey: ['cron-words'],
  queryFn: async () => (await import('./cron-words')).cronstrue,
  staleTime: Number.POSITIVE_INFINITY,
})

const workdays = ['1', '2', '3', '4', '5']

/** Returns schedules in words; the five fields until the words are loaded. */
export function useScheduleText() {
  const { t } = useTranslation()
  const format = useFormat('UTC')
  const words = useQuery(cronWordsQuery).data
  const weekday = new Intl.DateTimeFormat(format.locale, { weekday: 'long', timeZone: 'UTC' })
  /** The library is not fluent in Turkish: days of the week at a time are most schedules. */
  const ofDays = ({ days, time }: NonNullable<ReturnType<typeof daysOf>>) => {
    const clock = format.time(`2023-01-01T${time}:00Z`)
    if (days.length === weekdays.length) return t('agents.every_day', { time: clock })
    if (days.join() === workdays.join()) return t('agents.workdays', { time: clock })
    const names = days.map((day) => weekday.format(dateOfWeekday(day)))
    const isSpan = days.length > 2 && weekdays.join().includes(days.join())
    return isSpan
      ? t('agents.day_span', { from: names[0], to: names.at(-1), time: clock })
      : t('agents.on_days', { days: format.list(names), time: clock })
  }
  return (cron: string | null) => {
    if (cron === null) return t('agents.by_hand')
    const simple = daysOf(cron)
    try {
      if (simple) return ofDays(simple)
      return (
        words?.toString(cron, { locale: currentLanguage(), use24HourTimeFormat: !format.hour12, verbose: true }) ?? cron
      )
    } catch {
      return cron
    }
  }
}
