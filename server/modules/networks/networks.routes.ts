import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../lib/deps.ts'
import { viewer } from '../../lib/http/access.ts'
import { routes } from '../../lib/http/route.ts'
import { languageOf } from '../../lib/language.ts'
import { NetworkInfo, NetworksQuery } from './networks.schema.ts'
import { listNetworks } from './networks.ts'
import { timelineRoutes } from './playground/timeline.routes.ts'
import { feedPages } from './rss/feed.routes.ts'

export function networkRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Accounts')

  route.get('/accounts/networks', {
    operationId: 'listNetworks',
    summary: 'List networks',
    description:
      'Returns the networks: how to connect an account, the limits and the price of a post, and what its preview needs.',
    access: viewer({ scope: 'accounts:read' }),
    query: NetworksQuery,
    response: { 200: Type.Object({ data: Type.Array(NetworkInfo, { maxItems: 100 }) }) },
    handler: async ({ deps, caller, query }) => ({
      data: await listNetworks(deps, caller, languageOf(query.locale ?? 'en')),
    }),
  })
  timelineRoutes(app, deps)
  feedPages(app, deps)
}
