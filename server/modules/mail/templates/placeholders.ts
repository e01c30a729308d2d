/** A compiled text. Call it with values to fill in the placeholders, as often as needed. */
export type Filled = (values: Values) => string
export type Values = Readonly<Record<string, string | undefined>>

/** The value given for a name. Ignores names that all objects have, such as `constructor`. */
export const givenValue = (values: Values, name: string) => (Object.hasOwn(values, name) ? values[name] : undefined)

/** A fault in a template, described for its author. */
export type Fault = { message: string }

type Placeholder = { name: string; start: number; end: number }
type Encode = (value: string) => string

const asIs: Encode = (value) => value
const unsafe = /[&<>"']/
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const toHtml: Encode = (value) =>
  unsafe.test(value) ? value.replace(/[&<>"']/g, (character) => escapes[character] ?? character) : value
/** Drops values other than web addresses, at the beginning of an address. */
const toAddress: Encode = (value) => (/^https?:\/\//i.test(value) ? toHtml(value) : '')
/** Encodes a part of an address after its host. */
const toPart: Encode = (value) => toHtml(encodeURIComponent(value.toWellFormed()))

const MAX_PLACEHOLDERS = 500
/** Converting HTML to plain text takes time that grows with the square of its tags. */
const MAX_TAGS = 10_000
/** Maximum characters of the scheme and host of an address. */
const MAX_HOST = 2000
const NAME = '[a-z][a-z0-9_]{0,59}'

/** Finds the placeholders of a text. Any other two opening braces are a fault. */
function find(text: string, faults: Fault[]) {
  const found: Placeholder[] = []
  for (const match of text.matchAll(new RegExp(`\\{{3,}|\\{\\{\\s*(${NAME})\\s*\\}\\}|\\{\\{`, 'g'))) {
    const [all, name] = match
    if (name !== undefined) found.push({ name, start: match.index, end: match.index + all.length })
    else {
      const said = text.slice(match.index, match.index + 40).split('\n', 1)[0]
      faults.push({
        message: `A placeholder must have the form {{name}}, with lowercase letters, digits and _. This is not one: ${said}`,
      })
    }
  }
  if (found.length > MAX_PLACEHOLDERS) {
    faults.push({ message: `There are more than ${MAX_PLACEHOLDERS} placeholders.` })
    return []
  }
  return found
}

function fill(text: string, found: readonly Placeholder[], encodes: readonly Encode[]): Filled {
  const names = found.map(({ name }) => name)
  const between = found.map(({ start }, index) => text.slice(found[index - 1]?.end ?? 0, start))
  const last = text.slice(found.at(-1)?.end ?? 0)
  return (values) => {
    let filled = ''
    for (let index = 0; index < names.length; index++)
      filled += between[index] + (encodes[index] ?? toHtml)(givenValue(values, names[index] as string) ?? '')
    return filled + last
  }
}

type Parsed = { fill: Filled; names: string[] }

/** Parses a subject or a plain text, where values are inserted unchanged. */
export function parseText(text: string, faults: Fault[]): Parsed {
  const found = find(text, faults)
  return {
    fill: fill(
      text,
      found,
      found.map(() => asIs),
    ),
    names: found.map(({ name }) => name),
  }
}

/** Parses text made from HTML. Ignores everything that is not a placeholder of that HTML. */
export function parseDerived(text: string, known: ReadonlySet<string>): Filled {
  const found = find(text, []).filter(({ name }) => known.has(name))
  return fill(
    text,
    found,
    found.map(() => asIs),
  )
}

/** Parses HTML. Values are escaped for their position, and rejected where they could act as more than text. */
export function parseHtml(html: string, faults: Fault[]): Parsed {
  const found = find(html, faults)
  if ((html.match(/<\/?[a-z]/gi)?.length ?? 0) > MAX_TAGS)
    faults.push({ message: `There are more than ${MAX_TAGS} tags.` })
  const positions = positionsOf(html)
  let at = 0
  const encodes = found.map(({ name, start }) => {
    while ((positions[at + 1]?.start ?? Number.POSITIVE_INFINITY) <= start) at++
    const position = positions[at] as Position
    const verdict = encodeAt(position, name, html.slice(position.start, start))
    if (typeof verdict === 'function') return verdict
    faults.push({ message: verdict })
    return toHtml
  })
  return { fill: fill(html, found, encodes), names: found.map(({ name }) => name) }
}

/** Tags that pass a value to another element or attribute, where it may become an address. */
const givers = /^(meta|param|animate|set)$/
const given = /^(content|value|values|from|to|by)$/
const addresses = new Set(
  'href src action formaction background poster cite data longdesc lowsrc dynsrc usemap xlink:href'.split(' '),
)

/** Returns how to encode a value at a position, or a message why it is not allowed there. */
function encodeAt({ kind, tag, attribute }: Position, name: string, before: string): Encode | string {
  const variable = `{{${name}}}`
  if (kind === 'text' && !/<\/?[a-z]*$/i.test(before.slice(-40))) {
    // In an SVG image a title may contain tags.
    if (tag === '' || (before.length <= MAX_HOST && !/<[a-z]/i.test(before))) return toHtml
    return `${variable} is in <${tag}> after other tags, where its value could act as code.`
  }
  if (kind === 'comment') return `${variable} is in a comment or a declaration, where it cannot be inserted safely.`
  if (kind === 'raw') return `${variable} is in <${tag}>, where its value could act as code.`
  if (kind === 'tag' || kind === 'text')
    return `${variable} is inside a tag. Use it only in the value of an attribute, in quotes: title="${variable}".`
  if (kind === 'unquoted') return `The value of ${attribute} must be in quotes: ${attribute}="${variable}".`
  if ((givers.test(tag) && given.test(attribute)) || /^on|^(style|srcdoc|srcset|ping)$/.test(attribute))
    return `${variable} is in ${attribute}, where its value could act as code.`
  return addresses.has(attribute) ? encodeInAddress(variable, name, before) : toHtml
}

function encodeInAddress(variable: string, name: string, before: string): Encode | string {
  const known = before
    .slice(0, MAX_HOST)
    .trim()
    .replace(/^\{\{\s*\w+\s*\}\}/, 'https://host')
  if (/[\\\p{Cc}]/u.test(known) || /^([a-z][a-z0-9+.-]*:)?\/{0,2}[^/?#]*&/i.test(known))
    return `${variable} is in a URL that begins with a backslash, a line break or an entity. Write the beginning of the URL plainly.`
  if (known === '')
    return name.endsWith('_url')
      ? toAddress
      : `${variable} is at the beginning of a URL. Only variables whose names end in _url can begin a URL, such as {{app_url}}.`
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(known)?.[1]?.toLowerCase()
  if (scheme !== undefined && !/^(https?|mailto|tel)$/.test(scheme))
    return `${variable} is in a URL that begins with ${scheme}:, where its value could act as code.`
  if (/^(https?:)?\/\/[^/?#]*$/i.test(known) || /^https?:\/?$/i.test(known))
    return `${variable} is in the host of a URL. Use it after the host: https://example.com/${variable}.`
  return toPart
}

/** A section of HTML, as the browser interprets it. */
type Position = {
  start: number
  kind: 'text' | 'comment' | 'raw' | 'tag' | 'quoted' | 'unquoted'
  tag: string
  attribute: string
}

const rawTags = new Set(['style', 'script', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript', 'plaintext'])
/** Their content is text without tags, in which entities are decoded. */
const textTags = new Set(['title', 'textarea'])

/** Splits HTML as its standard parses it (WHATWG HTML, 13.2.5). Each section ends where the next begins. */
function positionsOf(html: string): Position[] {
  const positions: Position[] = []
  const begin = (start: number, kind: Position['kind'], tag = '', attribute = '') =>
    positions.push({ start, kind, tag, attribute })
  const after = (pattern: RegExp, from: number) => {
    pattern.lastIndex = from
    const match = pattern.exec(html)
    return match ? match.index + match[0].length : html.length
  }
  let at = 0
  begin(0, 'text')
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    const next = html[open + 1] ?? ''
    const isEnd = next === '/'
    if (/[a-z]/i.test(isEnd ? (html[open + 2] ?? '') : next)) {
      const nameStart = open + (isEnd ? 2 : 1)
      begin(open, 'tag')
      const nameEnd = after(/[^\s/>]*/y, nameStart)
      const tag = html.slice(nameStart, nameEnd).toLowerCase()
      at = readAttributes(html, nameEnd, tag, begin)
      if (isEnd || !(rawTags.has(tag) || textTags.has(tag))) {
        begin(at, 'text')
        continue
      }
      begin(at, rawTags.has(tag) ? 'raw' : 'text', tag)
      const closing = tag === 'plaintext' ? null : new RegExp(`</${tag}(?=[\\s/>])`, 'gi')
      if (closing) closing.lastIndex = at
      const close = closing?.exec(html)?.index ?? html.length
      const content = html.slice(at, close)
      // In a script a comment may hide its end. In SVG, or where scripts are disabled, tags may be parsed as tags.
      const goesOn = rawTags.has(tag) && (/<\/?[a-z]/i.test(content) || (tag === 'script' && content.includes('<!--')))
      at = goesOn ? html.length : close
    } else if (html.startsWith('<!--', open)) {
      begin(open, 'comment')
      at = /^-?>/.test(html.slice(open + 4, open + 6)) ? after(/>/g, open + 4) : after(/--!?>/g, open + 4)
      begin(at, 'text')
    } else if (next === '!' || next === '?' || isEnd) {
      begin(open, 'comment')
      at = after(/>/g, open + 1)
      begin(at, 'text')
    } else at = open + 1
  }
  return positions
}

/** Reads the attributes of a tag, and returns the position after the tag. */
function readAttributes(
  html: string,
  from: number,
  tag: string,
  begin: (start: number, kind: Position['kind'], tag: string, attribute?: string) => void,
) {
  const pattern = /[\s/]*(?:(>)|([^\s/>][^\s/>=]*)(?:\s*(=)\s*)?)/y
  let at = from
  while (at < html.length) {
    pattern.lastIndex = at
    const match = pattern.exec(html)
    if (!match) return html.length
    at = match.index + match[0].length
    if (match[1]) return at
    if (!match[3]) continue
    const attribute = (match[2] ?? '').toLowerCase()
    const quote = html[at]
    if (quote === '"' || quote === "'") {
      begin(at + 1, 'quoted', tag, attribute)
      const end = html.indexOf(quote, at + 1)
      at = end < 0 ? html.length : end + 1
      begin(end < 0 ? html.length : end, 'tag', tag)
    } else {
      begin(at, 'unquoted', tag, attribute)
      const space = html.slice(at).search(/[\s>]/)
      at = space < 0 ? html.length : at + space
      begin(at, 'tag', tag)
    }
  }
  return html.length
}
