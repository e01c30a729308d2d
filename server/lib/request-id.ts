import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * A UUIDv7 (RFC 9562). Records get theirs from PostgreSQL; this is for what never reaches it. The random part is that of
 * a UUIDv4, for which Node keeps random bytes in store.
 */
function uuidv7() {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** The client's own X-Request-Id where it is fit for a log line, else a new one. */
export function newRequestId({ headers }: Pick<IncomingMessage, 'headers'>) {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : uuidv7()
}
