import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../lib/deps.ts'
import { editor, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams } from '../../../lib/http/schema/schema.ts'
import { NewPostingTimes, PostingTimes } from '../posting-times/posting-times.schema.ts'
import { readPostingTimes, savePostingTimes } from '../posting-times/posting-times.ts'
import { moveInQueue } from './move.ts'
import { pauseQueue, resumeQueue } from './pause.ts'
import { MoveInQueue, Queue, QueueQuery } from './queue.schema.ts'
import { readQueue } from './queue.ts'

export function queueRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Posts')
  const params = idParams('account')

  route.get('/accounts/:id/posting-times', {
    operationId: 'readPostingTimes',
    summary: 'Retrieve the posting times of an account',
    description: 'Returns no times, in the time zone of the workspace, while none were set.',
    access: viewer({ scope: 'accounts:read' }),
    params,
    response: { 200: PostingTimes },
    handler: ({ db, caller, params }) => readPostingTimes(db, caller, params.id),
  })
  route.put('/accounts/:id/posting-times', {
    operationId: 'savePostingTimes',
    summary: 'Replace the posting times of an account',
    description:
      'Sets the times of the week at which the queue of the account publishes. Posts that are scheduled already keep their times.',
    access: editor({ scope: 'accounts:write' }),
    params,
    body: NewPostingTimes,
    response: { 200: PostingTimes },
    handler: ({ deps, caller, params, body, ifMatch }) => savePostingTimes(deps, caller, params.id, body, ifMatch),
  })
  route.get('/accounts/:id/queue', {
    operationId: 'readQueue',
    summary: 'Retrieve the queue of an account',
    description:
      'Returns the upcoming slots of the account, which are its posting times, each with the post at this time or free. A slot is free when no post is scheduled on the account in its minute, and no post in review is planned for it. Queued posts whose posting time was removed are listed at their times. `POST /posts` with `queue` takes the next free slot.',
    access: viewer({ scope: 'posts:read' }),
    params,
    query: QueueQuery,
    response: { 200: Queue },
    weight: 'large_list',
    handler: ({ deps, caller, params, query }) => readQueue(deps, caller, params.id, query),
  })
  route.post('/accounts/:id/queue/pause', {
    operationId: 'pauseQueue',
    summary: 'Pause the queue of an account',
    description:
      'Holds the queued posts of the account, and those that are added to its queue later. A post on several accounts waits while the queue of one of them is paused. Posts that were scheduled by hand are published at their times. A post of which something was sent already is finished. Returns the queue of the next 14 days.',
    access: editor({ scope: 'posts:write' }),
    params,
    response: { 200: Queue },
    handler: ({ deps, caller, params }) => pauseQueue(deps, caller, params.id),
  })
  route.post('/accounts/:id/queue/resume', {
    operationId: 'resumeQueue',
    summary: 'Resume the queue of an account',
    description:
      'Ends the pause. Posts whose slots have passed get the next free ones, and move the others behind them only as far as needed, so that all stay in their order. None moves to an earlier time. Returns the queue of the next 14 days.',
    access: editor({ scope: 'posts:write' }),
    params,
    response: { 200: Queue },
    handler: ({ deps, caller, params }) => resumeQueue(deps, caller, params.id),
  })
  route.post('/accounts/:id/queue/move', {
    operationId: 'moveInQueue',
    summary: 'Move a post within the queue',
    description:
      'Moves a queued post before another one. It takes the time of its new place, and the posts in between move by one place. Free slots and posts that were scheduled by hand stay, and so does a post whose slot has passed while it waits for the queue of another account. Returns the queue of the next 14 days.',
    access: editor({ scope: 'posts:write' }),
    params,
    body: MoveInQueue,
    response: { 200: Queue },
    handler: ({ deps, caller, params, body }) => moveInQueue(deps, caller, params.id, body),
  })
}
