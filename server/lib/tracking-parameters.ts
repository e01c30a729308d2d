/** Parameters that count readers, and change with each reading of a feed. */
const TRACKING = /^(utm_\w+|fbclid|gclid|dclid|msclkid|yclid|mc_[ce]id|igshid|_hs\w+)$/i

/** The host without `www.`. */
export const hostWithoutWww = (url: URL) => url.hostname.replace(/^www\./, '')

/**
 * Key of a link, or of another name: the same for an address that moved to https, lost `www.`, or got a slash or other
 * tracking parameters.
 */
export function linkKey(name: string) {
  const text = name.trim()
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text
  const url = new URL(text)
  for (const key of [...url.searchParams.keys()]) if (TRACKING.test(key)) url.searchParams.delete(key)
  return `${hostWithoutWww(url)}${url.pathname.replace(/\/+$/, '')}${url.search}${url.hash}`
}

/** The link without its tracking parameters. The rest stays as it is written. */
export function withoutTracking(link: string) {
  const [, address = link, query = '', hash = ''] = /^([^?#]*)\?([^#]*)(.*)$/s.exec(link) ?? []
  const kept = query.split('&').filter((each) => each !== '' && !TRACKING.test(each.split('=', 1)[0] ?? ''))
  return `${address}${kept.length ? `?${kept.join('&')}` : ''}${hash}`
}
