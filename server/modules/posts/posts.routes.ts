import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { author, viewer } from '../../lib/access.ts'
import type { Db } from '../../lib/database.ts'
import { Page, page } from '../../lib/page.ts'
import { routes } from '../../lib/route.ts'
import { IdParams, NoContent } from '../../lib/schema.ts'
import { deletePost, listDeletedPosts, restorePost } from './deletion.ts'
import { ChangePost, DeletedPost, DeletedPostQuery, NewPost, Post, PostQuery } from './posts.schema.ts'
import { changePost, createPost, listPosts, publishPost, readPost, retryPost } from './posts.ts'
import { searching } from './search.ts'

export function postRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Posts')

  route.get('/posts', {
    operationId: 'listPosts',
    summary: 'List posts, newest first',
    access: viewer({ scope: 'posts:read' }),
    query: PostQuery,
    response: { 200: Page(Post) },
    handler: ({ db, caller, query }) => {
      const list = (db: Db) => page(listPosts(db, caller, query), 'post.id', query)
      return query.search === undefined ? list(db) : searching(db, caller.workspace_id, list)
    },
  })
  route.post('/posts', {
    operationId: 'createPost',
    summary: 'Create a post: a draft, scheduled, or to be published at once',
    access: author({ scope: 'posts:write' }),
    body: NewPost,
    response: { 201: Post },
    handler: ({ deps, caller, body }) => createPost(deps, caller, body),
  })
  route.get('/posts/deleted', {
    operationId: 'listDeletedPosts',
    summary: 'List which posts were deleted and can still be restored',
    description:
      'For who keeps a copy of the list of posts. What was deleted more than 24 hours ago is erased, and told of no more. A post that was restored is again in GET /posts, changed at that time.',
    access: viewer({ scope: 'posts:read' }),
    query: DeletedPostQuery,
    response: { 200: Page(DeletedPost) },
    handler: ({ db, caller, query }) => page(listDeletedPosts(db, caller, query.since), 'post.id', query),
  })
  route.get('/posts/:id', {
    operationId: 'readPost',
    summary: 'Read one post',
    access: viewer({ scope: 'posts:read' }),
    params: IdParams,
    response: { 200: Post },
    handler: ({ db, caller, params }) => readPost(db, caller, params.id),
  })
  route.patch('/posts/:id', {
    operationId: 'changePost',
    summary: 'Change a post that has not been published',
    description: 'Text, targets or time. A time of null makes it a draft again.',
    access: author({ scope: 'posts:write' }),
    params: IdParams,
    body: ChangePost,
    response: { 200: Post },
    handler: ({ deps, caller, params, body, ifMatch }) => changePost(deps, caller, params.id, body, ifMatch),
  })
  route.delete('/posts/:id', {
    operationId: 'deletePost',
    summary: 'Delete a post from Meydan; what was published stays on the networks',
    description: 'For 24 hours it can be restored; then it is erased.',
    access: author({ scope: 'posts:write' }),
    params: IdParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => deletePost(deps, caller, params.id),
  })
  route.post('/posts/:id/restore', {
    operationId: 'restorePost',
    summary: 'Restore a post that was deleted less than 24 hours ago',
    description:
      'It comes back as it was, and a scheduled one is scheduled again. One whose time has passed meanwhile comes back as a draft without a time.',
    access: author({ scope: 'posts:write' }),
    params: IdParams,
    response: { 200: Post },
    handler: ({ deps, caller, params }) => restorePost(deps, caller, params.id),
  })
  route.post('/posts/:id/publish', {
    operationId: 'publishPost',
    summary: 'Publish a draft or scheduled post at once',
    access: author({ scope: 'posts:write' }),
    params: IdParams,
    response: { 200: Post },
    handler: ({ deps, caller, params }) => publishPost(deps, caller, params.id),
  })
  route.post('/posts/:id/retry', {
    operationId: 'retryPost',
    summary: 'Try again where publishing failed',
    access: author({ scope: 'posts:write' }),
    params: IdParams,
    response: { 200: Post },
    handler: ({ deps, caller, params }) => retryPost(deps, caller, params.id),
  })
}
