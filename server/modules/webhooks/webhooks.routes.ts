import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { PARTIAL_PAGES, Page, PageQuery, page } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import { admin, viewer } from '../../lib/http/access.ts'
import { routes } from '../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../lib/http/schema/schema.ts'
import {
  Attempt,
  Delivery,
  DeliveryDetail,
  DeliveryParams,
  deliveryFilters,
  Recovered,
  Recovery,
} from './delivery-log/deliveries.schema.ts'
import { listDeliveries, readDelivery } from './delivery-log/deliveries.ts'
import { recoverDeliveries, retryDelivery } from './delivery-log/redelivery.ts'
import { EventPage, EventQuery } from './event-feed/event-feed.schema.ts'
import { pollEvents } from './event-feed/event-feed.ts'
import { readStats } from './stats.ts'
import { testWebhook } from './test-event.ts'
import {
  CreatedWebhook,
  EventTypeInfo,
  NewWebhook,
  SecretRotation,
  StatsQuery,
  Webhook,
  WebhookChanges,
  WebhookStats,
} from './webhooks.schema.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listEventTypes,
  listWebhooks,
  readWebhook,
  rotateSecret,
} from './webhooks.ts'

export function webhookRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Webhooks')

  route.get('/webhooks', {
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Returns the webhooks of the workspace, newest first.',
    access: viewer({ scope: 'webhooks:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(Webhook) },
    handler: ({ db, deps, caller, query }) => page(listWebhooks(db, deps, caller), 'webhook.id', query),
  })
  route.get('/webhooks/event-types', {
    operationId: 'listEventTypes',
    summary: 'List event types',
    description: 'Returns every event type with the JSON Schema of its data and an example payload.',
    access: viewer({ scope: 'webhooks:read' }),
    response: { 200: Type.Object({ data: Type.Array(EventTypeInfo, { maxItems: 200 }) }) },
    handler: () => ({ data: listEventTypes() }),
  })
  route.get('/webhooks/:id', {
    operationId: 'readWebhook',
    summary: 'Retrieve a webhook',
    access: viewer({ scope: 'webhooks:read' }),
    params: idParams('webhook'),
    response: { 200: Webhook },
    handler: ({ db, deps, caller, params }) => readWebhook(db, deps, caller, params.id),
  })
  route.post('/webhooks', {
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'The response includes the signing secret. It is shown only once. A workspace can have at most 50 webhooks.',
    access: admin({ scope: 'webhooks:write' }),
    body: NewWebhook,
    response: { 201: CreatedWebhook },
    secrets: ['secret'],
    handler: ({ deps, caller, body, reply }) => {
      reply.header('cache-control', 'no-store')
      return createWebhook(deps, caller, body)
    },
  })
  route.patch('/webhooks/:id', {
    operationId: 'changeWebhook',
    summary: 'Update a webhook',
    description:
      'Set `active` to disable or enable the webhook. Enabling resets its failures. It does not send the deliveries held while the webhook was disabled: send them with `POST /webhooks/{id}/recover`. If the webhook has custom headers and `url` changes to another origin, `headers` is required; send `{}` to remove them.',
    access: admin({ scope: 'webhooks:write' }),
    params: idParams('webhook'),
    body: WebhookChanges,
    response: { 200: Webhook },
    handler: ({ deps, caller, params, body, ifMatch }) => changeWebhook(deps, caller, params.id, body, ifMatch),
  })
  route.delete('/webhooks/:id', {
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Deletes the webhook. Its pending deliveries are not sent.',
    access: admin({ scope: 'webhooks:write' }),
    params: idParams('webhook'),
    response: { 204: NoContent },
    handler: ({ db, caller, params }) => deleteWebhook(db, caller, params.id),
  })
  route.post('/webhooks/:id/test', {
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description:
      'Sends a `webhook.test` event immediately and returns the attempt. Works for a disabled webhook too. The attempt counts neither as a success nor as a failure of the webhook.',
    access: admin({ scope: 'webhooks:write' }),
    params: idParams('webhook'),
    response: { 200: Attempt },
    ownTransactions: true,
    handler: ({ deps, caller, params, complete }) => testWebhook(deps, caller, params.id, complete),
  })
  route.post('/webhooks/:id/rotate-secret', {
    operationId: 'rotateWebhookSecret',
    summary: "Rotate a webhook's secret",
    description:
      'Creates a new signing secret. The response includes it. It is shown only once. Until the overlap ends, `X-Service-Signature` is made with the previous secret, `X-Service-Signature-Next` with the new one, and `webhook-signature` contains both.',
    access: admin({ token: false }),
    params: idParams('webhook'),
    body: SecretRotation,
    response: { 200: CreatedWebhook },
    secrets: ['secret'],
    handler: ({ deps, caller, params, body, reply }) => {
      reply.header('cache-control', 'no-store')
      return rotateSecret(deps, caller, params.id, body)
    },
  })
  route.get('/webhooks/:id/deliveries', {
    operationId: 'listDeliveries',
    summary: 'List deliveries of a webhook',
    description: `Returns the deliveries of the last 30 days, or of fewer if the operator archives them earlier, newest first. ${PARTIAL_PAGES}`,
    access: viewer({ scope: 'webhooks:read' }),
    params: idParams('webhook'),
    query: Closed({ ...PageQuery, ...deliveryFilters }),
    response: { 200: Page(Delivery) },
    handler: ({ db, caller, params, query }) => listDeliveries(db, caller, params.id, query),
  })
  route.get('/webhooks/:id/deliveries/:delivery_id', {
    operationId: 'readDelivery',
    summary: 'Retrieve a delivery',
    description:
      'Returns the delivery with its body and its latest 50 attempts. Events of billing require the role admin, and `billing:read` of a token with scopes.',
    access: viewer({ scope: 'webhooks:read' }),
    params: DeliveryParams,
    response: { 200: DeliveryDetail },
    handler: ({ db, caller, params }) => readDelivery(db, caller, params),
  })
  route.post('/webhooks/:id/deliveries/:delivery_id/retry', {
    operationId: 'retryDelivery',
    summary: 'Retry a delivery',
    description:
      'Sends the delivery immediately. A waiting delivery keeps its remaining attempts. A failed, held or already delivered one gets one attempt. A delivery can have at most 1,000 attempts.',
    access: admin({ scope: 'webhooks:write' }),
    params: DeliveryParams,
    response: { 200: Delivery },
    handler: ({ deps, caller, params }) => retryDelivery(deps, caller, params),
  })
  route.post('/webhooks/:id/recover', {
    operationId: 'recoverWebhook',
    summary: 'Recover held and failed deliveries',
    description:
      'Queues the deliveries that are held or ran out of attempts, of events created since a time at most 30 days ago, or fewer if the operator archives them earlier. Each delivery gets the full retry schedule again. The webhook must be enabled.',
    access: admin({ scope: 'webhooks:write' }),
    params: idParams('webhook'),
    body: Recovery,
    response: { 200: Recovered },
    handler: ({ deps, caller, params, body }) => recoverDeliveries(deps, caller, params.id, body),
  })
  route.get('/webhooks/:id/stats', {
    operationId: 'readWebhookStats',
    summary: 'Retrieve delivery statistics of a webhook',
    description:
      'Returns the number of attempts in a period and the number of deliveries that are waiting, held or failed now.',
    access: viewer({ scope: 'webhooks:read' }),
    params: idParams('webhook'),
    query: StatsQuery,
    response: { 200: WebhookStats },
    handler: ({ deps, caller, params, query }) => readStats(deps, caller, params.id, query),
  })
  route.get('/events', {
    operationId: 'listEvents',
    summary: 'List events',
    description:
      'For clients that cannot receive webhooks. Returns the events of the last 30 days, or of fewer if the operator archives them earlier, oldest first. Store `next_cursor` and pass it to the next call; events that commit late are not skipped. Events of billing are returned to admins, and to tokens with scopes that have `billing:read`.',
    access: viewer({ scope: 'webhooks:read' }),
    query: EventQuery,
    response: { 200: EventPage },
    handler: ({ deps, caller, query }) => pollEvents(deps, caller, query),
  })
}
