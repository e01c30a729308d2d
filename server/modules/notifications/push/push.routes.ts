import type { FastifyInstance } from 'fastify'
import { Page, PageQuery, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { user } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import { readPushKey } from './push-key.ts'
import { NewPushSubscription, PushKey, PushSubscription } from './subscriptions.schema.ts'
import { listSubscriptions, subscribe, unsubscribe } from './subscriptions.ts'

export function pushRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Notifications')
  const access = user({ token: false })

  route.get('/me/push-key', {
    operationId: 'readPushKey',
    summary: 'Retrieve the key that browsers subscribe with',
    description:
      'Returns the public half of the key pair with which this installation signs its calls to push services.',
    access,
    response: { 200: PushKey },
    handler: ({ deps }) => readPushKey(deps),
  })
  route.get('/me/push-subscriptions', {
    operationId: 'listPushSubscriptions',
    summary: 'List the browsers to which your notifications are pushed',
    access,
    query: Closed(PageQuery),
    response: { 200: Page(PushSubscription) },
    handler: ({ db, caller, query }) => page(listSubscriptions(db, caller), 'push_subscription.id', query),
  })
  route.post('/me/push-subscriptions', {
    operationId: 'createPushSubscription',
    summary: 'Push your notifications to this browser',
    description:
      'Stores what `PushManager.subscribe` of the browser returned. It ends with the session, and replaces an earlier one of the session or with the same endpoint.',
    access,
    body: NewPushSubscription,
    response: { 201: PushSubscription },
    handler: ({ deps, caller, body }) => subscribe(deps, caller, body),
  })
  route.delete('/me/push-subscriptions/:id', {
    operationId: 'deletePushSubscription',
    summary: 'Stop pushing your notifications to a browser',
    access,
    params: idParams('push_subscription'),
    response: { 204: NoContent },
    handler: ({ db, caller, params }) => unsubscribe(db, caller, params.id),
  })
}
