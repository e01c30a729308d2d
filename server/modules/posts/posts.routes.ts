import type { FastifyInstance } from 'fastify'
import type { Db } from '../../lib/db/database.ts'
import { PARTIAL_PAGES, Page, PageQuery, page } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import { author, editor, user, viewer } from '../../lib/http/access.ts'
import { routes } from '../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../lib/http/schema/schema.ts'
import { changePost, createPost } from './authoring/create-and-change.ts'
import { deletePost, listDeletedPosts, restorePost } from './authoring/deletion.ts'
import { editPublished, UNPUBLISH_MS, unpublishPost } from './authoring/edit-and-unpublish.ts'
import { publishPost, retryPost } from './authoring/publish-and-retry.ts'
import { releasePost, releasePosts } from './authoring/release.ts'
import { reschedulePosts } from './authoring/reschedule.ts'
import { resolveTarget } from './authoring/resolve-target.ts'
import { CopiedPost, CopyPost } from './copies/copies.schema.ts'
import { COPY_MS, copyPost, memberOfTarget } from './copies/copy-post.ts'
import { LinkPreview, LinkPreviewQuery } from './link-preview/link-preview.schema.ts'
import { createLinkPreviews } from './link-preview/link-preview.ts'
import { countPosts } from './lists/counts.ts'
import {
  DeletedPost,
  DeletedPostQuery,
  PostCounts,
  PostQuery,
  PostSummary,
  PostSummaryQuery,
  ReleasedPosts,
  WorkspaceCounts,
} from './lists/list.schema.ts'
import { listPostSummaries, listPosts } from './lists/list.ts'
import { runSearch } from './lists/search.ts'
import { listWorkspaceCounts } from './lists/workspace-counts.ts'
import {
  ChangePost,
  EditPublished,
  NewPost,
  Post,
  RescheduledPosts,
  ReschedulePosts,
  ResolveTarget,
  RetryPost,
  targetParams,
} from './record/posts.schema.ts'
import { readPost } from './record/select-posts.ts'
import { validatePost } from './validation/validate-post.ts'
import { PostToValidate, Validation } from './validation/validation.schema.ts'

export function postRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Posts')
  const previewLink = createLinkPreviews(deps)

  route.get('/posts', {
    operationId: 'listPosts',
    summary: 'List posts',
    description:
      'Returns the posts of the workspace, newest first; with `from` or `to`, in the order of `scheduled_at`, and with `updated_since`, in the order of `updated_at`. ' +
      PARTIAL_PAGES,
    access: viewer({ scope: 'posts:read' }),
    query: PostQuery,
    response: { 200: Page(Post) },
    handler: ({ db, caller, query }) => {
      const list = (db: Db) => listPosts(db, caller, query)
      return query.search === undefined ? list(db) : runSearch(db, caller.workspace_id, list)
    },
  })
  route.get('/posts/summaries', {
    operationId: 'listPostSummaries',
    summary: 'List posts in short',
    description: `Returns what a calendar shows of the posts, in the order of \`GET /posts\`, up to 1,000 in a call. ${PARTIAL_PAGES}`,
    access: viewer({ scope: 'posts:read' }),
    query: PostSummaryQuery,
    response: { 200: Page(PostSummary, 1000) },
    weight: 'large_list',
    handler: ({ db, caller, query }) => listPostSummaries(db, caller, query),
  })
  route.post('/posts', {
    operationId: 'createPost',
    summary: 'Create a post',
    description:
      'Creates a draft, or a post that is scheduled or published immediately. If the policy of an account asks for an approval, a post with a time is put in review instead, and the time is its `review_scheduled_at`.',
    access: author({ scope: 'posts:write' }),
    body: NewPost,
    response: { 201: Post },
    handler: ({ deps, caller, body }) => createPost(deps, caller, body),
  })
  route.post('/posts/validate', {
    operationId: 'validatePost',
    summary: 'Validate a post',
    description:
      'Takes the body of `POST /posts`, keeps nothing, and returns everything that prevents the post from being scheduled, with posts of the same text on the same accounts, the length of each text as each network counts it, and the price of the post where a network charges for it.',
    access: author({ scope: 'posts:write' }),
    body: PostToValidate,
    response: { 200: Validation },
    handler: ({ deps, caller, body }) => validatePost(deps, caller, body),
  })
  route.get('/posts/deleted', {
    operationId: 'listDeletedPosts',
    summary: 'List deleted posts',
    description:
      'Returns the posts that were deleted in the last 24 hours and can be restored. Use it to keep a copy of the posts in sync. A post deleted more than 24 hours ago is erased and no longer listed. Restoring a post sets its `updated_at`, so `GET /posts` returns it again.',
    access: viewer({ scope: 'posts:read' }),
    query: DeletedPostQuery,
    response: { 200: Page(DeletedPost) },
    handler: ({ db, caller, query }) => page(listDeletedPosts(db, caller, query.since), 'post.id', query),
  })
  route.get('/posts/counts', {
    operationId: 'countPosts',
    summary: 'Count posts that need attention',
    access: viewer({ scope: 'posts:read' }),
    response: { 200: PostCounts },
    handler: ({ deps, caller }) => countPosts(deps, caller),
  })
  route.get('/workspaces/counts', {
    operationId: 'listWorkspaceCounts',
    summary: 'Count what needs attention in your workspaces',
    description:
      'Returns for each of your workspaces what `GET /posts/counts` returns, and what comes next. A token that is bound to a workspace sees only that one.',
    access: user({ scope: 'posts:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(WorkspaceCounts) },
    handler: ({ deps, caller, query }) => listWorkspaceCounts(deps, caller, query),
  })
  route.get('/posts/link-preview', {
    operationId: 'previewLink',
    summary: 'Preview a link',
    description:
      'Reads how a page describes itself, as networks show the first link of a post without files. Meydan calls the page, and keeps the result for five minutes.',
    access: author({ scope: 'posts:write' }),
    query: LinkPreviewQuery,
    response: { 200: LinkPreview },
    weight: 'outside',
    handler: ({ caller, query }) => previewLink(caller, query.url),
  })
  route.get('/posts/:id', {
    operationId: 'readPost',
    summary: 'Retrieve a post',
    access: viewer({ scope: 'posts:read' }),
    params: idParams('post'),
    response: { 200: Post },
    handler: ({ db, caller, params }) => readPost(db, caller, params.id),
  })
  route.patch('/posts/:id', {
    operationId: 'changePost',
    summary: 'Update a post',
    description:
      'Updates a draft, scheduled or failed post. A time for a post whose accounts need an approval puts it in review. Set `scheduled_at` to null to turn it into a draft. Before a post is approved, `scheduled_at` sets its `review_scheduled_at`. A change of the content, accounts or options of an approved post puts it in review again, with its time as `review_scheduled_at`; one of its labels or time does not. Authors can update only their own posts.',
    access: author({ scope: 'posts:write' }),
    params: idParams('post'),
    body: ChangePost,
    response: { 200: Post },
    handler: ({ deps, caller, params, body, ifMatch }) => changePost(deps, caller, params.id, body, ifMatch),
  })
  route.delete('/posts/:id', {
    operationId: 'deletePost',
    summary: 'Delete a post',
    description:
      'Deletes the post from Meydan. What was published stays on the networks. The post can be restored for 24 hours and is then erased. A post that is being published cannot be deleted.',
    access: author({ scope: 'posts:write' }),
    params: idParams('post'),
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => deletePost(deps, caller, params.id),
  })
  route.post('/posts/:id/restore', {
    operationId: 'restorePost',
    summary: 'Restore a deleted post',
    description:
      'Restores a post deleted in the last 24 hours. A scheduled post is scheduled again. If its time has passed, it becomes a draft without a time. So does a post of a recurring post whose occurrence is created again, after its skip was undone or the recurring post was changed.',
    access: author({ scope: 'posts:write' }),
    params: idParams('post'),
    response: { 200: Post },
    handler: ({ deps, caller, params }) => restorePost(deps, caller, params.id),
  })
  route.post('/posts/:id/copy', {
    operationId: 'copyPost',
    summary: 'Copy a post to another workspace',
    description:
      'Creates a draft with the texts, files and labels of the post in another workspace in which you are an author. Its accounts are those of the post that are connected there too. The files are copied, count for the storage of that workspace, and keep their alternative texts; a file that it already has is used as it is. Copying large files takes a while: send an `Idempotency-Key`, and repeat the call with it if there is no response. A token needs `media:write` too if the post has files, and must not be bound to a workspace.',
    access: viewer({ scope: 'posts:write' }),
    params: idParams('post'),
    body: CopyPost,
    response: { 201: CopiedPost },
    ownTransactions: true,
    leaseMs: COPY_MS,
    recheck: (db, caller, { workspace_id }) => memberOfTarget(db, caller, workspace_id),
    handler: ({ deps, caller, params, body, complete }) => copyPost(deps, caller, params.id, body, complete),
  })
  route.post('/posts/:id/publish', {
    operationId: 'publishPost',
    summary: 'Publish a post immediately',
    description:
      'Publishes a draft or a scheduled post. If the policy of an account asks for an approval, the post is put in review instead.',
    access: author({ scope: 'posts:write' }),
    params: idParams('post'),
    response: { 200: Post },
    handler: ({ deps, caller, params }) => publishPost(deps, caller, params.id),
  })
  route.post('/posts/reschedule', {
    operationId: 'reschedulePosts',
    summary: 'Reschedule several posts',
    description:
      'Gives up to 50 posts other times, as `PATCH /posts/{id}` does for each: all of them, or none. If some cannot move, such as published ones, the response is 400 `validation_failed`, and `errors` has an entry for each of these, whose `pointer` begins with its place in `posts`. If a post has another `version` than the one sent for it, the response is 412 `version_conflict`, with the same `errors`. To swap two posts, give each the time of the other.',
    access: author({ scope: 'posts:write' }),
    body: ReschedulePosts,
    response: { 200: RescheduledPosts },
    handler: ({ deps, caller, body }) => reschedulePosts(deps, caller, body),
  })
  route.post('/posts/release', {
    operationId: 'releasePosts',
    summary: 'Release all posts of stopped agents',
    description:
      'Ends the hold of all posts that are held because their agent was disabled. Each keeps its time. Those whose time has passed are published at once.',
    access: editor({ scope: 'posts:write' }),
    response: { 200: ReleasedPosts },
    handler: ({ deps, caller }) => releasePosts(deps, caller),
  })
  route.post('/posts/:id/release', {
    operationId: 'releasePost',
    summary: 'Release a post of a stopped agent',
    description:
      'Ends the hold of a post that is held because its agent was disabled. It keeps its time, and is published at once if that has passed.',
    access: author({ scope: 'posts:write' }),
    params: idParams('post'),
    response: { 200: Post },
    handler: ({ deps, caller, params }) => releasePost(deps, caller, params.id),
  })
  route.post('/posts/:id/retry', {
    operationId: 'retryPost',
    summary: 'Retry the failed targets of a post',
    description:
      'Publishes a failed or partially published post again on the accounts where it failed. A thread goes on where it broke.',
    access: author({ scope: 'posts:write' }),
    params: idParams('post'),
    body: RetryPost,
    response: { 200: Post },
    handler: ({ deps, caller, params, body }) => retryPost(deps, caller, params.id, body),
  })
  route.post('/posts/:id/targets/:target_id/resolve', {
    operationId: 'resolveTarget',
    summary: 'Resolve a lost response',
    description:
      'States whether a post whose response was lost is on the network, for a target with `needs_resolution`. A published one goes on with the rest of its thread. One that is not published fails, and can be retried.',
    access: author({ scope: 'posts:write' }),
    params: targetParams,
    body: ResolveTarget,
    response: { 200: Post },
    handler: ({ deps, caller, params, body }) => resolveTarget(deps, caller, params, body),
  })
  route.patch('/posts/:id/targets/:target_id', {
    operationId: 'editPublishedPost',
    summary: 'Edit a published post on its network',
    description:
      'Changes the text of a published post on one account, where `capabilities.edit` of its network is true. The other parts of a thread stay.',
    access: author({ scope: 'posts:write' }),
    params: targetParams,
    body: EditPublished,
    response: { 200: Post },
    ownTransactions: true,
    handler: ({ deps, caller, params, body, ifMatch }) => editPublished(deps, caller, params, body.content, ifMatch),
  })
  route.post('/posts/:id/unpublish', {
    operationId: 'unpublishPost',
    summary: 'Delete a post on its networks',
    description:
      'Deletes a published post on every network that allows it. It stays in Meydan. A target whose network fails stays `published` with its error; call this again to retry.',
    access: author({ scope: 'posts:write' }),
    params: idParams('post'),
    response: { 200: Post },
    ownTransactions: true,
    leaseMs: UNPUBLISH_MS,
    handler: ({ deps, caller, params, complete }) => unpublishPost(deps, caller, params.id, complete),
  })
}
