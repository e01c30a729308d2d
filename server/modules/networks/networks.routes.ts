import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../lib/deps.ts'
import { viewer } from '../../lib/http/access.ts'
import { routes } from '../../lib/http/route.ts'
import { NetworkInfo } from './networks.schema.ts'
import { timelineRoutes } from './playground/timeline.routes.ts'
import { networks } from './registry.ts'

export function networkRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Accounts')

  route.get('/accounts/networks', {
    operationId: 'listNetworks',
    summary: 'List networks',
    description: 'Returns the networks, each with the form fields required to connect an account.',
    access: viewer({ scope: 'accounts:read' }),
    response: { 200: Type.Object({ data: Type.Array(NetworkInfo, { maxItems: 100 }) }) },
    handler: () => ({ data: [...networks] }),
  })
  timelineRoutes(app, deps)
}
