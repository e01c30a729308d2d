import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound, problem } from '../errors.ts'
import { type Access, atLeast, type Caller, type Feature, type Identity, type Origin, type Role } from './access.ts'
import { countHeader } from './headers.ts'
import type { RateLimit } from './rate-limit.ts'
import { grants } from './scopes.ts'
import { type Soon, soon } from './soon.ts'

/** Where a declaration is mounted: for sessions (and tokens without scopes), or under /public for tokens with scopes. */
export type Mount = 'session' | 'public'

type Membership = { workspace_id: string; role: Role }

/** Finds out who is behind a call. Each answers undefined for credentials that are not (or no longer) good. */
export type Authenticator = {
  bySession: (request: FastifyRequest) => Soon<Identity | undefined>
  byToken: (token: string) => Soon<Identity | undefined>
  /** The membership in the workspace named by id or slug; without a name, in the only one the user has. */
  membership: (user_id: string, workspace?: string) => Soon<Membership | undefined>
  /** Whether a request that carries a session cookie comes from our own pages. */
  isSameOrigin: (request: FastifyRequest) => boolean
  /** Whether the plan of the workspace includes a feature. */
  hasFeature: (workspace_id: string, feature: Feature) => Soon<boolean>
  /** How many calls a minute each token or signed-in user may make. */
  limits: { read: RateLimit; write: RateLimit }
}

/** Rate limit and credentials → scope → workspace → role → feature, in this order, before a body is read. */
export function authorize(
  authenticator: Authenticator,
  access: Access,
  mount: Mount,
  request: FastifyRequest,
  reply: FastifyReply,
): Soon<Caller> {
  const origin = originOf(request)
  if (access.level === 'anyone') return { ...origin, user_id: null }
  return soon(identify(authenticator, mount, request), (identity) => {
    countCall(authenticator.limits, identity, request, reply)
    if (identity.token) checkToken(identity.token, access, mount)
    const membership = checkMembership(authenticator, access, identity, request)
    return soon(membership, (membership) => ({ ...origin, ...identity, ...membership }))
  })
}

/** The membership that a call is made with; undefined where none is asked for. */
function checkMembership(
  authenticator: Authenticator,
  { level, feature }: Access,
  identity: Identity,
  request: FastifyRequest,
): Soon<Membership | undefined> {
  if (level === 'anyone' || level === 'user' || level === 'token') return
  if (level === 'instance_admin') {
    if (!identity.is_instance_admin) throw problem('forbidden_role', { detail: 'This is for instance admins.' })
    return
  }
  return soon(identity.token?.membership ?? findMembership(authenticator, identity, request), (membership) => {
    if (!atLeast(membership.role, level))
      throw problem('forbidden_role', { detail: `This needs the role ${level}; yours is ${membership.role}.` })
    if (!feature) return membership
    return soon(authenticator.hasFeature(membership.workspace_id, feature), (included) => {
      if (included) return membership
      throw problem('feature_not_available', {
        detail: `The plan of this workspace does not include ${feature}.`,
        extra: { feature },
      })
    })
  })
}

export function originOf(request: FastifyRequest): Origin {
  // Some proxies write the port along; what is no address at all leaves that of the proxy.
  const told = request.ip?.replace(/%.*$/, '').replace(/^\[(.*)\](:\d+)?$|^([\d.]+):\d+$/, '$1$3') ?? ''
  const ip = isIP(told) ? told : (request.socket.remoteAddress ?? '')
  return { ip: isIP(ip) ? ip : null, user_agent: request.headers['user-agent']?.slice(0, 500) ?? null }
}

function countCall(
  { read, write }: Authenticator['limits'],
  { token, user_id }: Identity,
  { method }: FastifyRequest,
  reply: FastifyReply,
) {
  const counted = (method === 'GET' || method === 'HEAD' ? read : write)?.(token?.id ?? user_id)
  if (!counted) return
  reply.headers(counted.headers)
  if (counted.exceeded) throw counted.exceeded
}

/** The one bearer token of a request; undefined when it carries none. Another scheme belongs to a proxy in front. */
function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header === undefined) return
  if (countHeader(request.raw, 'authorization') > 1) throw problem('unauthenticated')
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? (/^bearer\b/i.test(header) ? '' : undefined)
}

function identify(authenticator: Authenticator, mount: Mount, request: FastifyRequest): Soon<Identity> {
  const token = bearerToken(request)
  const session = token === undefined && mount === 'session' ? authenticator.bySession(request) : undefined
  return soon(session, (identity) => {
    if (identity && !authenticator.isSameOrigin(request)) throw problem('cross_origin')
    return identity ?? soon(token ? authenticator.byToken(token) : undefined, known)
  })
}

function known(identity: Identity | undefined) {
  if (!identity) throw problem('unauthenticated')
  return identity
}

function checkToken(
  { scopes: granted, membership }: NonNullable<Identity['token']>,
  { scope, token }: Access,
  mount: Mount,
) {
  if (mount === 'public') {
    if (scope ? !grants(granted, scope) : granted.length === 0)
      throw problem('insufficient_scope', {
        detail: scope ? `The token lacks the scope ${scope}.` : 'The token has no scope.',
        ...(scope && { extra: { scope } }),
      })
  } else if (granted.length > 0) {
    throw problem('token_not_accepted', { detail: 'A token with scopes opens /api/v1/public and nothing else.' })
  } else if (token === false) {
    throw problem('token_not_accepted', { detail: 'This needs a signed-in session.' })
  } else if (token === 'unbound' && membership) {
    throw problem('token_not_accepted', { detail: 'This token means one workspace and no other.' })
  }
}

function findMembership(
  authenticator: Authenticator,
  { user_id, token, workspace_id }: Identity,
  request: FastifyRequest,
): Soon<Membership> {
  const header = request.headers['x-workspace-id']
  if (typeof header === 'string' && header !== '')
    return soon(authenticator.membership(user_id, header), (named) => {
      if (!named) throw notFound()
      return named
    })
  // What a person looks at in the console must not move where a program writes.
  const chosen = token === null && workspace_id ? authenticator.membership(user_id, workspace_id) : undefined
  return soon(chosen, (chosen) =>
    soon(chosen ?? authenticator.membership(user_id), (membership) => {
      if (membership) return membership
      throw problem('workspace_required', {
        detail: 'Name a workspace in X-Workspace-Id, choose one with PATCH /api/v1/me, or create one.',
      })
    }),
  )
}
