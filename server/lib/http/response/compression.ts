import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isKnown } from '../etag.ts'

type Coding = 'br' | 'gzip'

const accepts: Record<Coding, RegExp> = {
  br: /\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i,
  gzip: /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i,
}

/** The content coding to send (RFC 9110, section 12.5.3): Brotli before gzip, because it is smaller. */
function acceptedCoding({ headers }: FastifyRequest): Coding | undefined {
  const accepted = headers['accept-encoding']
  if (typeof accepted !== 'string') return
  return accepts.br.test(accepted) ? 'br' : accepts.gzip.test(accepted) ? 'gzip' : undefined
}

const brotli = (bytes: Buffer, quality: number, window: number) =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: window,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })

/** For responses that are made for one call: a third of the time of the usual levels, for a tenth more bytes. */
const compressFast: Record<Coding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => brotli(bytes, 3, 18),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 1 }),
}

/** Characters below which a response fits a packet or two, so that compressing it gains nothing. */
const MIN_LENGTH = 1500
/** Responses compressed at a time. Further ones are sent as they are: hashing passwords needs the same threads. */
const MAX_COMPRESSING = 2

/**
 * Compresses JSON and pages, outside of the event loop.
 *
 * Responses with an ETag are left as they are: If-Match needs a strong one, which names exact bytes. Only GET is
 * compressed, because secrets are shown in responses to other methods. Nor is a response to another site's link
 * compressed: its length would reveal what it shares with the address that the site chose (BREACH).
 */
export function compressResponses(app: FastifyInstance) {
  let compressing = 0
  app.addHook<unknown>('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < MIN_LENGTH || request.method !== 'GET')
      return done(null, payload)
    if (request.headers['sec-fetch-site'] === 'cross-site') return done(null, payload)
    if (reply.hasHeader('etag') || !/^(application\/json|text\/html)/.test(String(reply.getHeader('content-type'))))
      return done(null, payload)
    const vary = reply.getHeader('vary')
    reply.header('vary', vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`)
    const coding = acceptedCoding(request)
    if (!coding || compressing >= MAX_COMPRESSING) return done(null, payload)
    compressing++
    compressFast[coding](Buffer.from(payload))
      .finally(() => compressing--)
      .then((bytes) => {
        reply.header('content-encoding', coding)
        done(null, bytes)
      }, done)
  })
}

/** A response that is the same for everybody, in every coding. Its bytes are shared by all calls. */
export type PackedFile = { type: string; bytes: Buffer; etag: string } & Partial<Record<Coding, Buffer | undefined>>

export const etagOfBytes = (bytes: string | Buffer) =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`

/** Compresses a response once, for all calls. */
export async function pack(type: string, text: string): Promise<PackedFile> {
  const bytes = Buffer.from(text)
  const [br, gz] = await Promise.all([brotli(bytes, 6, 22), promisify(gzip)(bytes, { level: 6 })])
  return { type, bytes, etag: etagOfBytes(bytes), br, gzip: gz }
}

/** Cache-Control of addresses that change with their content. */
export const FOREVER = 'public, max-age=31536000, immutable'

/** Sets the headers of a file, and returns its bytes in a coding that the client accepts, or null when it has them. */
function packedPayload(
  request: FastifyRequest,
  reply: FastifyReply,
  file: PackedFile,
  cacheControl = 'no-cache',
): Buffer | null {
  reply.headers({ 'content-type': file.type, 'cache-control': cacheControl, etag: file.etag, vary: 'accept-encoding' })
  if (isKnown(request, file.etag)) {
    reply.code(304)
    return null
  }
  const coding = acceptedCoding(request)
  const packed = coding && file[coding]
  if (!packed) return file.bytes
  reply.header('content-encoding', coding)
  return packed
}

export const sendPacked = (request: FastifyRequest, reply: FastifyReply, file: PackedFile, cacheControl?: string) =>
  // Fastify would send null as JSON.
  reply.send(packedPayload(request, reply, file, cacheControl) ?? undefined)
