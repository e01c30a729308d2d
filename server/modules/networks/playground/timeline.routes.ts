import type { FastifyInstance } from 'fastify'
import { Page, PageQuery, pageOfWorkspace } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams } from '../../../lib/http/schema/schema.ts'
import { PlaygroundPost } from './timeline.schema.ts'
import { readPlaygroundPost, selectPlayground } from './timeline.ts'

export function timelineRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Accounts')

  route.get('/playground', {
    operationId: 'listPlayground',
    summary: 'List posts on the Playground',
    description: 'Returns the timeline of the Playground, newest first.',
    access: viewer({ scope: 'posts:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(PlaygroundPost) },
    handler: ({ db, caller, query }) =>
      pageOfWorkspace(selectPlayground(db), 'playground_post', caller.workspace_id, query, {
        db,
        columns: ['content'],
      }),
  })
  route.get('/playground/:id', {
    operationId: 'readPlaygroundPost',
    summary: 'Retrieve a post on the Playground',
    access: viewer({ scope: 'posts:read' }),
    params: idParams('playground-post'),
    response: { 200: PlaygroundPost },
    handler: ({ db, caller, params }) => readPlaygroundPost(db, caller, params.id),
  })
}
