import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { featureNotAvailable, notFound, problem } from '../../errors.ts'
import { type MaybePromise, whenReady } from '../runtime/concurrency/maybe-promise.ts'
import type { Access, Caller, Feature, Identity, Origin } from './access.ts'
import { countHeader } from './headers.ts'
import type { RateLimit } from './limits/rate-limit.ts'
import type { UserShares } from './limits/user-shares.ts'
import { atLeast, type Role } from './roles.ts'
import { grants } from './scopes.ts'

/** Milliseconds until a caller who goes on calling over the limit is refused. */
const FLOOD_PAUSE_MS = 1000

/** Mount of a route: for sessions and tokens without scopes, or under /public for tokens with scopes. */
export type Mount = 'session' | 'public'

type Membership = { workspace_id: string; role: Role }

/** Identifies callers. Each lookup returns undefined for invalid or expired credentials. */
export type Authenticator = {
  bySession: (request: FastifyRequest) => MaybePromise<Identity | undefined>
  byToken: (token: string) => MaybePromise<Identity | undefined>
  /** The membership in the workspace with this id or slug; without one, the only membership of the user. */
  membership: (user_id: string, workspace?: string) => MaybePromise<Membership | undefined>
  /** Whether a request that carries a session cookie comes from our own pages. */
  isSameOrigin: (request: FastifyRequest) => boolean
  /** Whether the workspace has a subscription in force. Without billing, all have. */
  isSubscribed: (workspace_id: string) => MaybePromise<boolean>
  /** Whether the plan of the workspace includes a feature. */
  hasFeature: (workspace_id: string, feature: Feature) => MaybePromise<boolean>
  /** Calls a minute for each token or signed-in user. */
  limits: { read: RateLimit; write: RateLimit }
  /** Bounds what each user does at a time, so that one user cannot take the connections and memory of a node. */
  userShares: UserShares
}

/** Checks rate limit and credentials → scope → workspace → role → subscription → feature, in this order, before a body is read. */
export function authorize(
  authenticator: Authenticator,
  access: Access,
  mount: Mount,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<Caller> {
  const origin = originOf(request)
  if (access.level === 'anyone') {
    if (access.sameOrigin && !authenticator.isSameOrigin(request)) throw problem('cross_origin')
    const known = access.identifies && identifyVisitor(authenticator, request)
    return whenReady(known || undefined, (identity) =>
      identity ? { ...origin, ...identity } : { ...origin, user_id: null },
    )
  }
  return whenReady(identify(authenticator, mount, request), (identity) => {
    return whenReady(countCall(authenticator.limits, identity, request, reply), () => {
      if (identity.token) checkToken(identity.token, access, mount)
      const membership = checkMembership(authenticator, access, identity, request)
      return whenReady(membership, (membership) => ({ ...origin, ...identity, ...membership }))
    })
  })
}

/** The membership that a call uses; undefined when its route requires none. */
function checkMembership(
  authenticator: Authenticator,
  { level, subscription, feature }: Access,
  identity: Identity,
  request: FastifyRequest,
): MaybePromise<Membership | undefined> {
  if (level === 'anyone' || level === 'user' || level === 'token') return
  if (level === 'instance_admin') {
    if (!identity.is_instance_admin) throw problem('forbidden_role', { detail: 'This requires an instance admin.' })
    return
  }
  return whenReady(findMembership(authenticator, identity, request), (membership) => {
    if (!atLeast(membership.role, level))
      throw problem('forbidden_role', { detail: `This requires the role ${level}; yours is ${membership.role}.` })
    const subscribed = subscription ? authenticator.isSubscribed(membership.workspace_id) : true
    return whenReady(subscribed, (subscribed) => {
      if (!subscribed) throw problem('subscription_required')
      if (!feature) return membership
      return whenReady(authenticator.hasFeature(membership.workspace_id, feature), (included) => {
        if (included) return membership
        throw featureNotAvailable(feature)
      })
    })
  })
}

export function originOf(request: FastifyRequest): Origin {
  // Some proxies append the port. When the value is not an IP address, the proxy's own address is used.
  const forwarded = request.ip?.replace(/%.*$/, '').replace(/^\[(.*)\](:\d+)?$|^([\d.]+):\d+$/, '$1$3') ?? ''
  const ip = isIP(forwarded) ? forwarded : (request.socket.remoteAddress ?? '')
  return { ip: isIP(ip) ? ip : null, user_agent: request.headers['user-agent']?.slice(0, 500) ?? null }
}

function countCall(
  { read, write }: Authenticator['limits'],
  { token, user_id }: Identity,
  { method }: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<void> {
  const counted = (method === 'GET' || method === 'HEAD' ? read : write)?.(token?.id ?? user_id)
  if (!counted) return
  reply.headers(counted.headers)
  const { exceeded, isFlood } = counted
  if (!exceeded) return
  if (!isFlood) throw exceeded
  // A client that ignores its refusals would otherwise keep the process busy with them.
  return new Promise((_, reject) => setTimeout(reject, FLOOD_PAUSE_MS, exceeded))
}

/**
 * The bearer token of a request: empty when it is malformed or there twice, undefined when there is none. Other schemes
 * are for a proxy in front.
 */
function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header === undefined) return
  if (countHeader(request.raw, 'authorization') > 1) return ''
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? (/^bearer\b/i.test(header) ? '' : undefined)
}

function identify(authenticator: Authenticator, mount: Mount, request: FastifyRequest): MaybePromise<Identity> {
  const token = bearerToken(request)
  const session = token === undefined && mount === 'session' ? authenticator.bySession(request) : undefined
  return whenReady(session, (identity) => {
    if (identity && !authenticator.isSameOrigin(request)) throw problem('cross_origin')
    return identity ?? whenReady(token ? authenticator.byToken(token) : undefined, known)
  })
}

/** The user of a call that needs no credentials. Those that would be refused elsewhere count as none. */
function identifyVisitor(authenticator: Authenticator, request: FastifyRequest): MaybePromise<Identity | undefined> {
  const token = bearerToken(request)
  const found = token === undefined ? authenticator.bySession(request) : token && authenticator.byToken(token)
  return whenReady(found || undefined, (identity) => {
    if (identity?.token ? identity.token.scopes.length > 0 : !authenticator.isSameOrigin(request)) return undefined
    return identity
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
    throw problem('token_not_accepted', { detail: 'A token with scopes can only call paths under /api/v1/public.' })
  } else if (token === false) {
    throw problem('token_not_accepted', { detail: 'This requires a signed-in session.' })
  } else if (token === 'unbound' && membership) {
    throw problem('token_not_accepted', { detail: 'This token is bound to one workspace.' })
  }
}

function findMembership(
  authenticator: Authenticator,
  { user_id, token, workspace_id }: Identity,
  request: FastifyRequest,
): MaybePromise<Membership> {
  const header = request.headers['x-workspace-id']
  const bound = token?.membership
  if (bound && (!header || header === bound.workspace_id)) return bound
  if (typeof header === 'string' && header !== '')
    return whenReady(authenticator.membership(user_id, header), (named) => {
      // A program that names another workspace would otherwise write into the wrong one.
      if (bound && named?.workspace_id !== bound.workspace_id)
        throw problem('token_not_accepted', {
          detail: 'This token is bound to another workspace than the one that X-Workspace-Id names.',
        })
      if (!named) throw notFound()
      return named
    })
  // The workspace selected in the console must not affect where a program writes.
  const chosen = token === null && workspace_id ? authenticator.membership(user_id, workspace_id) : undefined
  return whenReady(chosen, (chosen) =>
    whenReady(chosen ?? authenticator.membership(user_id), (membership) => {
      if (membership) return membership
      throw problem('workspace_required', {
        detail: 'Name a workspace in X-Workspace-Id, choose one with PATCH /api/v1/me, or create one.',
      })
    }),
  )
}
