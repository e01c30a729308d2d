import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../ui/text/format'
import { fromWall } from '../../../ui/text/time-zone'
import { dateOfWeekday, places, toFormValues } from './form-values'
import type { RecurringPost } from './queries'

/** The rule of a recurring post in words. */
export function Repetition({ recurring }: { recurring: RecurringPost }) {
  const { t } = useTranslation()
  const { timezone, rule } = recurring
  const { repeat, interval, days, place, weekday, date, time, end, until, count } = toFormValues(recurring, [])
  const format = useFormat('UTC')
  const nameOf = (day: string, width: 'short' | 'long') =>
    new Intl.DateTimeFormat(format.locale, { weekday: width, timeZone: 'UTC' }).format(dateOfWeekday(day))
  const every = Number(interval)
  const texts = {
    daily: () => t('recurring.words.daily', { count: every }),
    weekly: () =>
      t('recurring.words.weekly', { count: every, days: format.list(days.map((day) => nameOf(day, 'short'))) }),
    monthly_day: () => t('recurring.words.monthly_day', { count: every, day: Number(date.slice(8, 10)) }),
    monthly_weekday: () =>
      t('recurring.words.monthly_weekday', {
        count: every,
        place: t(`recurring.places.${places.find((known) => known === place) ?? 'first'}`),
        weekday: nameOf(weekday, 'long'),
      }),
    custom: () => rule,
  }
  const clock = format.time(fromWall('UTC', `2024-01-01 ${time}:00`))
  return (
    <>
      {texts[repeat]()} · {clock} ({timezone})
      {end === 'on' && ` · ${t('recurring.words.until', { date: format.date(`${until}T12:00:00Z`) })}`}
      {end === 'after' && ` · ${t('recurring.words.times', { count: Number(count) })}`}
    </>
  )
}
