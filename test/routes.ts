import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { buildApp } from '../server/app.ts'
import type { Deps } from '../server/deps.ts'
import type { Access } from '../server/lib/access.ts'

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
