/** What an address may carry behind its question mark: anything, until it was looked at. */
export type Search = Record<string, unknown>

/**
 * One of the texts that an address carries. What is not there is said to be undefined: a key that is left out would keep
 * whatever the address has under it.
 */
export function text<Key extends string>(search: Search, key: Key) {
  const value = search[key]
  // The router reads bare digits as numbers.
  const found = typeof value === 'number' ? String(value) : value
  const entry = { [key]: typeof found === 'string' && found !== '' ? found : undefined }
  return entry as { [K in Key]?: string }
}

/** An address inside of the console. Browsers leave out tabs and line breaks, and what is left may name another place. */
export const inside = (value: unknown) =>
  typeof value === 'string' && /^\/(?!\/)/.test(value) && URL.parse(value, location.origin)?.origin === location.origin
    ? value
    : undefined

/** What is no id filters by nothing. */
export const idOf = (value: unknown) =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? value : undefined

/** A day or time that has the form, and is one. */
export function moment(value: unknown, form: RegExp) {
  if (typeof value !== 'string' || !form.test(value)) return undefined
  const time = new Date(`${value.replace(' ', 'T')}${value.length > 10 ? 'Z' : ''}`)
  // The 30th of February is read as one in March; of years, only those that calendars are for.
  const isOne = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value.slice(0, 10))
  return isOne && /^(19|20)/.test(value) ? value : undefined
}

/** Without marks and case, in Turkish too: there I and i are the same letter as little as ı and İ. */
export const fold = (text: string) => text.replace(/[İIı]/g, 'i').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
