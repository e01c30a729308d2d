import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { Problem } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { NetworkFault, type OpenFile, type PartMedia } from '../network.ts'
import { type Call, call } from './call.ts'

type Field = { name: string; value: string; mime?: string }
export type FormPart = Field | { name: string; file: Pick<PartMedia, 'open'> }
/** `file`: sent as a stream, never whole in memory. */
type OpenPart = Field | { name: string; file: OpenFile }

const quoted = (text: string) => text.replace(/["\r\n]/g, (character) => encodeURIComponent(character))

function headOf(part: OpenPart, boundary: string) {
  const name = quoted(part.name)
  return 'file' in part
    ? `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${quoted(part.file.name)}"\r\ncontent-type: ${part.file.mime}\r\n\r\n`
    : `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n${part.mime ? `content-type: ${part.mime}\r\n` : ''}\r\n${part.value}`
}

/** The body of a `multipart/form-data` request (RFC 7578) with its length, as many servers refuse chunked uploads. */
function multipart(parts: readonly OpenPart[]) {
  const boundary = `meydan-${randomUUID()}`
  const end = `--${boundary}--\r\n`
  const heads = parts.map((part) => headOf(part, boundary))
  const length = parts.reduce(
    (sum, part, index) => sum + Buffer.byteLength(heads[index] ?? '') + ('file' in part ? part.file.bytes : 0) + 2,
    Buffer.byteLength(end),
  )
  let isWhole = false
  async function* chunks() {
    for (const [index, part] of parts.entries()) {
      yield Buffer.from(heads[index] ?? '')
      if ('file' in part) yield* part.file.stream
      yield Buffer.from('\r\n')
    }
    isWhole = true
    yield Buffer.from(end)
  }
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(length) },
    body: Readable.from(chunks(), { objectMode: false }),
    length,
    /** Whether the end was handed to the connection. Until then no server can have read the form. */
    isWhole: () => isWhole,
  }
}

/** Time for an upload, in milliseconds: at least 500 kB/s, at most 15 minutes. */
export const uploadTimeoutMs = (bytes: number) => Math.min(30_000 + Math.ceil(bytes / 500), 900_000)

const UNREADABLE = 'A file of the post could not be read.'

/** Sends a form. If the connection breaks before the end of the form is sent, the fault is `unavailable`. */
export async function callWithForm(
  deps: Deps,
  { headers, ...request }: Omit<Call, 'body' | 'json' | 'timeoutMs'>,
  parts: readonly FormPart[],
): Promise<Reply> {
  const opened: OpenPart[] = []
  let form: ReturnType<typeof multipart> | undefined
  try {
    for (const part of parts) opened.push('file' in part ? { name: part.name, file: await part.file.open() } : part)
    form = multipart(opened)
    const { body, length } = form
    return await call(deps, {
      method: 'POST',
      ...request,
      headers: { ...headers, ...form.headers },
      body,
      timeoutMs: uploadTimeoutMs(length),
    })
  } catch (cause) {
    const isLost = !(cause instanceof NetworkFault) || cause.failure.kind === 'unconfirmed'
    if (!isLost || form?.isWhole()) throw cause
    if (!(cause instanceof NetworkFault)) deps.log.error({ err: cause }, 'a form could not be sent')
    // The message of any other error can have a path of this server.
    const message = cause instanceof NetworkFault || cause instanceof Problem ? cause.message : UNREADABLE
    throw new NetworkFault({ kind: 'unavailable', message }, { cause })
  } finally {
    for (const part of opened) if ('file' in part) part.file.stream.destroy()
  }
}
