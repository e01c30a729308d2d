import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { notFound, problem } from '../errors.ts'
import { type Access, atLeast, type Caller, type Identity, type Origin, type Role } from './access.ts'
import { refuseBody } from './body.ts'
import type { Db } from './database.ts'
import { etagOf, type IfMatch, ifMatch } from './etag.ts'
import { grants, type Scope } from './scopes.ts'

/** Finds out who is behind a call. Each answers undefined for credentials that are not (or no longer) good. */
export type Authenticator = {
  bySession: (request: FastifyRequest) => Promise<Identity | undefined>
  byToken: (token: string) => Promise<Identity | undefined>
  /** The membership in the workspace named by id or slug; without a name, in the only one the user has. */
  membership: (user_id: string, workspace?: string) => Promise<{ workspace_id: string; role: Role } | undefined>
  /** Whether a request that carries a session cookie comes from our own pages. */
  isSameOrigin: (request: FastifyRequest) => boolean
}

type Responses = Record<number, TSchema>
type Success<R extends Responses> = R extends { 200: infer S } | { 201: infer S } | { 202: infer S } | { 204: infer S }
  ? S extends TSchema
    ? Static<S>
    : never
  : never
type Shape<S> = S extends TSchema ? Static<S> : undefined

export type Route<
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
  response: R
  /** Fields of the answer that are shown once: an answer that is kept for its Idempotency-Key has null there. */
  secrets?: readonly string[]
  /** The handler calls the outside, which no transaction can take back. */
  callsOut?: boolean
  handler: (context: {
    deps: Deps
    db: Db
    caller: C
    params: Shape<P>
    query: Shape<Q>
    body: Shape<B>
    /** To be called with the version of the row that is changed, once it is locked. */
    ifMatch: IfMatch
    request: FastifyRequest
    reply: FastifyReply
  }) => Promise<Success<R>> | Success<R>
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Mount = 'session' | 'public'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
  interface FastifyContextConfig {
    access?: Access
    mount?: Mount
  }
}

/**
 * Declares the routes of one module. A declaration makes the route, its checks, its validation, its answer's
 * allow-list and its page in the reference; one with a scope is mounted a second time under /public, for tokens.
 */
export function routes<Deps extends { db: Db; authenticator: Authenticator }>(
  app: FastifyInstance,
  deps: Deps,
  tag: string,
) {
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
      const { access, handler, params, query, body, response } = route
      const status = Number(Object.keys(response)[0])
      const mounted = (kind: Mount): RouteOptions => ({
        method,
        url: `/api/v1${kind === 'public' ? '/public' : ''}${path}`,
        config: { access, mount: kind },
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
          response,
        },
        onRequest: async (request) => {
          request.caller = await authorize(deps.authenticator, access, kind, request)
        },
        handler: async (request, reply) => {
          if (!body) refuseBody(request.body)
          const result = await handler({
            deps,
            db: deps.db,
            // The checks above made the caller of the kind that `access` promises, the validator the rest.
            caller: request.caller as C,
            params: request.params as Shape<P>,
            query: request.query as Shape<Q>,
            body: request.body as Shape<B>,
            ifMatch: ifMatch(request),
            request,
            reply,
          })
          if (reply.sent) return reply
          const tag = etagOf(result)
          if (tag) reply.header('etag', tag)
          return reply.code(status).send(result)
        },
      })
      app.route(mounted('session'))
      if (access.scope) app.route(mounted('public'))
    }
  return {
    get: declare('GET'),
    post: declare('POST'),
    put: declare('PUT'),
    patch: declare('PATCH'),
    delete: declare('DELETE'),
  }
}

/** credentials → scope → workspace → role, in this order, before a body is read. */
async function authorize(
  authenticator: Authenticator,
  access: Access,
  mount: Mount,
  request: FastifyRequest,
): Promise<Caller> {
  const ip = request.ip?.replace(/%.*$/, '') ?? ''
  const origin: Origin = { ip: isIP(ip) ? ip : null, user_agent: request.headers['user-agent']?.slice(0, 500) ?? null }
  if (access.level === 'anyone') return { ...origin, user_id: null }

  const identity = await identify(authenticator, mount, request)
  if (identity.token) checkToken(identity.token, access, mount)
  if (access.level === 'user') return { ...origin, ...identity }
  if (access.level === 'instance_admin') {
    if (!identity.is_instance_admin) throw problem('forbidden_role', { detail: 'This is for instance admins.' })
    return { ...origin, ...identity }
  }

  const membership = identity.token?.membership ?? (await findMembership(authenticator, identity, request))
  if (!atLeast(membership.role, access.level))
    throw problem('forbidden_role', { detail: `This needs the role ${access.level}; yours is ${membership.role}.` })
  return { ...origin, ...identity, ...membership }
}

/** The one bearer token of a request; undefined when it carries none. Another scheme belongs to a proxy in front. */
function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header === undefined) return
  // Node keeps the first of several and drops the rest, so they are counted where they still stand.
  const sent = request.raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization')
  if (sent.length > 1) throw problem('unauthenticated')
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? (/^bearer\b/i.test(header) ? '' : undefined)
}

async function identify(authenticator: Authenticator, mount: Mount, request: FastifyRequest): Promise<Identity> {
  const token = bearerToken(request)
  if (token === undefined && mount === 'session') {
    const identity = await authenticator.bySession(request)
    if (identity && !authenticator.isSameOrigin(request)) throw problem('cross_origin')
    if (identity) return identity
  }
  const identity = token && (await authenticator.byToken(token))
  if (!identity) throw problem('unauthenticated')
  return identity
}

function checkToken({ scopes: granted, membership }: NonNullable<Identity['token']>, access: Access, mount: Mount) {
  if (mount === 'public') {
    const wanted = access.scope as Scope
    if (!grants(granted, wanted))
      throw problem('insufficient_scope', { detail: `The token lacks the scope ${wanted}.`, extra: { scope: wanted } })
  } else if (granted.length > 0) {
    throw problem('token_not_accepted', { detail: 'A token with scopes opens /api/v1/public and nothing else.' })
  } else if (access.token === false) {
    throw problem('token_not_accepted', { detail: 'This needs a signed-in session.' })
  } else if (access.token === 'unbound' && membership) {
    throw problem('token_not_accepted', { detail: 'This token means one workspace and no other.' })
  }
}

async function findMembership(authenticator: Authenticator, identity: Identity, request: FastifyRequest) {
  const header = request.headers['x-workspace-id']
  const wanted = typeof header === 'string' && header !== '' ? header : undefined
  if (wanted !== undefined) {
    const membership = await authenticator.membership(identity.user_id, wanted)
    if (!membership) throw notFound()
    return membership
  }
  const membership =
    (identity.workspace_id && (await authenticator.membership(identity.user_id, identity.workspace_id))) ||
    (await authenticator.membership(identity.user_id))
  if (!membership)
    throw problem('workspace_required', {
      detail: 'Name a workspace in X-Workspace-Id, choose one with PATCH /api/v1/me, or create one.',
    })
  return membership
}
