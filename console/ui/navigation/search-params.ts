/** The query of an address. Values are of any type until validated. */
export type Search = Record<string, unknown>

/**
 * A text parameter of an address. A missing one is set to undefined, because an omitted key would keep the raw value
 * of the address.
 */
export function textParam<Key extends string>(search: Search, key: Key) {
  const value = search[key]
  // The router reads bare digits as numbers.
  const found = typeof value === 'number' ? String(value) : value
  const entry = { [key]: typeof found === 'string' && found !== '' ? found : undefined }
  return entry as { [K in Key]?: string }
}

/** A path inside the console. Browsers drop tabs and line breaks, and the result may be another origin. */
export const internalPath = (value: unknown) =>
  typeof value === 'string' && /^\/(?!\/)/.test(value) && URL.parse(value, location.origin)?.origin === location.origin
    ? value
    : undefined

/** An invalid id filters nothing. */
export const uuidParam = (value: unknown) =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? value : undefined

/** A valid day or time of this form. */
export function dateTimeParam(value: unknown, form: RegExp) {
  if (typeof value !== 'string' || !form.test(value)) return undefined
  const time = new Date(`${value.replace(' ', 'T')}${value.length > 10 ? 'Z' : ''}`)
  // JavaScript reads 30 February as a day in March. Only the years 1900 to 2099 are valid.
  const isOne = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value.slice(0, 10))
  return isOne && /^(19|20)/.test(value) ? value : undefined
}

/** Removes marks and case, also in Turkish, where I and i are different letters, as are ı and İ. */
export const foldCase = (text: string) =>
  text.replace(/[İIı]/g, 'i').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
