/** The http or https URL that another server or a person wrote, normalised; null if the text is no such URL. */
export function httpUrl(value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null
  const { protocol, href } = new URL(value)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}
