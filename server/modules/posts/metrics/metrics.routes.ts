import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../lib/deps.ts'
import { viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams } from '../../../lib/http/schema/schema.ts'
import { BestTimes } from './best-times.schema.ts'
import { readBestTimes } from './best-times.ts'
import { MetricsOfPost } from './metrics.schema.ts'
import { readMetricsOfPost } from './metrics.ts'

export function postMetricsRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Posts')

  route.get('/accounts/:id/best-times', {
    operationId: 'readBestTimes',
    summary: 'Retrieve the best times of an account',
    description:
      'Compares the reactions to the posts of an account in eight parts of the week, from its own numbers of the last 180 days: likes, comments and shares about two days after a post, against what was usual for the account then. A part is named only if chance does not explain the difference; most accounts have no such part. It says when posts did better, not at which hour to publish. No network is called.',
    access: viewer({ scope: 'accounts:read' }),
    params: idParams('account'),
    response: { 200: BestTimes },
    handler: ({ db, deps, caller, params }) => readBestTimes({ db, now: deps.clock.now() }, caller, params.id),
  })
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
