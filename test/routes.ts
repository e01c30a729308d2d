import { randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { expect } from 'vitest'
import { buildApp } from '../server/app.ts'
import type { Deps } from '../server/lib/deps.ts'
import type { Access } from '../server/lib/http/access.ts'
import { type Role, roles } from '../server/lib/http/roles.ts'
import { grants, type Scope } from '../server/lib/http/scopes.ts'
import type { ApiResponse, Client } from './client.ts'
import { each } from './each.ts'
import { EVERY_MOUNT, SEED } from './torture/settings.ts'

export type RegisteredRoute = {
  method: string
  path: string
  access: Access | undefined
  mount: string | undefined
  upload: boolean
}

/** All routes of an app on `deps`, with their access, documented or not. HEAD is included in GET. */
export async function registeredRoutes(deps: Deps): Promise<RegisteredRoute[]> {
  const declared: RouteOptions[] = []
  const onApp = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route) => {
      declared.push(route)
    })
  }
  subscribe('fastify.initialization', onApp)
  const app = await buildApp(deps)
  unsubscribe('fastify.initialization', onApp)
  await app.ready()
  await app.close()
  return declared.flatMap(({ method, url: path, config }) =>
    [method]
      .flat()
      .filter((name) => name !== 'HEAD')
      .map((name) => ({
        ...{ method: name, path, access: config?.access, mount: config?.mount },
        upload: config?.upload === true,
      })),
  )
}

export type Route = RegisteredRoute & { access: Access }

export const routesWithAccess = async (deps: Deps): Promise<Route[]> =>
  (await registeredRoutes(deps)).map((route) => {
    if (!route.access) throw new Error(`${route.path} has no declared access`)
    return { ...route, access: route.access }
  })

export const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`
/** The name of a route without its prefix: `POST /posts`. */
export const shortNameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) =>
  `${method} ${path.replace(/^\/api\/v1(\/public)?/, '')}`

/**
 * Routes, with one of each two that share a function: the one for sessions, or the one under /public for tokens. Who may
 * call either is tested for all routes. `npm run torture` sends the requests to both.
 */
export function oneMount<One extends RegisteredRoute>(routes: readonly One[]): One[] {
  const turn = (route: One) => [...shortNameOf(route)].reduce((sum, letter) => sum + letter.charCodeAt(0), SEED) % 2
  const names = new Set(routes.map(nameOf))
  const isShared = ({ method, path }: One) =>
    names.has(`${method} ${path.replace('/api/v1/public/', '/api/v1/')}`) &&
    names.has(`${method} ${path.replace(/^\/api\/v1\/(public\/)?/, '/api/v1/public/')}`)
  return routes.filter((route) => EVERY_MOUNT || !isShared(route) || isPublic(route) === (turn(route) === 1))
}

const roleOf = ({ access: { level } }: Route): Role | undefined => roles.find((role) => role === level)
export const inWorkspace = (route: Route) => roleOf(route) !== undefined
export const isOpen = ({ access }: Route) => access.level === 'anyone'
export const isPublic = ({ mount }: RegisteredRoute) => mount === 'public'

/** Calls a route with an unused id and an empty body: after the access checks it has no effect. */
export const call = (
  who: Client,
  { method, path }: Pick<Route, 'method' | 'path'>,
  id: string = randomUUID(),
  body?: unknown,
) => who.call(method, path.replace(/:\w+/g, id), method === 'GET' ? {} : { body: body ?? {} })

export const outcome = ({ status, body }: ApiResponse) => `${status} ${body?.code ?? ''}`.trim()
/** 'permitted' if access did not determine the response. */
export const verdict = (response: ApiResponse) =>
  [401, 403].includes(response.status) || response.status >= 500 || response.body?.code === 'workspace_required'
    ? outcome(response)
    : 'permitted'

/** Calls all these routes, and fails with a list of unexpected responses. */
export async function sweep(
  routes: Route[],
  who: Client,
  expected: string | ((route: Route) => string),
  of: (response: ApiResponse, route: Route) => string = verdict,
) {
  expect(routes.length).toBeGreaterThan(0)
  const wrong = await each(routes, async (route) => {
    const wanted = typeof expected === 'string' ? expected : expected(route)
    const got = of(await call(who, route), route)
    return got === wanted ? [] : [`${nameOf(route)}: ${got} instead of ${wanted}`]
  })
  expect(wrong.flat()).toEqual([])
}

/** Routes that require more for some records: anybody may leave, but only an admin removes others. */
const alsoNeeded: Record<string, Role> = { 'DELETE /workspace/members/:id': 'admin' }

/** The expected result for a member with this role, if the route accepts their credentials. */
export function expectedForRole(route: Route, role: Role) {
  const needed = alsoNeeded[shortNameOf(route)] ?? roleOf(route)
  if (route.access.level === 'instance_admin') return '403 forbidden_role'
  return needed && roles.indexOf(role) < roles.indexOf(needed) ? '403 forbidden_role' : 'permitted'
}

/**
 * The expected result for a token with these scopes and its owner's role. `bound`: the token is bound to one workspace.
 */
export function expectedForToken(route: Route, scopes: readonly Scope[], role: Role, { bound = true } = {}) {
  if (isOpen(route)) return 'permitted'
  const { scope, token } = route.access
  if (isPublic(route)) {
    const isGranted = scope ? grants(scopes, scope) : scopes.length > 0
    return isGranted ? expectedForRole(route, role) : '403 insufficient_scope'
  }
  if (scopes.length > 0 || token === false || (token === 'unbound' && bound)) return '403 token_not_accepted'
  return expectedForRole(route, role)
}
