import topLevelDomains from 'tlds' with { type: 'json' }

/** A link as a text has it, and where it begins there. */
type Link = { url: string; index: number }

/**
 * Marks that end a link wherever they stand: quotation marks, an apostrophe with an ending behind it, an ellipsis, a dash
 * between two parts of a sentence.
 */
export const endsOfLinks = '\\s<>"\'`’‘‚‛“”„‟«»‹›…—'

const candidates = new RegExp(`https?://[^${endsOfLinks}]+`, 'giu')
const closing: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

/** A link without the marks of the sentence around it. A bracket that was opened within the link belongs to it. */
export function withoutClosingMarks(url: string) {
  const unopened = new Map<string, number>()
  for (const [close, open] of Object.entries(closing))
    unopened.set(close, url.split(close).length - url.split(open).length)
  let end = url.length
  for (;;) {
    const last = url[end - 1] ?? ''
    const left = unopened.get(last) ?? 0
    if (left > 0) unopened.set(last, left - 1)
    else if (!/[.,;:!?。，、！？；：]/u.test(last)) return url.slice(0, end)
    end--
  }
}

/** The http and https links of a text. */
export const linksIn = (text: string): Link[] =>
  [...text.matchAll(candidates)].flatMap(({ 0: found, index }) => {
    const url = withoutClosingMarks(found)
    return /\/\/./.test(url) ? [{ url, index }] : []
  })

/** The text with what `replacement` returns for each of these links. */
export function replaceLinks(text: string, found: readonly Link[], replacement: (url: string) => string) {
  let replaced = ''
  let end = 0
  for (const { url, index } of found) {
    replaced += text.slice(end, index) + replacement(url)
    end = index + url.length
  }
  return replaced + text.slice(end)
}

/** Latin letters with accents, as X takes them in names and paths. */
const accented = '\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u024f'
const inPath = `a-z\\d!*';:=+,.$/%#\\[\\]\\-\\u2013_~@|&\\u0400-\\u04ff${accented}`
const endOfPath = `a-z\\d=_#/+\\-\\u0400-\\u04ff${accented}`
const brackets = `\\((?:[${inPath}]+|[${inPath}]*\\([${inPath}]+\\)[${inPath}]*)\\)`
const path = `/(?:[${inPath}]*(?:${brackets}[${inPath}]*)*(?:[${endOfPath}]|${brackets})|@[${inPath}]+/)?`
const query = "\\?[a-z\\d!?*'@();:&=+$/%#\\[\\]\\-_.,~|]*[a-z\\d\\-_&=#/]"
const place = `${path}(?:${query})?`

/** `path` and `query` where letters of every script belong to them. */
const anyInPath = '[^\\s<>()?]'
const anyBrackets = `\\((?:${anyInPath}+|${anyInPath}*\\(${anyInPath}+\\)${anyInPath}*)\\)`
const anyEndOfPath = '[^\\s()?!*"\'「」<>;:=,.$%\\[\\]~&|@]'
const anyPath = `/(?:${anyInPath}*(?:${anyBrackets}${anyInPath}*)*(?:${anyEndOfPath}|${anyBrackets}))?`
const anyQuery = "\\?[a-z\\d!?*'();:&=+$/%#\\[\\]\\-_.,~|@^\\u{a0}-\\u{10ffff}]*[a-z\\d_&=#/\\-\\u{a0}-\\u{10ffff}]"

/** A sign of any script, which begins and ends a label of a host. */
const inHost = '[^\\s\\p{P}\\p{Z}\\p{C}$+<=>^`|~]'
const host = `(?:${inHost}(?:(?:${inHost}|[_-]){0,61}${inHost})?\\.){1,10}[\\p{L}\\p{M}\\d-]{1,63}`

/** Links whose hosts have letters of any script. No Latin letter without an accent is before them. */
const written = (after: string) => new RegExp(`([^a-z\\d@＠$#＃]|^)(https?://)(${host})((?::\\d+)?${after})`, 'giu')
const writtenOnX = written(`(?:${path})?(?:${query})?`)
const writtenInAnyScript = written(`(?:${anyPath})?(?:${anyQuery})?`)
/** The same without `https://`: hosts of Latin letters. One begins no word, so that a long word is read once. */
const bare = new RegExp(
  `([^a-z\\d@＠$#＃_./-]|^)()((?:[a-z\\d${accented}](?:[a-z\\d_${accented}-]{0,61}[a-z\\d${accented}])?\\.){1,10}(?:[a-z][a-z\\d-]{1,62}|(?:(?!\\p{Script=Latin})[\\p{L}\\p{M}]){1,63}))(?![a-z\\d@+-])((?:(?::\\d+)?${place})?)`,
  'giu',
)
/** A link that X has shortened. */
const shortened = new RegExp(`^https?://t\\.co/([a-z\\d]+)(?:${query})?`, 'iu')
const MAX_SHORTENED = 40
const MAX_URL = 4096

export const topLevels: ReadonlySet<string> = new Set(topLevelDomains)

/** The longest top-level domain with which a label begins, if one does. A letter of another script ends it. */
function topLevelOf(label: string) {
  if (/^xn--[a-z\d-]+$/i.test(label)) return label
  for (let end = label.length; end > 0; end--)
    if (topLevels.has(label.slice(0, end).toLowerCase()) && !/^[a-z\d-]/i.test(label.slice(end)))
      return label.slice(0, end)
}

/** Whether a host can be looked up: its labels have at most 63 characters in ASCII, and those in ASCII are valid. */
const isHost = (name: string) =>
  URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname.split('.').every(({ length }) => length <= 63)

/** The longest beginning of a host that ends in a top-level domain, if there is one. */
function domainOf(host: string) {
  const labels = host.split('.')
  while (labels.length > 1) {
    const topLevel = topLevelOf(labels.pop() ?? '')
    if (topLevel !== undefined) return [...labels, topLevel].join('.')
  }
}

function matched(text: string, pattern: RegExp): Link[] {
  return [...text.matchAll(pattern)].flatMap(({ 1: mark = '', 2: scheme = '', 3: host = '', 4: after = '', index }) => {
    const domain = domainOf(host)
    // A registered name has no `_`.
    if (domain === undefined || /_[^.]*\.[^.]*$/.test(domain) || !isHost(domain)) return []
    // Without a scheme, the link begins behind the last `_`.
    const begin = scheme === '' ? domain.lastIndexOf('_') + 1 : 0
    const url = `${scheme}${domain.slice(begin)}${domain === host ? after : ''}`
    const [short, code = ''] = shortened.exec(url) ?? []
    if (url.length > MAX_URL || code.length > MAX_SHORTENED) return []
    return [{ url: short ?? url, index: index + mark.length + begin }]
  })
}

/** The links with `https://` whose hosts stand under a known top-level domain, in their order. */
export const linksWithDomain = (text: string) => matched(text, writtenInAnyScript)

/** Adds the links without `https://`, such as `example.com/bread`, which stand under a known top-level domain. */
function withBare(text: string, whole: readonly Link[]): Link[] {
  // Blanked, because a path can contain names, and places must stay the same.
  const others = replaceLinks(text, whole, (url) => ' '.repeat(url.length))
  return [...whole, ...matched(others, bare)].sort((a, b) => a.index - b.index)
}

/** The links that X finds, in their order. */
export const linksOnX = (text: string) => withBare(text, matched(text, writtenOnX))

/** The links of a text, also those without `https://`, in their order. */
export const allLinksIn = (text: string) => withBare(text, linksIn(text))
