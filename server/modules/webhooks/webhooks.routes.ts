import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { admin, viewer } from '../../lib/access.ts'
import { Page, PageQuery, page } from '../../lib/page.ts'
import { routes } from '../../lib/route.ts'
import { Closed, IdParams, NoContent } from '../../lib/schema.ts'
import { listDeliveries, readDelivery } from './deliveries.ts'
import { pollEvents } from './polling.ts'
import { recoverDeliveries, retryDelivery } from './resending.ts'
import { readStats } from './stats.ts'
import { testWebhook } from './testing.ts'
import {
  Attempt,
  CreatedWebhook,
  Delivery,
  DeliveryDetail,
  DeliveryParams,
  deliveryFilters,
  EventPage,
  EventQuery,
  EventTypeInfo,
  NewWebhook,
  Recovered,
  Recovery,
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
    access: viewer({ scope: 'webhooks:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(Webhook) },
    handler: ({ deps, caller, query }) => page(listWebhooks(deps, caller), 'webhook.id', query),
  })
  route.get('/webhooks/event-types', {
    operationId: 'listEventTypes',
    summary: 'List the event types, each with the schema of its data and an example',
    access: viewer({ scope: 'webhooks:read' }),
    response: { 200: Type.Object({ data: Type.Array(EventTypeInfo, { maxItems: 200 }) }) },
    handler: () => ({ data: listEventTypes() }),
  })
  route.get('/webhooks/:id', {
    operationId: 'readWebhook',
    summary: 'Read one webhook',
    access: viewer({ scope: 'webhooks:read' }),
    params: IdParams,
    response: { 200: Webhook },
    handler: ({ deps, caller, params }) => readWebhook(deps, caller, params.id),
  })
  route.post('/webhooks', {
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description: 'The answer carries the secret that signatures are made with, this once.',
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
    summary: 'Change a webhook, disable it or enable it again',
    description:
      'Enabling sets its failures back and sends nothing by itself: what was held meanwhile is sent by `recover`. Headers are for the receiver that they were given for: when there are some and `url` changes to another origin, `headers` has to be there as well, {} for none.',
    access: admin({ scope: 'webhooks:write' }),
    params: IdParams,
    body: WebhookChanges,
    response: { 200: Webhook },
    handler: ({ deps, caller, params, body, ifMatch }) => changeWebhook(deps, caller, params.id, body, ifMatch),
  })
  route.delete('/webhooks/:id', {
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook and what was still to be sent to it',
    access: admin({ scope: 'webhooks:write' }),
    params: IdParams,
    response: { 204: NoContent },
    handler: ({ db, caller, params }) => deleteWebhook(db, caller, params.id),
  })
  route.post('/webhooks/:id/test', {
    operationId: 'testWebhook',
    summary: 'Send a test event at once and return the attempt',
    description: 'It goes to a disabled webhook, too, and counts neither as a failure nor as a success.',
    access: admin({ scope: 'webhooks:write' }),
    params: IdParams,
    response: { 200: Attempt },
    ownTransactions: true,
    handler: ({ deps, caller, params, complete }) => testWebhook(deps, caller, params.id, complete),
  })
  route.post('/webhooks/:id/rotate-secret', {
    operationId: 'rotateWebhookSecret',
    summary: 'Make a new secret',
    description:
      'During the overlap `X-Service-Signature` stays on the former secret, `X-Service-Signature-Next` carries the new one and `webhook-signature` both. The answer carries the new secret, this once.',
    access: admin({ token: false }),
    params: IdParams,
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
    summary: 'List what was, is and was not delivered in the last 30 days',
    access: viewer({ scope: 'webhooks:read' }),
    params: IdParams,
    query: Closed({ ...PageQuery, ...deliveryFilters }),
    response: { 200: Page(Delivery) },
    handler: ({ db, caller, params, query }) => listDeliveries(db, caller, params.id, query),
  })
  route.get('/webhooks/:id/deliveries/:delivery_id', {
    operationId: 'readDelivery',
    summary: 'Read one delivery with its body and attempts',
    access: viewer({ scope: 'webhooks:read' }),
    params: DeliveryParams,
    response: { 200: DeliveryDetail },
    handler: ({ db, caller, params }) => readDelivery(db, caller, params),
  })
  route.post('/webhooks/:id/deliveries/:delivery_id/retry', {
    operationId: 'retryDelivery',
    summary: 'Send a delivery again',
    description:
      'At once: what waits does not wait longer, what failed or was held gets one attempt, what was delivered is sent again.',
    access: admin({ scope: 'webhooks:write' }),
    params: DeliveryParams,
    response: { 200: Delivery },
    handler: ({ deps, caller, params }) => retryDelivery(deps, caller, params),
  })
  route.post('/webhooks/:id/recover', {
    operationId: 'recoverWebhook',
    summary: 'Send what was held or ran out of attempts since a time',
    description: 'Each gets the whole schedule of attempts again.',
    access: admin({ scope: 'webhooks:write' }),
    params: IdParams,
    body: Recovery,
    response: { 200: Recovered },
    handler: ({ deps, caller, params, body }) => recoverDeliveries(deps, caller, params.id, body),
  })
  route.get('/webhooks/:id/stats', {
    operationId: 'readWebhookStats',
    summary: 'Count the attempts of a period, and what waits now',
    access: viewer({ scope: 'webhooks:read' }),
    params: IdParams,
    query: StatsQuery,
    response: { 200: WebhookStats },
    handler: ({ deps, caller, params, query }) => readStats(deps, caller, params.id, query),
  })
  route.get('/events', {
    operationId: 'listEvents',
    summary: 'Poll the events of the last 30 days, the oldest first',
    description:
      'For who cannot be called: keep `next_cursor` and come back with it. Nothing is left out, also of what is committed late.',
    access: viewer({ scope: 'webhooks:read' }),
    query: EventQuery,
    response: { 200: EventPage },
    handler: ({ deps, caller, query }) => pollEvents(deps, caller, query),
  })
}
