import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { OpenFile } from './network.ts'

/** `file`: sent as a stream, never whole in memory. */
type FormPart = { name: string } & ({ value: string; mime?: string } | { file: OpenFile })

const quoted = (text: string) => text.replace(/["\r\n]/g, (character) => encodeURIComponent(character))

function headOf(part: FormPart, boundary: string) {
  const name = quoted(part.name)
  return 'file' in part
    ? `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${quoted(part.file.name)}"\r\ncontent-type: ${part.file.mime}\r\n\r\n`
    : `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n${part.mime ? `content-type: ${part.mime}\r\n` : ''}\r\n${part.value}`
}

/** The body of a `multipart/form-data` request (RFC 7578) with its length, as many servers refuse chunked uploads. */
export function multipart(parts: readonly FormPart[]) {
  const boundary = `meydan-${randomUUID()}`
  const end = `--${boundary}--\r\n`
  const heads = parts.map((part) => headOf(part, boundary))
  const length = parts.reduce(
    (sum, part, index) => sum + Buffer.byteLength(heads[index] ?? '') + ('file' in part ? part.file.bytes : 0) + 2,
    Buffer.byteLength(end),
  )
  async function* chunks() {
    for (const [index, part] of parts.entries()) {
      yield Buffer.from(heads[index] ?? '')
      if ('file' in part) yield* part.file.stream
      yield Buffer.from('\r\n')
    }
    yield Buffer.from(end)
  }
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(length) },
    body: Readable.from(chunks(), { objectMode: false }),
  }
}
