import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../api'
import { currentLanguage, languageOf, localeFor } from '../i18n'

/** The locale that dates and numbers are written in: the user's own, as far as it is of the language shown. */
export function currentLocale() {
  const locale = queryClient.getQueryData<{ locale: string }>(['me'])?.locale
  return locale && languageOf(locale) === currentLanguage() ? locale : localeFor(currentLanguage())
}

/** Dates and numbers as the user writes them, times on the clocks of `zone`. */
export function useFormat(zone?: string) {
  const { i18n } = useTranslation()
  const locale = currentLocale()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language means another locale
  return useMemo(() => {
    const at = (options: Intl.DateTimeFormatOptions) => {
      const format = new Intl.DateTimeFormat(locale, { timeZone: zone, ...options })
      return (time: string | Date) => format.format(new Date(time))
    }
    const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
    return {
      locale,
      date: at({ dateStyle: 'medium' }),
      dateTime: at({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
      full: at({ dateStyle: 'full', timeStyle: 'short' }),
      time: at({ hour: '2-digit', minute: '2-digit' }),
      number: (value: number) => new Intl.NumberFormat(locale).format(value),
      ago: (time: string | Date) => {
        const seconds = (new Date(time).getTime() - Date.now()) / 1000
        const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
        return relative.format(Math.trunc(seconds / size), unit)
      },
    }
  }, [locale, zone, i18n.language])
}

const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const satisfies [Intl.RelativeTimeFormatUnit, number][]

const graphemes = new Intl.Segmenter()

/** Counts characters as readers do, and as Meydan does. */
export function countCharacters(text: string) {
  let count = 0
  for (const _ of graphemes.segment(text)) count++
  return count
}
