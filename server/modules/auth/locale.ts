import { invalid } from '../../errors.ts'

/** Whether this is an IANA time zone. Offsets such as +03:00 have no summer time and are refused. */
export function isTimeZone(name: string) {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

/** Throws `invalid` unless this is an IANA time zone. */
export function checkTimeZone(name: string) {
  if (!isTimeZone(name)) throw invalid('/timezone', 'This is not a known time zone.')
}

/** Returns the language tag in canonical form. Throws `invalid` if it is malformed or unknown. */
export function checkLocale(tag: string) {
  try {
    const [locale] = Intl.getCanonicalLocales(tag)
    if (locale) return locale
  } catch {}
  throw invalid('/locale', 'This is not a language tag such as tr or en-GB.')
}
