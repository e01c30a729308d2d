import type { FastifyInstance } from 'fastify'
import { Page, PageQuery } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { author, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import { Comment, CommentChanges, commentParams, NewComment } from './comments.schema.ts'
import { changeComment, createComment, deleteComment, reopenDiscussion, resolveDiscussion } from './comments.ts'
import { listComments, readComment } from './read-comments.ts'

export function commentRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Posts')

  route.get('/posts/:id/comments', {
    operationId: 'listPostComments',
    summary: 'List the comments on a post',
    description:
      'Returns the comments on a post, newest first: those of the team, and those that clients of links read, by their `audience`. Replies name the comment that they reply to.',
    access: viewer({ scope: 'posts:read' }),
    params: idParams('post'),
    query: Closed(PageQuery),
    response: { 200: Page(Comment) },
    handler: ({ db, caller, params, query }) => listComments(db, caller, params.id, query),
  })
  route.post('/posts/:id/comments', {
    operationId: 'createPostComment',
    summary: 'Comment on a post',
    description:
      'Creates a comment for the team or for the client, or a reply to one. A reply reopens a discussion that was resolved. Those who are mentioned are notified. The author of the post and the others in the discussion are, too. A post can have at most 500 comments.',
    access: author({ scope: 'posts:write' }),
    params: idParams('post'),
    body: NewComment,
    response: { 201: Comment },
    handler: ({ deps, caller, params, body }) => createComment(deps, caller, params.id, body),
  })
  route.get('/posts/:id/comments/:comment_id', {
    operationId: 'readPostComment',
    summary: 'Retrieve a comment on a post',
    access: viewer({ scope: 'posts:read' }),
    params: commentParams,
    response: { 200: Comment },
    handler: ({ db, caller, params }) => readComment(db, caller, params),
  })
  route.patch('/posts/:id/comments/:comment_id', {
    operationId: 'changePostComment',
    summary: 'Edit a comment on a post',
    description:
      'Edits your own comment within 15 minutes of writing it. Those who are mentioned for the first time are notified, each once for a comment.',
    access: author({ scope: 'posts:write' }),
    params: commentParams,
    body: CommentChanges,
    response: { 200: Comment },
    handler: ({ deps, caller, params, body, ifMatch }) => changeComment(deps, caller, params, body, ifMatch),
  })
  route.delete('/posts/:id/comments/:comment_id', {
    operationId: 'deletePostComment',
    summary: 'Delete a comment on a post',
    description:
      'Deletes the comment and the notifications of it. A comment with replies stays, without its text and author. Authors can delete only their own comments.',
    access: author({ scope: 'posts:write' }),
    params: commentParams,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => deleteComment(deps, caller, params),
  })
  route.post('/posts/:id/comments/:comment_id/resolve', {
    operationId: 'resolvePostComment',
    summary: 'Resolve a discussion',
    description: 'Marks the discussion that begins with this comment as resolved. Repeating it changes nothing.',
    access: author({ scope: 'posts:write' }),
    params: commentParams,
    response: { 200: Comment },
    handler: ({ deps, caller, params }) => resolveDiscussion(deps, caller, params),
  })
  route.post('/posts/:id/comments/:comment_id/reopen', {
    operationId: 'reopenPostComment',
    summary: 'Reopen a discussion',
    description: 'Opens the discussion that begins with this comment again. Repeating it changes nothing.',
    access: author({ scope: 'posts:write' }),
    params: commentParams,
    response: { 200: Comment },
    handler: ({ deps, caller, params }) => reopenDiscussion(deps, caller, params),
  })
}
