import { type Weekday, weekdays } from './draft.ts'

export type TextLanguage = 'en' | 'tr'

/** A day with this name: 1 January 2024 was a Monday. */
export function dayName(day: Weekday, language: TextLanguage) {
  const name = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, 1 + weekdays.indexOf(day)),
  )
  return language === 'tr' ? name.toLocaleLowerCase('tr') : name
}

export const monthName = (month: number, language: TextLanguage) =>
  new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, month - 1, 1))

/** Places of a weekday in its month. */
export const placeNames: Record<TextLanguage, Record<number, string>> = {
  en: { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', [-1]: 'last' },
  tr: { 1: 'ilk', 2: 'ikinci', 3: 'üçüncü', 4: 'dördüncü', [-1]: 'son' },
}
