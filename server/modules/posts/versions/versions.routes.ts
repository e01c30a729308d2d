import type { FastifyInstance } from 'fastify'
import { Page, PageQuery } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { author, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams } from '../../../lib/http/schema/schema.ts'
import { Post } from '../record/posts.schema.ts'
import { PostVersion, PostVersionSummary, versionParams } from './versions.schema.ts'
import { listVersions, readVersion, restoreVersion } from './versions.ts'

export function postVersionRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Posts')

  route.get('/posts/:id/versions', {
    operationId: 'listPostVersions',
    summary: 'List the versions of a post',
    description:
      'Returns who changed what readers see of a post, when and from where, newest first. What one member writes in the console within ten minutes, before the post has a time, is one version. A post keeps up to 100 versions, or about a megabyte of large ones, each for 365 days; the newest always stays.',
    access: viewer({ scope: 'posts:read' }),
    params: idParams('post'),
    query: Closed(PageQuery),
    response: { 200: Page(PostVersionSummary) },
    handler: ({ db, caller, params, query }) => listVersions(db, caller, params.id, query),
  })
  route.get('/posts/:id/versions/:version_id', {
    operationId: 'readPostVersion',
    summary: 'Retrieve a version of a post',
    access: viewer({ scope: 'posts:read' }),
    params: versionParams,
    response: { 200: PostVersion },
    handler: ({ db, caller, params }) => readVersion(db, caller, params),
  })
  route.post('/posts/:id/versions/:version_id/restore', {
    operationId: 'restorePostVersion',
    summary: 'Restore a version of a post',
    description:
      'Changes a draft, scheduled or failed post to what it said, like `PATCH /posts/{id}`, by the same rules and with the same events: an approved post is put in review again. Labels, the time and the alternative texts of files stay as they are. Accounts that were removed since are left out. A version with a file that was deleted since is refused with `validation_failed`, and one of a published post with `invalid_transition`. Authors can restore versions only of their own posts.',
    access: author({ scope: 'posts:write' }),
    params: versionParams,
    response: { 200: Post },
    handler: ({ deps, caller, params, ifMatch }) => restoreVersion(deps, caller, params, ifMatch),
  })
}
