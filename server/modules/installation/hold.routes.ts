import type { FastifyInstance } from 'fastify'
import { Page, PageQuery, page } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import { instanceAdmin } from '../../lib/http/access.ts'
import { routes } from '../../lib/http/route.ts'
import { Closed } from '../../lib/http/schema/schema.ts'
import { listDuePosts } from '../posts/publishing/due-posts.ts'
import { DuePost, Hold, Release, Released } from './hold.schema.ts'
import { describeHold, release } from './hold.ts'

export function holdRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Installation')
  const access = instanceAdmin()

  route.get('/admin/hold', {
    operationId: 'readHold',
    summary: 'Retrieve the hold of the installation',
    description: 'Returns whether the installation is held after a restore, and how much goes out at its release.',
    access,
    response: { 200: Hold },
    handler: ({ deps }) => describeHold(deps),
  })
  route.get('/admin/hold/posts', {
    operationId: 'listDuePosts',
    summary: 'List due posts',
    description: 'Returns the posts of all workspaces whose scheduled time has passed, newest first.',
    access,
    query: Closed({ ...PageQuery }),
    response: { 200: Page(DuePost) },
    handler: ({ deps, query }) => page(listDuePosts(deps.db, deps.clock.now()), 'post.id', query),
  })
  route.post('/admin/hold/release', {
    operationId: 'releaseInstallation',
    summary: 'Release the installation',
    description:
      'Ends the hold after a restore. Nodes publish, send webhooks and e-mails again within seconds. Without a hold, or while a release is under way, the response is 409. Repeat a release that failed with the same body.',
    access,
    body: Release,
    response: { 200: Released },
    handler: ({ deps, caller, body }) => release(deps, caller, body),
  })
}
