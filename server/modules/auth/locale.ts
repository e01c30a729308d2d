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

/** The language tag in canonical form. Undefined if it is malformed. */
export function canonicalLocale(tag: string) {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

/** Returns the language tag in canonical form. Throws `invalid` if it is malformed. */
export function checkLocale(tag: string, pointer = '/locale') {
  const locale = canonicalLocale(tag)
  if (locale === undefined) throw invalid(pointer, 'This is not a language tag such as tr or en-GB.')
  return locale
}
