import { atLeast, type Role } from './roles.ts'
import { grants, type Scope } from './scopes.ts'

/** Features of a plan (its `entitlements`) that routes require. */
export const features = ['ai.agents', 'approvals', 'audit_log', 'marketplace.sell'] as const
export type Feature = (typeof features)[number]

/** Origin of a call, stored in the audit log. */
export type Origin = { ip: string | null; user_agent: string | null }

/** The user behind a call's credentials. */
export type Identity = {
  user_id: string
  email: string
  is_instance_admin: boolean
  /** The workspace chosen with `PATCH /me`. */
  workspace_id: string | null
  session_id: string | null
  token: { id: string; scopes: readonly string[]; membership: { workspace_id: string; role: Role } | null } | null
}

export type Anonymous = Origin & { user_id: null }
export type User = Origin & Identity
export type Member = Origin & Omit<Identity, 'workspace_id'> & { workspace_id: string; role: Role }
export type Caller = Anonymous | User | Member

/**
 * Whether a member may read what identifies the billing of the workspace: invoices, addresses to pay at, ids at the
 * provider. A token with scopes needs the one of billing, whatever it reads them from.
 */
export const mayReadBilling = ({ role, token }: Pick<Member, 'role' | 'token'>) =>
  atLeast(role, 'admin') && (!token?.scopes.length || grants(token.scopes, 'billing:read'))

type Level = 'anyone' | 'user' | 'token' | 'instance_admin' | Role

type Options = {
  /** Mounts the route under /public as well, for tokens that carry this scope. */
  scope?: Scope
  /** false: refuses tokens. 'unbound': accepts tokens without scopes, unless they are bound to a workspace. */
  token?: false | 'unbound'
  /** true: the workspace must have a subscription in force, unless billing is off. */
  subscription?: true
  /** Feature that the plan of the workspace must include. */
  feature?: Feature
  /** Identifies callers of a route for anyone who have a session or a token without scopes. */
  identifies?: true
  /** Refuses calls from pages of other origins: the route reads a cookie of its own. */
  sameOrigin?: true
}

/** Access rule of a route, as data. `C` is the type of caller that its handler gets. */
export type Access<C extends Caller = Caller> = Options & {
  readonly level: Level
  /** Never set: only carries the type. */
  readonly caller?: C
}

const member =
  (level: Role) =>
  (options: Options = {}): Access<Member> => ({ level, ...options })

export const anyone = (): Access<Anonymous> => ({ level: 'anyone' })
/** The client of a link. The handler checks the cookie. */
export const linkClient = (): Access<Anonymous> => ({ level: 'anyone', sameOrigin: true })
/** Anyone, for records some of which only their owner sees. */
export const visitor = (): Access<Anonymous | User> => ({ level: 'anyone', identifies: true })
export const user = (options: Options = {}): Access<User> => ({ level: 'user', ...options })
/** Any token that has a scope. Such a route is mounted under /public only. */
export const anyToken = (): Access<User> => ({ level: 'token' })
export const instanceAdmin = (): Access<User> => ({ level: 'instance_admin', token: false })
/** Any member of the workspace. */
export const viewer = member('viewer')
export const author = member('author')
export const editor = member('editor')
export const admin = member('admin')
export const owner = member('owner')
