import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { admin, viewer } from '../../lib/access.ts'
import { Page, PageQuery, page } from '../../lib/page.ts'
import { routes } from '../../lib/route.ts'
import { Closed, IdParams, NoContent } from '../../lib/schema.ts'
import { Attempt, CreatedWebhook, EventTypeInfo, NewWebhook, Webhook } from './webhooks.schema.ts'
import { createWebhook, deleteWebhook, listEventTypes, listWebhooks, readWebhook, testWebhook } from './webhooks.ts'

export function webhookRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Webhooks')

  route.get('/webhooks', {
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    access: viewer({ scope: 'webhooks:read' }),
    query: Closed(PageQuery),
    response: { 200: Page(Webhook) },
    handler: ({ db, caller, query }) => page(listWebhooks(db, caller), 'webhook.id', query),
  })
  route.get('/webhooks/event-types', {
    operationId: 'listEventTypes',
    summary: 'List the event types, each with the schema of its data',
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
    handler: ({ db, caller, params }) => readWebhook(db, caller, params.id),
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
    access: admin({ scope: 'webhooks:write' }),
    params: IdParams,
    response: { 200: Attempt },
    ownTransactions: true,
    handler: ({ deps, caller, params }) => testWebhook(deps, caller, params.id),
  })
}
