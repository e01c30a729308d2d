import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { anyone } from './access.ts'

const PUBLIC = '/api/v1/public/'

/** Counts how often a header was sent. Node keeps the first of several and drops the rest; a proxy may not. */
export function countHeader({ rawHeaders }: IncomingMessage, name: string) {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index]
    if (sent?.length === name.length && sent.toLowerCase() === name) count++
  }
  return count
}

/** Headers of every response. Pages replace the policy with their own. */
const always = {
  'x-content-type-options': 'nosniff',
  // Links in mails carry one-time codes, which other sites must not see.
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
}

/** For pages of any origin, without browser credentials: they send a token explicitly, or need none. */
const forEveryOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Idempotent-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, Tus-Resumable, Upload-Expires, Upload-Length, Upload-Media-Id, Upload-Offset, X-Request-Id, Deprecation, Sunset',
  'cross-origin-resource-policy': 'cross-origin',
}

const preflight = {
  ...forEveryOrigin,
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, X-Request-Id, X-Workspace-Id',
  'access-control-max-age': '7200',
}

function isForEveryOrigin({ url, method, routeOptions }: FastifyRequest) {
  const access = routeOptions.config?.access
  return (
    url.startsWith(PUBLIC) ||
    ((method === 'GET' || method === 'HEAD') &&
      (url.startsWith('/api/v1/') || /^\/openapi(\.\w+)?\.json$/.test(url)) &&
      access?.level === 'anyone' &&
      !access.sameOrigin)
  )
}

/**
 * Sets security headers, tells caches to store nothing, and responds to preflight requests for /public from other
 * origins. `https`: the instance is served over https only, so browsers are told to require it.
 */
export function guardBrowsers(app: FastifyInstance, { https }: { https: boolean }) {
  const headers = { ...always, ...(https && { 'strict-transport-security': 'max-age=31536000' }) }
  const open = { ...headers, ...forEveryOrigin }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isForEveryOrigin(request) ? open : headers)
    if (request.routeOptions.config?.access?.sameOrigin) reply.header('x-robots-tag', 'noindex, nofollow')
    // Shared caches must not store personal data.
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    done()
  })
  app.options(`${PUBLIC}*`, { config: { access: anyone() }, schema: { hide: true } }, (_, reply) =>
    reply.code(204).headers(preflight).send(),
  )
}

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
