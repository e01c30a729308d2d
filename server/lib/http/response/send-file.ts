import type { Readable } from 'node:stream'
import { Readable as Stream } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { problem } from '../../../errors.ts'
import { isKnown } from '../etag.ts'

/** The schema of a response that the handler sends itself in place of JSON. */
export const Bytes = Type.Unsafe<never>({ title: undefined })

/** Bytes of a file, both ends included. */
type Range = { start: number; end: number }

export type ServedFile = {
  mime: string
  bytes: number
  /** Strong: the same tag always means the same bytes. */
  etag: string
  /** Whether browsers may show it. Others are downloaded. */
  inline: boolean
  /** File name with the extension of its type. */
  name: string
  /** Value of Cache-Control. */
  cache: string
  open: (range?: Range) => Promise<Readable>
}

/** The schema of a response with a file that the handler returns. */
export const FileResponse = Type.Unsafe<ServedFile>({ title: undefined })

/**
 * Reads the header Range (RFC 9110, section 14.2). Undefined: the whole file, also for several ranges and for what is
 * not a range of bytes. Throws 416 for a range outside of the file.
 */
function rangeOf({ method, headers }: FastifyRequest, reply: FastifyReply, { bytes, etag }: ServedFile) {
  const [, first, last] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(headers.range ?? '') ?? []
  if (method !== 'GET' || first === undefined || last === undefined || (first === '' && last === '')) return
  const condition = headers['if-range']
  if (condition !== undefined && condition !== etag) return
  const range =
    first === ''
      ? { start: Math.max(0, bytes - Number(last)), end: bytes - 1 }
      : { start: Number(first), end: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) }
  // An end before the start is no range at all.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return
  if (range.start < bytes) return range
  reply.header('content-range', `bytes */${bytes}`)
  throw problem('range_not_satisfiable', { detail: `The file has ${bytes} bytes.` })
}

/** The name in a form that every client reads (RFC 6266), without characters that end it. */
function dispositionOf({ inline, name }: ServedFile) {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** Sends a file, or the range of it that the client asks for, with headers that keep it from running as a page. */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: ServedFile) {
  const { mime, bytes, etag, cache } = file
  reply.headers({
    'accept-ranges': 'bytes',
    etag,
    'cache-control': cache,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  })
  if (isKnown(request, etag)) return reply.code(304).send()
  const range = rangeOf(request, reply, file)
  const length = range ? range.end - range.start + 1 : bytes
  // Opened before the headers say that it is there.
  const stream = request.method === 'HEAD' ? Stream.from([]) : await file.open(range)
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${bytes}`)
  reply.type(mime).headers({ 'content-length': length, 'content-disposition': dispositionOf(file) })
  return reply.send(stream)
}
