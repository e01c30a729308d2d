type Entity = { type: string; offset: number; length: number; url?: string }
type Parsed = { text: string; entities: Entity[] }

const TYPES: Record<string, string> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  code: 'code',
  pre: 'pre',
  a: 'text_link',
  blockquote: 'blockquote',
  'tg-spoiler': 'spoiler',
}
const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' }

/** Replaces the four named and all numeric references. Others stay as they are. */
const decode = (text: string) =>
  text.replace(
    /&(?:(lt|gt|amp|quot)|#(\d+)|#x([\da-f]+));/gi,
    (whole, name?: string, decimal?: string, hex?: string) =>
      name
        ? (NAMED[name.toLowerCase()] ?? whole)
        : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)),
  )

/** Reads Telegram's HTML: the plain text and its entities, in UTF-16 units. A string: the reason for a refusal. */
export function parseHtml(html: string): Parsed | string {
  const open: { tag: string; entity: Entity }[] = []
  const entities: Entity[] = []
  let text = ''
  let rest = html
  const offset = () => Buffer.byteLength(html.slice(0, html.length - rest.length))
  const fail = (reason: string) => `Bad Request: can't parse entities: ${reason}`
  while (rest) {
    const next = rest.indexOf('<')
    text += decode(next < 0 ? rest : rest.slice(0, next))
    if (next < 0) break
    rest = rest.slice(next)
    const [tag, slash, written, attributes = ''] = /^<(\/?)([\w-]+)([^<>]*)>/.exec(rest) ?? []
    const name = written?.toLowerCase()
    if (tag === undefined || name === undefined) {
      const found = /^<\/?([^\s>]*)/.exec(rest)?.[1] ?? ''
      return fail(`Unsupported start tag "${found.toLowerCase()}" at byte offset ${offset()}`)
    }
    if (slash) {
      const last = open.pop()
      if (!last) return fail(`Unexpected end tag at byte offset ${offset()}`)
      if (last.tag !== name)
        return fail(`Unmatched end tag at byte offset ${offset()}, expected "</${last.tag}>", found "</${name}>"`)
      last.entity.length = text.length - last.entity.offset
      if (last.entity.length > 0) entities.push(last.entity)
    } else {
      const type = name === 'span' && /class=["']?tg-spoiler/.test(attributes) ? 'spoiler' : TYPES[name]
      if (!type) return fail(`Unsupported start tag "${name}" at byte offset ${offset()}`)
      const url = /href=(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(attributes)?.slice(1).find(Boolean)
      open.push({ tag: name, entity: { type, offset: text.length, length: 0, ...(url ? { url: decode(url) } : {}) } })
    }
    rest = rest.slice(tag.length)
  }
  const unclosed = open.pop()
  if (unclosed) return fail(`Can't find end tag corresponding to start tag "${unclosed.tag}"`)
  return trimmed({ text, entities })
}

/** Removes white space at both ends, as Telegram does before it counts. */
export function trimmed({ text, entities }: Parsed): Parsed {
  const start = text.length - text.trimStart().length
  const shown = text.trim()
  const moved = entities.map((entity) => {
    const from = Math.max(entity.offset - start, 0)
    return { ...entity, offset: from, length: Math.min(entity.offset + entity.length - start, shown.length) - from }
  })
  return { text: shown, entities: moved.filter(({ length }) => length > 0).sort((a, b) => a.offset - b.offset) }
}
