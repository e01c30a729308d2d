import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid, problem } from '../../errors.ts'
import { createBodyDrain } from './limits/body-drain.ts'
import { BODY_LIMIT } from './limits/body-limit.ts'
import { escapePointer } from './schema/validation.ts'

/** Maximum number of fields and items in a body, at all levels. */
const MAX_VALUES = 4000

const tooLarge = (limit: number) =>
  problem('body_too_large', { detail: `The body must not be larger than ${limit} bytes.` })

/** Reads JSON bodies. Fastify's own reader closes the connection on a large body before the client can read why. */
export function acceptJson(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (/;\s*charset\s*=(?!\s*"?utf-?8"?\s*(;|$))/i.test(request.headers['content-type'] ?? ''))
      throw problem('unsupported_media_type', { detail: 'JSON must be encoded in UTF-8 (RFC 8259, section 8.1).' })
    const coding = request.headers['content-encoding']
    if (coding !== undefined && !/^\s*(identity)?\s*$/i.test(coding))
      throw problem('unsupported_media_type', {
        detail: 'Bodies are accepted without Content-Encoding only (RFC 9110, section 15.5.16).',
      })
    const bytes = await readAll(payload, Math.min(BODY_LIMIT, request.routeOptions.bodyLimit))
    if (hasMoreValues(bytes, MAX_VALUES))
      throw invalid('', `The body must have at most ${MAX_VALUES} fields and items.`, 'too_long')
    const text = decode(bytes)
    if (text.trim() === '') return undefined
    try {
      return JSON.parse(text)
    } catch (error) {
      throw problem('malformed_json', {
        detail: error instanceof Error ? error.message.slice(0, 200) : '',
        cause: error,
      })
    }
  })
  const drain = createBodyDrain()
  app.addHook('onSend', (request, reply, payload, done) => {
    // Fastify would close the connection after these, before a client that is still sending has read the response.
    if (drain(request.raw) && [413, 415].includes(reply.statusCode)) reply.removeHeader('connection')
    done(null, payload)
  })
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Each of these outside of a text begins an object or an array, or separates two values: , [ { */
const separators = new Set([0x2c, 0x5b, 0x7b])

/** Whether JSON has more than `max` values. Parsing and checking them would block the process. */
function hasMoreValues(bytes: Buffer, max: number) {
  let values = 0
  let inText = false
  for (let at = 0; at < bytes.length && values <= max; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) inText = !inText
    else if (inText) at += byte === BACKSLASH ? 1 : 0
    else if (separators.has(byte)) values++
  }
  return values > max
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Buffer) {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw problem('malformed_json', { detail: 'The body is not valid UTF-8.', cause })
  }
}

/** For routes without a body: accepts an empty object, and rejects fields as unknown. */
export function refuseBody(body: unknown) {
  if (body === undefined || body === null) return
  if (typeof body !== 'object' || Array.isArray(body)) throw invalid('', 'This operation takes no body.')
  const [name] = Object.keys(body)
  if (name !== undefined) throw invalid(`/${escapePointer(name)}`, 'This field is unknown.', 'unknown_field')
}

async function readAll(stream: IncomingMessage, limit: number) {
  if (Number(stream.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  return new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else {
        stream.off('data', onData)
        stream.pause()
        reject(tooLarge(limit))
      }
    }
    stream.on('data', onData)
    stream.once('end', () => resolve(Buffer.concat(chunks)))
    const endedEarly = () => reject(problem('malformed_json', { detail: 'The body ended before it was complete.' }))
    stream.once('error', endedEarly)
    stream.once('close', endedEarly)
  })
}
