import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../i18n'

/** Loaded on its own: most pages show no schedule. */
const cronWordsQuery = queryOptions({
  queryKey: ['cron-words'],
  queryFn: async () => (await import('./cron-words')).cronstrue,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Returns schedules in words; the five fields until the words are loaded. */
export function useScheduleText() {
  const { t } = useTranslation()
  const words = useQuery(cronWordsQuery).data
  return (cron: string | null) => {
    if (cron === null) return t('agents.by_hand')
    try {
      return words?.toString(cron, { locale: currentLanguage(), use24HourTimeFormat: true, verbose: true }) ?? cron
    } catch {
      return cron
    }
  }
}
