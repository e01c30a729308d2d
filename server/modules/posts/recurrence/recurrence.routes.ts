import type { FastifyInstance } from 'fastify'
import { Page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { author, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import { Post } from '../record/posts.schema.ts'
import { createOccurrencePost } from './changes/occurrence-post.ts'
import { skipOccurrence, unskipOccurrence } from './changes/skips.ts'
import { readChangeImpact, splitRecurringPost } from './changes/split.ts'
import { previewRecurrence } from './preview.ts'
import {
  ChangeImpact,
  ChangeImpactQuery,
  ChangeRecurringPost,
  NewOccurrencePost,
  NewRecurringPost,
  Occurrence,
  PreviewRecurrence,
  RecurrencePreview,
  RecurringPost,
  RecurringPostQuery,
  SkipOccurrence,
  SplitRecurringPost,
  UpcomingOccurrences,
  UpcomingQuery,
} from './recurrence.schema.ts'
import {
  changeRecurringPost,
  createRecurringPost,
  deleteRecurringPost,
  listOccurrences,
  listRecurringPosts,
  pauseRecurringPost,
  readOwnRecurringPost,
  resumeRecurringPost,
} from './recurring-posts.ts'
import { listUpcoming } from './upcoming.ts'

export function recurrenceRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Posts')
  const params = idParams('recurring_post')

  route.get('/recurring-posts', {
    operationId: 'listRecurringPosts',
    summary: 'List recurring posts',
    description: 'Returns the recurring posts of the workspace with their next occurrences, newest first.',
    access: viewer({ scope: 'posts:read' }),
    query: RecurringPostQuery,
    response: { 200: Page(RecurringPost) },
    handler: ({ deps, caller, query }) => listRecurringPosts(deps, caller, query),
  })
  route.post('/recurring-posts', {
    operationId: 'createRecurringPost',
    summary: 'Create a recurring post',
    description:
      'Creates posts again and again, at the times of a recurrence rule. Each occurrence is a scheduled post of its own, which is created seven days before its time.',
    access: author({ scope: 'posts:write' }),
    body: NewRecurringPost,
    response: { 201: RecurringPost },
    handler: ({ deps, caller, body }) => createRecurringPost(deps, caller, body),
  })
  route.post('/recurring-posts/preview', {
    operationId: 'previewRecurrence',
    summary: 'Preview a recurrence rule',
    description:
      'Returns the next occurrences of a rule, or of a text such as “every second Tuesday at 09:00 until June” with the rule that it means. Keeps nothing.',
    access: author({ scope: 'posts:write' }),
    body: PreviewRecurrence,
    response: { 200: RecurrencePreview },
    handler: ({ deps, caller, body }) => previewRecurrence(deps, caller, body),
  })
  route.get('/recurring-posts/upcoming', {
    operationId: 'listUpcomingOccurrences',
    summary: 'List occurrences without a post',
    description:
      'Returns the occurrences of all active recurring posts in a span of time that have no post yet, and those that members skipped.',
    access: viewer({ scope: 'posts:read' }),
    query: UpcomingQuery,
    response: { 200: UpcomingOccurrences },
    handler: ({ deps, caller, query }) => listUpcoming(deps, caller, query),
  })
  route.get('/recurring-posts/:id', {
    operationId: 'readRecurringPost',
    summary: 'Retrieve a recurring post',
    access: viewer({ scope: 'posts:read' }),
    params,
    response: { 200: RecurringPost },
    handler: ({ deps, caller, params }) => readOwnRecurringPost(deps, caller, params.id),
  })
  route.patch('/recurring-posts/:id', {
    operationId: 'changeRecurringPost',
    summary: 'Update a recurring post',
    description:
      'Changes a recurring post. Posts to come that nobody edited are deleted and created again; those that somebody edited stay. Authors can update only their own.',
    access: author({ scope: 'posts:write' }),
    params,
    body: ChangeRecurringPost,
    response: { 200: RecurringPost },
    handler: ({ deps, caller, params, body, ifMatch }) => changeRecurringPost(deps, caller, params.id, body, ifMatch),
  })
  route.delete('/recurring-posts/:id', {
    operationId: 'deleteRecurringPost',
    summary: 'Delete a recurring post',
    description:
      'Deletes a recurring post with its posts to come that nobody edited. Published and edited posts stay. Authors can delete only their own.',
    access: author({ scope: 'posts:write' }),
    params,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => deleteRecurringPost(deps, caller, params.id),
  })
  route.post('/recurring-posts/:id/pause', {
    operationId: 'pauseRecurringPost',
    summary: 'Pause a recurring post',
    description: 'Creates no further posts, and deletes those to come that nobody edited.',
    access: author({ scope: 'posts:write' }),
    params,
    response: { 200: RecurringPost },
    handler: ({ deps, caller, params }) => pauseRecurringPost(deps, caller, params.id),
  })
  route.post('/recurring-posts/:id/resume', {
    operationId: 'resumeRecurringPost',
    summary: 'Resume a recurring post',
    description: 'Goes on with the next occurrence. Those of the pause are not caught up.',
    access: author({ scope: 'posts:write' }),
    params,
    response: { 200: RecurringPost },
    handler: ({ deps, caller, params }) => resumeRecurringPost(deps, caller, params.id),
  })
  route.get('/recurring-posts/:id/impact', {
    operationId: 'readChangeImpact',
    summary: 'Count the posts that a change concerns',
    description:
      'Returns how many posts a change would replace and leave as they are: all that are to come or, with `from`, those from an occurrence on. Changes nothing.',
    access: viewer({ scope: 'posts:read' }),
    params,
    query: ChangeImpactQuery,
    response: { 200: ChangeImpact },
    handler: ({ deps, caller, params, query }) => readChangeImpact(deps, caller, params.id, query),
  })
  route.post('/recurring-posts/:id/split', {
    operationId: 'splitRecurringPost',
    summary: 'Update an occurrence and those that follow',
    description:
      'Ends the recurring post before an occurrence, and returns a new one that begins with it and has the changes. What is not sent stays as it is; a `COUNT` goes on counting. Edited posts and skipped occurrences keep their place. Authors can update only their own.',
    access: author({ scope: 'posts:write' }),
    params,
    body: SplitRecurringPost,
    response: { 201: RecurringPost },
    takesIfMatch: true,
    handler: ({ deps, caller, params, body, ifMatch }) => splitRecurringPost(deps, caller, params.id, body, ifMatch),
  })
  route.post('/recurring-posts/:id/skip', {
    operationId: 'skipOccurrence',
    summary: 'Skip an occurrence',
    description:
      'Skips one occurrence to come, whether its post exists or not. A post that it has is deleted, and can be restored for a day. `COUNT` counts it.',
    access: author({ scope: 'posts:write' }),
    params,
    body: SkipOccurrence,
    response: { 200: RecurringPost },
    handler: ({ deps, caller, params, body }) => skipOccurrence(deps, caller, params.id, body),
  })
  route.post('/recurring-posts/:id/unskip', {
    operationId: 'unskipOccurrence',
    summary: 'Undo the skip of an occurrence',
    description: 'Has the post of a skipped occurrence to come created again.',
    access: author({ scope: 'posts:write' }),
    params,
    body: SkipOccurrence,
    response: { 200: RecurringPost },
    handler: ({ deps, caller, params, body }) => unskipOccurrence(deps, caller, params.id, body),
  })
  route.post('/recurring-posts/:id/posts', {
    operationId: 'createOccurrencePost',
    summary: 'Create the post of an occurrence',
    description:
      'Creates the post of an occurrence to come before its time, so that it can be edited alone. Returns the post that the occurrence has, if it has one. In the name of the author of the recurring post. 409 if the recurring post is paused, or if the occurrence was skipped or its post was deleted.',
    access: author({ scope: 'posts:write' }),
    params,
    body: NewOccurrencePost,
    response: { 200: Post },
    handler: ({ deps, caller, params, body }) => createOccurrencePost(deps, caller, params.id, body),
  })
  route.get('/recurring-posts/:id/occurrences', {
    operationId: 'listOccurrences',
    summary: 'List the occurrences of a recurring post',
    description:
      'Returns the occurrences whose post was created, and those that were skipped with the reason, the latest decision first.',
    access: viewer({ scope: 'posts:read' }),
    params,
    query: RecurringPostQuery,
    response: { 200: Page(Occurrence) },
    handler: ({ deps, caller, params, query }) => listOccurrences(deps, caller, params.id, query),
  })
}
