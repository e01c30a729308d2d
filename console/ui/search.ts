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
