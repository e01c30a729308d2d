import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * Generates a UUIDv7 (RFC 9562). Records get theirs from PostgreSQL; this is for ids that are not stored. The random
 * part comes from a UUIDv4, for which Node buffers random bytes.
 */
function uuidv7() {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** The client's X-Request-Id if it is safe to log, otherwise a new id. */
export function newRequestId({ headers }: Pick<IncomingMessage, 'headers'>) {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : uuidv7()
}
