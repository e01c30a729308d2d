import { inflateSync } from 'node:zlib'

/** The text of a PDF as programs copy it: its glyphs, by the ToUnicode tables of its fonts. A line for each piece. */
export function textOfPdf(bytes: Buffer) {
  const objects = new Map<string, string>()
  const source = bytes.toString('latin1')
  for (const [, id = '', body = ''] of source.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g))
    objects.set(id, body)
  const streamOf = (body = '') => {
    const [, content = ''] = /stream\n([\s\S]*?)\nendstream/.exec(body) ?? []
    return body.includes('/FlateDecode') ? inflateSync(Buffer.from(content, 'latin1')).toString('latin1') : content
  }
  const letters = new Map<string, Map<string, string>>()
  for (const body of objects.values())
    for (const [, name = '', id = ''] of body.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const [, table = ''] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '') ?? []
      letters.set(name, lettersOf(streamOf(objects.get(table))))
    }
  const lines: string[] = []
  let font = new Map<string, string>()
  for (const body of objects.values()) {
    if (!body.includes('stream')) continue
    for (const [, name, shown = ''] of streamOf(body).matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (name) font = letters.get(name) ?? new Map()
      else
        lines.push(
          (shown.replaceAll(/<|>|[^<>]*(?=<)/g, '').match(/.{4}/g) ?? []).map((glyph) => font.get(glyph)).join(''),
        )
    }
  }
  return lines.join('\n')
}

/** The letters of glyph numbers, which a table lists as ranges that begin at a number. */
function lettersOf(table: string) {
  const found = new Map<string, string>()
  for (const [, first = '', list = ''] of table.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi))
    for (const [index, [, hex = '']] of [...list.matchAll(/<([0-9a-f]*)>/gi)].entries())
      found.set(
        (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0'),
        Buffer.from(hex, 'hex').swap16().toString('utf16le'),
      )
  return found
}
