import { endsOfLinks, topLevels, withoutClosingMarks } from '../../../../shared/text/links.ts'
import { withoutHiddenCharacters } from '../../../lib/text.ts'

const URLS = new RegExp(`(?:https?:|(?<![\\p{L}\\p{N}:]))//[^${endsOfLinks}]+`, 'giu')
/** Names with dots. Those after an `@` at the start of a word are mentions of handles that are domains. */
const NAMES = /(?<![\p{L}\p{N}_.-]|(?<![\p{L}\p{N}_.-])@)[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)+/gu

/** Text as networks read it when they look for links: compatible forms replaced, and nothing invisible. */
const readable = (text: string) =>
  withoutHiddenCharacters(text)
    .normalize('NFKC')
    .replace(/\u200c|\u200d|[\ufe00-\ufe0f]/g, '')
    .replaceAll('。', '.')

/** Canonical form of a host; the text itself where there is none. */
function hostOf(url: string) {
  try {
    return new URL(url, 'https://none').hostname.replace(/\.$/, '')
  } catch {
    return url.toLowerCase()
  }
}

const isName = (name: string) => topLevels.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())

const namesIn = (text: string) => (text.match(NAMES) ?? []).filter(isName).map((name) => hostOf(`https://${name}`))

/** A link without the punctuation of its sentence. */
const bareLink = (url: string) => url.replace(/[\p{Po}\p{Pe}]+$/u, '')

/**
 * Hosts of all that a network could show as a link: URLs, and bare names under a known top-level domain. Without
 * `allowed` links, which must be the same in every character: a longer one can carry data away.
 */
export function hostsIn(text: string, allowed: readonly string[] = []) {
  const clean = readable(text)
  const whole = new Set(allowed.flatMap((link) => [link, bareLink(link)]))
  const urls = (clean.match(URLS) ?? [])
    .map(withoutClosingMarks)
    .filter((url) => !whole.has(url) && !whole.has(bareLink(url)))
  // Names beside the host count too: programs disagree about what comes before an `@` or a backslash.
  const authorityOf = (url: string) => url.replace(/^[^/]*\/\/([^/?#]*).*$/su, '$1').replaceAll('@', ' ')
  const ofUrls = urls.flatMap((url) => [hostOf(url), ...namesIn(authorityOf(url))])
  return [...new Set([...ofUrls, ...namesIn(clean.replace(URLS, ' '))])]
}

/** Whether a host is one of `allowed`, or below it. */
export const isAllowedHost = (host: string, allowed: readonly string[]) =>
  allowed.some((each) => host === each || host.endsWith(`.${each}`))
