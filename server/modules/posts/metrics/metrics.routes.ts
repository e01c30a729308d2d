import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../lib/deps.ts'
import { viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams } from '../../../lib/http/schema/schema.ts'
import { MetricsOfPost } from './metrics.schema.ts'
import { readMetricsOfPost } from './metrics.ts'

export function postMetricsRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Posts')

  route.get('/posts/:id/metrics', {
    operationId: 'readPostMetrics',
    summary: 'Retrieve the metrics of a post',
    description:
      'Returns views, likes, comments and other numbers of a published post on each of its accounts, with their history and their sums. Meydan reads them from the networks by a plan; this call reads none. `GET /accounts/networks` lists the numbers that each network reports.',
    access: viewer({ scope: 'posts:read' }),
    params: idParams('post'),
    response: { 200: MetricsOfPost },
    handler: ({ db, caller, params }) => readMetricsOfPost(db, caller, params.id),
  })
}
