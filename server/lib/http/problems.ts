import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  catalogue,
  type ErrorCode,
  notFound,
  Problem,
  problem,
  refusedFields,
  uniquenessProblem,
} from '../../errors.ts'
import { isDeadlock, isDiskFull, isTooSlow, isUnreachable } from '../db/database.ts'
import { codesOf } from '../error-code.ts'
import type { OutageLog } from '../runtime/logging/outage-log.ts'
import { newRequestId } from './headers.ts'
import { fieldErrors } from './schema/validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Code of the error response; null for other responses. */
    problemCode: ErrorCode | null
  }
}

const body = (thrown: Problem, instance: string | undefined, request_id: string | undefined) => ({
  type: `/docs/errors#${thrown.code}`,
  title: catalogue[thrown.code][1],
  status: thrown.status,
  detail: thrown.message,
  ...(instance !== undefined && { instance }),
  code: thrown.code,
  ...(request_id !== undefined && { request_id }),
  ...(thrown.options.errors && { errors: thrown.options.errors }),
  ...thrown.options.extra,
})

/** The workspace of a request, for the log. */
export const workspaceOf = ({ caller }: FastifyRequest) =>
  caller && 'workspace_id' in caller && caller.workspace_id !== null ? { workspace_id: caller.workspace_id } : {}

/** Responds with problem+json (RFC 9457). */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, thrown: Problem) {
  request.problemCode = thrown.code
  const retryAfter = thrown.options.retryAfter ?? (thrown.status === 503 ? 1 : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return reply
    .code(thrown.status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('x-request-id', request.id)
    .serializer((text: string) => text)
    .send(JSON.stringify(body(thrown, request.url.split('?', 1)[0], request.id)))
}

const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_json',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
}

/** Converts an error to the problem that the client sees. Server faults become a 500 without details. */
export function toProblem(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  const unique = uniquenessProblem(error)
  if (unique) return unique
  if (error instanceof Error) {
    const { validation, code, statusCode } = error as Partial<FastifyError> & Error
    if (validation) return refusedFields(fieldErrors(validation, recordFields(request)), error)
    const known = code && fastifyCodes[code]
    if (known) return problem(known, { cause: error })
    if (statusCode === 414) return problem('uri_too_long', { cause: error })
    // Fastify's other refusals are faults of the client.
    if (code?.startsWith('FST_') && statusCode && statusCode >= 400 && statusCode < 500)
      return problem('malformed_request', { detail: error.message, cause: error })
  }
  if (isUnreachable(error))
    return problem('unavailable', { detail: 'The database cannot be reached. Try again in a moment.', cause: error })
  if (isTooSlow(error))
    return problem('unavailable', { detail: 'The database took too long. Try again in a moment.', cause: error })
  if (isDeadlock(error))
    return problem('unavailable', {
      detail: 'Other requests change the same records. Nothing was changed. Try again in a moment.',
      cause: error,
    })
  if (isDiskFull(error))
    return problem('unavailable', { detail: 'The disk of the database is full. Nothing was changed.', cause: error })
  if (codesOf(error).some((code) => code === 'ENOSPC' || code === 'EDQUOT'))
    return problem('unavailable', { detail: 'The disk for files is full. The file was not kept.', cause: error })
  return problem('internal_error', { detail: 'The error has been logged under the request id.', cause: error })
}

/** Fields of the record in the route's response. One of them in a body that does not accept it is read-only. */
function recordFields(request: FastifyRequest): string[] {
  const responses = Object.values(
    (request.routeOptions.schema?.response ?? {}) as Record<string, { properties?: object }>,
  )
  return Object.keys(responses[0]?.properties ?? {})
}

const patternOf = (url: string) =>
  new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[^/]+/g, '[^/]+')}$`)

/**
 * Turns every error, unknown address and wrong method into a problem document. `openPage` is tried first for addresses
 * without a route; it returns undefined for addresses that are not pages.
 */
export function respondWithProblems(
  app: FastifyInstance,
  outageLog: OutageLog,
  openPage: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply> | undefined,
) {
  app.decorateRequest('problemCode', null)
  const routes: { methods: string[]; url: string }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    routes.push({ methods: [method].flat(), url })
  })
  // Built at the first unknown address: a thousand patterns would slow down the start.
  let patterns: { methods: string[]; path: RegExp }[] | undefined
  const methodsOf = (path: string) => {
    patterns ??= routes.map(({ methods, url }) => ({ methods, path: patternOf(url) }))
    return [...new Set(patterns.filter((route) => route.path.test(path)).flatMap((route) => route.methods))]
  }

  app.setErrorHandler((error, request, reply) => {
    const thrown = toProblem(error, request)
    if (thrown.status >= 500 && !outageLog.note(error))
      request.log.error({ err: error, ...workspaceOf(request) }, 'request failed')
    return sendProblem(request, reply, thrown)
  })

  const respondToUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const allowed = methodsOf(path)
    if (allowed.length === 0) return openPage(request, reply) ?? sendProblem(request, reply, notFound())
    reply.header('allow', allowed.join(', '))
    return sendProblem(request, reply, problem('method_not_allowed', { detail: `Use ${allowed.join(', ')}.` }))
  }
  app.setNotFoundHandler(respondToUnknown)
  // Without a route, faults in the body or its type do not matter: the body is not read.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (!request.is404) return done()
    Promise.resolve(respondToUnknown(request, reply)).catch(done)
  })
}

const unparsable: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Responds to what Node could not parse as HTTP. */
export function respondToUnparsable(error: Error & { code?: string }, socket: Socket) {
  if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
  const thrown = problem(unparsable[error.code ?? ''] ?? 'malformed_request')
  const id = newRequestId({ headers: {} })
  const text = JSON.stringify(body(thrown, undefined, id))
  socket.end(
    `HTTP/1.1 ${thrown.status} ${STATUS_CODES[thrown.status]}\r\nx-request-id: ${id}\r\n` +
      `x-content-type-options: nosniff\r\ncache-control: no-store\r\n` +
      `content-type: application/problem+json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\n` +
      `connection: close\r\n\r\n${text}`,
  )
}

/** Responds to an Expect header other than 100-continue. */
export function respondToExpectation(request: IncomingMessage, response: ServerResponse) {
  const id = newRequestId(request)
  const text = JSON.stringify(body(problem('expectation_failed'), undefined, id))
  response
    .writeHead(417, {
      'content-type': 'application/problem+json; charset=utf-8',
      'x-request-id': id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    })
    .end(text)
}
