/** A text with placeholders, ready to be filled in as often as needed. */
export type Filled = (values: Values) => string
export type Values = Readonly<Record<string, string | undefined>>

/** A name that objects have by themselves, such as `constructor`, has no value but one that was given. */
export const givenValue = (values: Values, name: string) => (Object.hasOwn(values, name) ? values[name] : undefined)

/** What is wrong with a template, for a person who wrote it. */
export type Fault = { message: string }

type Placeholder = { name: string; start: number; end: number }
type Encode = (value: string) => string

const asIs: Encode = (value) => value
const unsafe = /[&<>"']/
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const toHtml: Encode = (value) =>
  unsafe.test(value) ? value.replace(/[&<>"']/g, (character) => escapes[character] ?? character) : value
/** The begin of an address: one of the web, or none at all. */
const toAddress: Encode = (value) => (/^https?:\/\//i.test(value) ? toHtml(value) : '')
/** A part of an address after its host. */
const toPart: Encode = (value) => toHtml(encodeURIComponent(value.toWellFormed()))

const MOST_PLACEHOLDERS = 500
/** What makes plain text of HTML takes a time that grows with the square of its tags. */
const MOST_TAGS = 10_000
/** As much of the begin of an address as its scheme and host may take. */
const MOST_HOST = 2000
const NAME = '[a-z][a-z0-9_]{0,59}'

/** Every placeholder of a text. Everything else that begins with two braces is a fault. */
function find(text: string, faults: Fault[]) {
  const found: Placeholder[] = []
  for (const match of text.matchAll(new RegExp(`\\{{3,}|\\{\\{\\s*(${NAME})\\s*\\}\\}|\\{\\{`, 'g'))) {
    const [all, name] = match
    if (name !== undefined) found.push({ name, start: match.index, end: match.index + all.length })
    else {
      const said = text.slice(match.index, match.index + 40).split('\n', 1)[0]
      faults.push({
        message: `A placeholder is written {{name}}, in small letters, digits and _. This is none: ${said}`,
      })
    }
  }
  if (found.length > MOST_PLACEHOLDERS) {
    faults.push({ message: `There are more than ${MOST_PLACEHOLDERS} placeholders.` })
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

export type Parsed = { fill: Filled; names: string[] }

/** A subject or a plain text: values stand in it as they are. */
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

/** A text that was made from HTML: what is no placeholder of that HTML means nothing. */
export function parseDerived(text: string, known: ReadonlySet<string>): Filled {
  const found = find(text, []).filter(({ name }) => known.has(name))
  return fill(
    text,
    found,
    found.map(() => asIs),
  )
}

/** HTML: each value is escaped for the place where it stands, and has no place where it could do more than be read. */
export function parseHtml(html: string, faults: Fault[]): Parsed {
  const found = find(html, faults)
  if ((html.match(/<\/?[a-z]/gi)?.length ?? 0) > MOST_TAGS)
    faults.push({ message: `There are more than ${MOST_TAGS} tags.` })
  const places = placesOf(html)
  let at = 0
  const encodes = found.map(({ name, start }) => {
    while ((places[at + 1]?.start ?? Number.POSITIVE_INFINITY) <= start) at++
    const place = places[at] as Place
    const verdict = encodeAt(place, name, html.slice(place.start, start))
    if (typeof verdict === 'function') return verdict
    faults.push({ message: verdict })
    return toHtml
  })
  return { fill: fill(html, found, encodes), names: found.map(({ name }) => name) }
}

/** Tags that give a value to something else: it may become an address there. */
const givers = /^(meta|param|animate|set)$/
const given = /^(content|value|values|from|to|by)$/
const addresses = new Set(
  'href src action formaction background poster cite data longdesc lowsrc dynsrc usemap xlink:href'.split(' '),
)

/** How a value is written at a place; a text says why there is none for it. */
function encodeAt({ kind, tag, attribute }: Place, name: string, before: string): Encode | string {
  const variable = `{{${name}}}`
  if (kind === 'text' && !/<\/?[a-z]*$/i.test(before.slice(-40))) {
    // Within an image of SVG a title may hold tags.
    if (tag === '' || (before.length <= MOST_HOST && !/<[a-z]/i.test(before))) return toHtml
    return `${variable} stands in <${tag}> behind other tags, where its value could do more than be read.`
  }
  if (kind === 'comment') return `${variable} stands in a comment or a declaration, where it cannot be shown safely.`
  if (kind === 'raw') return `${variable} stands in <${tag}>, where its value could do more than be read.`
  if (kind === 'tag' || kind === 'text')
    return `${variable} stands inside of a tag. It may stand in the value of an attribute, in quotes: title="${variable}".`
  if (kind === 'unquoted') return `The value of ${attribute} needs quotes around it: ${attribute}="${variable}".`
  if ((givers.test(tag) && given.test(attribute)) || /^on|^(style|srcdoc|srcset|ping)$/.test(attribute))
    return `${variable} stands in ${attribute}, where its value could do more than be read.`
  return addresses.has(attribute) ? encodeInAddress(variable, name, before) : toHtml
}

function encodeInAddress(variable: string, name: string, before: string): Encode | string {
  const known = before
    .slice(0, MOST_HOST)
    .trim()
    .replace(/^\{\{\s*\w+\s*\}\}/, 'https://host')
  if (/[\\\p{Cc}]/u.test(known) || /^([a-z][a-z0-9+.-]*:)?\/{0,2}[^/?#]*&/i.test(known))
    return `${variable} stands in an address whose begin is not written plainly: it has a backslash, a line break or an entity.`
  if (known === '')
    return name.endsWith('_url')
      ? toAddress
      : `${variable} begins an address: only variables whose names end in _url may, such as {{app_url}}.`
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(known)?.[1]?.toLowerCase()
  if (scheme !== undefined && !/^(https?|mailto|tel)$/.test(scheme))
    return `${variable} stands in an address that begins with ${scheme}:, where its value could do more than be read.`
  if (/^(https?:)?\/\/[^/?#]*$/i.test(known) || /^https?:\/?$/i.test(known))
    return `${variable} stands in the host of an address. It may stand behind it: https://example.com/${variable}.`
  return toPart
}

/** What the browser takes a stretch of HTML for. */
type Place = {
  start: number
  kind: 'text' | 'comment' | 'raw' | 'tag' | 'quoted' | 'unquoted'
  tag: string
  attribute: string
}

const rawTags = new Set(['style', 'script', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript', 'plaintext'])
/** Their content holds no tags, but is text: entities count. */
const textTags = new Set(['title', 'textarea'])

/** Cuts HTML the way its standard says that it is read (WHATWG HTML, 13.2.5), each stretch up to the begin of the next. */
function placesOf(html: string): Place[] {
  const places: Place[] = []
  const begin = (start: number, kind: Place['kind'], tag = '', attribute = '') =>
    places.push({ start, kind, tag, attribute })
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
      // Within a script a comment may hide its end; and in SVG, or where no scripts run, tags may be read as such.
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
  return places
}

/** Reads what stands in a tag behind its name, and answers where the tag has ended. */
function readAttributes(
  html: string,
  from: number,
  tag: string,
  begin: (start: number, kind: Place['kind'], tag: string, attribute?: string) => void,
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
