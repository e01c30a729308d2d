import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../lib/deps.ts'
import { viewer } from '../../lib/http/access.ts'
import { routes } from '../../lib/http/route.ts'
import type { Meter } from './meter.ts'
import { Usage } from './usage.schema.ts'
import { readUsage } from './usage.ts'

export function usageRoutes(app: FastifyInstance, deps: Deps, meters: Meter[]) {
  const route = routes(app, deps, 'Plans')

  route.get('/workspace/usage', {
    operationId: 'readUsage',
    summary: 'Retrieve the usage of the current workspace',
    description: 'Returns the plan of the workspace and its usage of each limit.',
    access: viewer({ scope: 'workspace:read' }),
    response: { 200: Usage },
    handler: ({ deps, caller }) => readUsage(deps, meters, caller),
  })
}
