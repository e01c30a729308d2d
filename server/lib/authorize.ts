import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound, problem } from '../errors.ts'
import { type Access, atLeast, type Caller, type Feature, type Identity, type Origin, type Role } from './access.ts'
import { countHeader } from './headers.ts'
import type { RateLimit } from './rate-limit.ts'
import { grants } from './scopes.ts'

/** Where a declaration is mounted: for sessions (and tokens without scopes), or under /public for tokens with scopes. */
export type Mount = 'session' | 'public'

type Membership = { workspace_id: string; role: Role }

/** Finds out who is behind a call. Each answers undefined for credentials that are not (or no longer) good. */
export type Authenticator = {
  bySession: (request: FastifyRequest) => Promise<Identity | undefined>
  byToken: (token: string) => Promise<Identity | undefined>
  /** The membership in the workspace named by id or slug; without a name, in the only one the user has. */
  membership: (user_id: string, workspace?: string) => Promise<Membership | undefined>
  /** Whether a request that carries a session cookie comes from our own pages. */
  isSameOrigin: (request: FastifyRequest) => boolean
  /** Whether the plan of the workspace includes a feature. */
  hasFeature: (workspace_id: string, feature: Feature) => Promise<boolean>
  /** How many calls a minute each token or signed-in user may make. */
  limits: { read: RateLimit; write: RateLimit }
}

/** Rate limit and credentials → scope → workspace → role → feature, in this order, before a body is read. */
export async function authorize(
  authenticator: Authenticator,
  access: Access,
  mount: Mount,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const origin = originOf(request)
  if (access.level === 'anyone') return { ...origin, user_id: null }

  const identity = await identify(authenticator, mount, request)
  countCall(authenticator.limits, identity, request, reply)
  if (identity.token) checkToken(identity.token, access, mount)
  if (access.level === 'user' || access.level === 'token') return { ...origin, ...identity }
  if (access.level === 'instance_admin') {
    if (!identity.is_instance_admin) throw problem('forbidden_role', { detail: 'This is for instance admins.' })
    return { ...origin, ...identity }
  }

  const membership = identity.token?.membership ?? (await findMembership(authenticator, identity, request))
  if (!atLeast(membership.role, access.level))
    throw problem('forbidden_role', { detail: `This needs the role ${access.level}; yours is ${membership.role}.` })
  const { feature } = access
  if (feature && !(await authenticator.hasFeature(membership.workspace_id, feature)))
    throw problem('feature_not_available', {
      detail: `The plan of this workspace does not include ${feature}.`,
      extra: { feature },
    })
  return { ...origin, ...identity, ...membership }
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

async function findMembership(authenticator: Authenticator, identity: Identity, request: FastifyRequest) {
  const header = request.headers['x-workspace-id']
  const wanted = typeof header === 'string' && header !== '' ? header : undefined
  if (wanted !== undefined) {
    const membership = await authenticator.membership(identity.user_id, wanted)
    if (!membership) throw notFound()
    return membership
  }
  // What a person looks at in the console must not move where a program writes.
  const chosen = identity.token === null && identity.workspace_id
  const membership =
    (chosen && (await authenticator.membership(identity.user_id, chosen))) ||
    (await authenticator.membership(identity.user_id))
  if (!membership)
    throw problem('workspace_required', {
      detail: 'Name a workspace in X-Workspace-Id, choose one with PATCH /api/v1/me, or create one.',
    })
  return membership
}
