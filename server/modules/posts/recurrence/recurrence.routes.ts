import type { FastifyInstance } from 'fastify'
import { Page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { author, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import {
  ChangeRecurringPost,
  NewRecurringPost,
  Occurrence,
  PreviewRecurrence,
  RecurrencePreview,
  RecurringPost,
  RecurringPostQuery,
} from './recurrence.schema.ts'
import {
  changeRecurringPost,
  createRecurringPost,
  deleteRecurringPost,
  listOccurrences,
  listRecurringPosts,
  pauseRecurringPost,
  previewRecurrence,
  readOwnRecurringPost,
  resumeRecurringPost,
} from './recurring-posts.ts'

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
    description: 'Returns the next occurrences of a rule, and keeps nothing.',
    access: author({ scope: 'posts:write' }),
    body: PreviewRecurrence,
    response: { 200: RecurrencePreview },
    handler: ({ deps, caller, body }) => previewRecurrence(deps, caller, body),
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
