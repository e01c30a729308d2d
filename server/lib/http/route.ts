import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Keyring } from '../crypto/crypto.ts'
import type { Db } from '../db/database.ts'
import type { Clock } from '../runtime/clock.ts'
import { whenReady } from '../runtime/concurrency/maybe-promise.ts'
import type { Timings } from '../runtime/timings.ts'
import type { Access, Caller } from './access.ts'
import { type Authenticator, authorize, type Mount } from './authorize.ts'
import { refuseBody } from './body.ts'
import { etagOf, type IfMatch, ifMatch } from './etag.ts'
import {
  type Complete,
  idempotencyKey,
  type Key,
  nothingToKeep,
  once,
  onceOutside,
  problemOf,
  type StoredResponse,
} from './idempotency.ts'
import { bodyLimitOf, SMALL_BODY_LIMIT } from './limits/body-limit.ts'
import { takeShares, type Weight } from './limits/user-shares.ts'
import { FileResponse, type ServedFile, sendFile } from './response/send-file.ts'
import { idPattern } from './schema/schema.ts'
import { compileValidator } from './schema/validation.ts'

type Responses = Record<number, TSchema>
type Success<R extends Responses> = R extends
  | { 200: infer S }
  | { 201: infer S }
  | { 202: infer S }
  | { 204: infer S }
  | { 303: infer S }
  ? S extends TSchema
    ? Static<S>
    : never
  : never
type Shape<S> = S extends TSchema ? Static<S> : undefined

type Route<
  Deps,
  C extends Caller,
  P extends TSchema | undefined,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  R extends Responses,
> = {
  operationId: string
  summary: string
  description?: string
  access: Access<C>
  params?: P
  query?: Q
  body?: B
  /**
   * Body of an upload, such as a multipart form, which the handler reads itself. Such a call has no Idempotency-Key, because its body is
   * not known when it begins.
   */
  form?: TSchema
  /** Content type of the form, if it is not multipart. */
  consumes?: string
  response: R
  /** Throws when the caller may no longer see the response that a repeated Idempotency-Key would return. */
  recheck?: (db: Db, caller: C, response: Success<R>) => Promise<unknown>
  /** Fields of the response that are shown once: the response stored for its Idempotency-Key has null there. */
  secrets?: readonly string[]
  /** The handler opens its own transactions: it calls external services, or keeps its counts even when it refuses. */
  ownTransactions?: boolean
  /** Milliseconds that its external call may take, when that is more than a minute. */
  leaseMs?: number
  /** A POST that takes If-Match, as PATCH and PUT of records with a version do: its caller decides on what they read. */
  takesIfMatch?: true
  /** Shares of its user that a call takes, when they do not follow from method and query. */
  weight?: Weight
  /** Further media types that it returns when a call accepts one, each with a description. */
  also?: Record<string, string>
  /** Media types that it returns in place of JSON. */
  instead?: Record<string, string>
  handler: (context: {
    deps: Deps
    db: Db
    caller: C
    params: Shape<P>
    query: Shape<Q>
    body: Shape<B>
    /** Call it with the version of the row to change, once the row is locked. */
    ifMatch: IfMatch
    /** External callers call this in the transaction of their effect, so that a repeated call finds the response. */
    complete: Complete
    request: FastifyRequest
    reply: FastifyReply
  }) => Promise<Success<R>> | Success<R>
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
  interface FastifyContextConfig {
    access?: Access
    mount?: Mount
    takesIfMatch?: true
    /** `also` and `instead` of a route. */
    media?: { also?: Record<string, string>; instead?: Record<string, string> }
    /** The body is a file, which may take long to arrive. */
    upload?: boolean
  }
}

const asIs = (text: string) => text

/** The path parameters that are ids. */
const idNamesOf = (params: TSchema | undefined) =>
  Object.entries((params as { properties?: Record<string, { pattern?: string }> } | undefined)?.properties ?? {})
    .filter(([, { pattern }]) => pattern === idPattern)
    .map(([name]) => name)

const hasLimit = (query: TSchema | undefined) =>
  'limit' in ((query as { properties?: object } | undefined)?.properties ?? {})

/** PostgreSQL accepts ids in any letter case. Contexts of sealed texts and keys of jobs contain them as stored. */
function lowerCase(values: unknown, names: readonly string[]) {
  const record = values as Record<string, string>
  for (const name of names) record[name] = record[name]?.toLowerCase() ?? ''
}
/** The form is documented like a body. Its handler validates it. */
const ignoreForm: NonNullable<RouteOptions['validatorCompiler']> = ({ schema, httpPart }) =>
  httpPart === 'body' ? () => true : compileValidator(schema as object, httpPart)

const takeNothingAsEmpty = (request: FastifyRequest, _: FastifyReply, done: () => void) => {
  if (request.body === undefined) request.body = {}
  done()
}

function sendResult(reply: FastifyReply, result: unknown) {
  // A stream's client may disconnect after the response was started.
  if (reply.sent || reply.raw.headersSent) return reply
  const tag = etagOf(result)
  if (tag) reply.header('etag', tag)
  return reply.send(result)
}

/** The response to store: as it is sent, but without the secrets that are shown once. */
function storedResponse(reply: FastifyReply, result: unknown, secrets: readonly string[]): StoredResponse {
  const status = reply.statusCode
  const etag = etagOf(result) ?? null
  if (status === 204) return { status, answer: null, etag }
  const shown = { ...(result as object), ...Object.fromEntries(secrets.map((name) => [name, null])) }
  return { status, answer: String(reply.serializeInput(shown, String(status))), etag }
}

type Once = {
  run: (db: Db, complete: Complete) => unknown
  recheck: ((kept: string) => Promise<unknown>) | undefined
  secrets: readonly string[]
  ownTransactions: boolean
  leaseMs: number
}

/** Responds to a call with a key: runs the first one, and returns the stored response to later ones. */
async function respondOnce(reply: FastifyReply, db: Db, key: Key, { run, recheck, secrets, ...how }: Once) {
  let first: unknown
  const toStoredResponse = (result: unknown) => {
    first = result
    return storedResponse(reply, result, secrets)
  }
  const kept = how.ownTransactions
    ? await onceOutside(db, key, toStoredResponse, async (complete) => run(db, complete), how.leaseMs)
    : await once(db, key, async (tx) => toStoredResponse(await run(tx, nothingToKeep)))
  if (kept.replayed) reply.header('idempotent-replayed', 'true')
  if (kept.status >= 400) throw problemOf(kept)
  if (!kept.replayed || kept.answer === null) return sendResult(reply, first)
  await recheck?.(kept.answer)
  if (kept.etag) reply.header('etag', kept.etag)
  return reply.code(kept.status).type('application/json; charset=utf-8').serializer(asIs).send(kept.answer)
}

type Needs = {
  db: Db
  authenticator: Authenticator
  keyring: Keyring
  clock: Clock
  timings: Pick<Timings, 'idempotencyLease'>
}

/**
 * Declares the routes of one module. A declaration defines the route, its checks, its validation, the allow-list of its
 * response and its page in the reference. A route with a scope is also mounted under /public, for tokens.
 */
export function routes<Deps extends Needs>(app: FastifyInstance, deps: Deps, tag: string) {
  const declare =
    (method: Method) =>
    <
      C extends Caller,
      R extends Responses,
      P extends TSchema | undefined = undefined,
      Q extends TSchema | undefined = undefined,
      B extends TSchema | undefined = undefined,
    >(
      path: string,
      route: Route<Deps, C, P, Q, B, R>,
    ) => {
      const { access, handler, params, query, body, response, recheck, secrets = [] } = route
      const {
        ownTransactions = false,
        leaseMs = deps.timings.idempotencyLease,
        also,
        instead,
        form,
        consumes = 'multipart/form-data',
        weight = form ? 'upload' : method !== 'GET' ? 'write' : hasLimit(query) ? 'list' : 'read',
      } = route
      const isLong = ownTransactions || instead !== undefined || ['export', 'upload', 'outside'].includes(weight)
      const status = Number(Object.keys(response)[0])
      const isFile = response[status] === FileResponse
      const idNames = idNamesOf(params)
      const respond = async (request: FastifyRequest, reply: FastifyReply) => {
        if (!body && !form) refuseBody(request.body)
        lowerCase(request.params, idNames)
        // The checks above ensure the caller type that `access` promises; the validator ensures the rest.
        const caller = request.caller as C
        const run = (db: Db, complete: Complete) =>
          handler({
            deps: db === deps.db ? deps : { ...deps, db },
            db,
            caller,
            params: request.params as Shape<P>,
            query: request.query as Shape<Q>,
            body: request.body as Shape<B>,
            ifMatch: ifMatch(request),
            complete,
            request,
            reply,
          })
        reply.code(status)
        const key =
          method === 'POST' && !form ? idempotencyKey(request, caller, deps.keyring, deps.clock.now()) : undefined
        if (!key) {
          const result = await run(deps.db, nothingToKeep)
          return isFile ? sendFile(request, reply, result as ServedFile) : sendResult(reply, result)
        }
        return respondOnce(reply, deps.db, key, {
          run,
          recheck: recheck && ((kept: string) => recheck(deps.db, caller, JSON.parse(kept))),
          secrets,
          ownTransactions,
          leaseMs,
        })
      }
      const mounted = (kind: Mount): RouteOptions => ({
        method,
        url: `/api/v1${kind === 'public' ? '/public' : ''}${path}`,
        config: {
          access,
          mount: kind,
          ...(form && { upload: true }),
          ...(route.takesIfMatch && { takesIfMatch: true }),
          ...((also || instead) && { media: { ...(also && { also }), ...(instead && { instead }) } }),
        },
        bodyLimit: body && access.level !== 'anyone' ? bodyLimitOf(body) : SMALL_BODY_LIMIT,
        schema: {
          operationId:
            kind === 'public'
              ? `public${route.operationId[0]?.toUpperCase()}${route.operationId.slice(1)}`
              : route.operationId,
          summary: route.summary,
          ...(route.description && { description: route.description }),
          tags: [kind === 'public' ? `Public: ${tag}` : tag],
          ...(params && { params }),
          ...(query && { querystring: query }),
          ...(body && { body }),
          ...(form && { body: form, consumes: [consumes] }),
          ...(!instead && { response }),
        },
        ...(form && { validatorCompiler: ignoreForm }),
        // An absent body counts as an empty object.
        ...(body && !('required' in body) && { preValidation: takeNothingAsEmpty }),
        onRequest: (request, reply, done) => {
          const passed = whenReady(authorize(deps.authenticator, access, kind, request, reply), (caller) => {
            request.caller = caller
            if (caller.user_id === null) return
            const key = isLong ? `${caller.user_id} long` : caller.user_id
            return takeShares(deps.authenticator.userShares, key, weight, request, reply)
          })
          if (passed) return passed
          done()
        },
        handler: (request, reply) => {
          request.work = respond(request, reply)
          return request.work
        },
      })
      if (access.level !== 'token') app.route(mounted('session'))
      if (access.scope || access.level === 'token') app.route(mounted('public'))
    }
  return {
    get: declare('GET'),
    post: declare('POST'),
    put: declare('PUT'),
    patch: declare('PATCH'),
    delete: declare('DELETE'),
  }
}
