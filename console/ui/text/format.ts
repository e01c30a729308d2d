import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../../api'
import { currentLanguage, localeFor } from '../../i18n'

/**
 * The locale of dates and numbers: the user's own, if it matches the language shown and names a region. Without a region
 * the browser's one decides between 12 and 24 hours, as it does in fields for a time.
 */
export function currentLocale() {
  const language = currentLanguage()
  const locale = queryClient.getQueryData<{ locale: string }>(['me'])?.locale
  return locale?.startsWith(`${language}-`) && isLocale(locale) ? locale : localeFor(language)
}

function isLocale(tag: string) {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** Formats dates and numbers for the user, times in the time zone `zone`. */
export function useFormat(zone?: string) {
  // Renders again when the language changes.
  useTranslation()
  const locale = currentLocale()
  const key = `${locale} ${zone}`
  const known = formats.get(key)
  if (known) return known
  const made = createFormat(locale, zone)
  formats.set(key, made)
  return made
}

/** Cached: creating one is slow, and each list row needs one. */
const formats = new Map<string, ReturnType<typeof createFormat>>()

function createFormat(locale: string, timeZone: string | undefined) {
  const at = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone, ...options })
    return (time: string | Date) => format.format(new Date(time))
  }
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const numbers = new Intl.NumberFormat(locale)
  const usd = (maximumFractionDigits: number) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumFractionDigits })
  const [dollars, partsOfCents] = [usd(2), usd(4)]
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  const hour = hour12 ? 'numeric' : '2-digit'
  const timeOfDay = new Intl.DateTimeFormat(locale, { hour, minute: '2-digit', timeZone: 'UTC' })
  const lists = new Intl.ListFormat(locale)
  const alternatives = new Intl.ListFormat(locale, { type: 'disjunction' })
  return {
    locale,
    /** Whether times are written with AM and PM. */
    hour12: hour12 === true,
    dateTime: at({ weekday: 'short', day: 'numeric', month: 'short', hour, minute: '2-digit' }),
    precise: at({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    date: at({ dateStyle: 'medium' }),
    monthDay: at({ day: 'numeric', month: 'short' }),
    month: at({ month: 'short' }),
    monthYear: at({ month: 'long', year: 'numeric' }),
    day: at({ dateStyle: 'full' }),
    time: at({ hour, minute: '2-digit' }),
    /** A time of day without a date, `HH:mm`, in no time zone. */
    timeOfDay: (clock: string) => timeOfDay.format(new Date(`2024-01-01T${clock}:00Z`)),
    clock: at({ timeStyle: 'medium' }),
    full: at({ dateStyle: 'full', timeStyle: 'short' }),
    exact: at({ dateStyle: 'medium', timeStyle: 'medium' }),
    number: (value: number) => numbers.format(value),
    /** An amount in US dollars. Small ones have parts of cents. */
    dollars: (usd: number) => (usd < 0.01 ? partsOfCents : dollars).format(usd),
    /** The separator of CSV files that spreadsheets of the locale open in columns. */
    csvSeparator: numbers.formatToParts(0.5).some(({ type, value }) => type === 'decimal' && value === ',')
      ? ('semicolon' as const)
      : ('comma' as const),
    /** Joins texts by commas and “and”. */
    list: (texts: Iterable<string>) => lists.format(texts),
    /** Joins texts by commas and “or”. */
    alternatives: (texts: Iterable<string>) => alternatives.format(texts),
    ago: (time: string | Date) => {
      const seconds = (new Date(time).getTime() - Date.now()) / 1000
      if (seconds <= 0 && seconds > -30) return i18next.t('ui.just_now')
      return relative.format(...nearest(seconds))
    },
  }
}

/** Rounds to the nearest, so that 7 days do not become 6 a moment later. No seconds: Meydan stores minutes. */
function nearest(seconds: number): [number, Intl.RelativeTimeFormatUnit] {
  const at = units.findIndex(([, length]) => Math.abs(seconds) >= length)
  const [unit, length] = units[at] ?? ['minute', 60]
  const count = Math.round(seconds / length)
  const larger = units[(at < 0 ? units.length : at) - 1]
  return larger && Math.abs(count) * length >= larger[1] ? [Math.sign(count), larger[0]] : [count, unit]
}

const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const satisfies [Intl.RelativeTimeFormatUnit, number][]
