import { invalid } from '../../errors.ts'

/** Throws `invalid` unless this is an IANA time zone. Offsets such as +03:00 have no summer time and are refused. */
export function checkTimeZone(name: string) {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    if (/^[A-Za-z]/.test(name)) return
  } catch {}
  throw invalid('/timezone', 'This is not a known time zone.')
}

/** Returns the language tag in canonical form. Throws `invalid` if it is malformed or unknown. */
export function checkLocale(tag: string) {
  try {
    const [locale] = Intl.getCanonicalLocales(tag)
    if (locale) return locale
  } catch {}
  throw invalid('/locale', 'This is not a language tag such as tr or en-GB.')
}
