import { randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { expect } from 'vitest'
import { buildApp } from '../server/app.ts'
import type { Deps } from '../server/deps.ts'
import { type Access, type Role, roles } from '../server/lib/access.ts'
import { grants, type Scope } from '../server/lib/scopes.ts'
import type { Answer, Client } from './client.ts'

export type RegisteredRoute = { method: string; path: string; access: Access | undefined; mount: string | undefined }

/** Every route that an app on `deps` registers, with its access, whether it is documented or not. HEAD goes with GET. */
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
      .map((name) => ({ method: name, path, access: config?.access, mount: config?.mount })),
  )
}

export type Route = RegisteredRoute & { access: Access }

export const routesWithAccess = async (deps: Deps): Promise<Route[]> =>
  (await registeredRoutes(deps)).map((route) => {
    if (!route.access) throw new Error(`${route.path} has no declared access`)
    return { ...route, access: route.access }
  })

export const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`
/** The name of a route without where it is mounted: `POST /posts`. */
export const shortNameOf = ({ method, path }: Pick<Route, 'method' | 'path'>) =>
  `${method} ${path.replace(/^\/api\/v1(\/public)?/, '')}`
export const roleOf = ({ access: { level } }: Route): Role | undefined => roles.find((role) => role === level)
export const inWorkspace = (route: Route) => roleOf(route) !== undefined
export const isOpen = ({ access }: Route) => access.level === 'anyone'
export const isPublic = ({ mount }: Route) => mount === 'public'

/** Calls a route with an id of nothing and an empty body: past the checks of access nothing can happen. */
export const call = (
  who: Client,
  { method, path }: Pick<Route, 'method' | 'path'>,
  id: string = randomUUID(),
  body?: unknown,
) => who.call(method, path.replace(/:\w+/g, id), method === 'GET' ? {} : { body: body ?? {} })

export const outcome = ({ status, body }: Answer) => `${status} ${body?.code ?? ''}`.trim()
/** 'let in' when access was no reason for the answer. */
const verdict = (answer: Answer) =>
  [401, 403].includes(answer.status) || answer.status >= 500 || answer.body?.code === 'workspace_required'
    ? outcome(answer)
    : 'let in'

/** Tries all of these routes, and fails with a list of those that did not answer as expected. */
export async function sweep(
  routes: Route[],
  who: Client,
  expected: string | ((route: Route) => string),
  of: (answer: Answer) => string = verdict,
) {
  expect(routes.length).toBeGreaterThan(0)
  const wrong = await Promise.all(
    routes.map(async (route) => {
      const wanted = typeof expected === 'string' ? expected : expected(route)
      const got = of(await call(who, route))
      return got === wanted ? [] : [`${nameOf(route)}: ${got} instead of ${wanted}`]
    }),
  )
  expect(wrong.flat()).toEqual([])
}

/** Where a row asks for more than the route: anybody leaves, but it takes an admin to remove somebody else. */
const alsoNeeded: Record<string, Role> = { 'DELETE /workspace/members/:id': 'admin' }

/** What a member with this role gets, whose credentials the route takes. */
export function expectedForRole(route: Route, role: Role) {
  const needed = alsoNeeded[shortNameOf(route)] ?? roleOf(route)
  if (route.access.level === 'instance_admin') return '403 forbidden_role'
  return needed && roles.indexOf(role) < roles.indexOf(needed) ? '403 forbidden_role' : 'let in'
}

/** What a token with these scopes of somebody with this role gets. `bound`: it means one workspace. */
export function expectedForToken(route: Route, scopes: readonly Scope[], role: Role, { bound = true } = {}) {
  if (isOpen(route)) return 'let in'
  const { scope, token } = route.access
  if (isPublic(route)) {
    const isGranted = scope ? grants(scopes, scope) : scopes.length > 0
    return isGranted ? expectedForRole(route, role) : '403 insufficient_scope'
  }
  if (scopes.length > 0 || token === false || (token === 'unbound' && bound)) return '403 token_not_accepted'
  return expectedForRole(route, role)
}
