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

/** Links as X finds them, whose hosts have letters of any script. No Latin letter without an accent is before them. */
const written = new RegExp(
  `([^a-z\\d@＠$#＃]|^)(https?://)((?:[\\p{L}\\p{N}][\\p{L}\\p{N}_-]{0,62}\\.){1,10}[\\p{L}\\d-]{1,63})((?::\\d+)?(?:${path})?(?:${query})?)`,
  'giu',
)
/** The same without `https://`: hosts of Latin letters. One begins no word, so that a long word is read once. */
const bare = new RegExp(
  `([^a-z\\d@＠$#＃_./-]|^)()((?:[a-z\\d${accented}](?:[a-z\\d_${accented}-]{0,61}[a-z\\d${accented}])?\\.){1,10}[a-z][a-z\\d-]{1,62})(?![a-z\\d@+-])((?:(?::\\d+)?${place})?)`,
  'giu',
)

export const topLevels: ReadonlySet<string> = new Set(topLevelDomains)

/** The top-level domain with which a label begins, if one does. A letter of another script ends it. */
function topLevelOf(label: string) {
  const own = label.toLowerCase()
  if (topLevels.has(own) || /^xn--[a-z\d-]+$/.test(own)) return label
  const [latin = ''] = /^[a-z\d-]+(?=\P{ASCII})/iu.exec(label) ?? []
  return topLevels.has(latin.toLowerCase()) ? latin : undefined
}

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
    if (domain === undefined || /_[^.]*\.[^.]*$/.test(domain)) return []
    // Without a scheme, the link begins behind the last `_`.
    const begin = scheme === '' ? domain.lastIndexOf('_') + 1 : 0
    const url = `${scheme}${domain.slice(begin)}${domain === host ? after : ''}`
    return [{ url, index: index + mark.length + begin }]
  })
}

/** Adds the links without `https://`, such as `example.com/bread`, which stand under a known top-level domain. */
function withBare(text: string, whole: readonly Link[]): Link[] {
  // Blanked, because a path can contain names, and places must stay the same.
  const others = replaceLinks(text, whole, (url) => ' '.repeat(url.length))
  return [...whole, ...matched(others, bare)].sort((a, b) => a.index - b.index)
}

/** The links that X finds, in their order. */
export const linksOnX = (text: string) => withBare(text, matched(text, written))

/** The links of a text, also those without `https://`, in their order. */
export const allLinksIn = (text: string) => withBare(text, linksIn(text))
