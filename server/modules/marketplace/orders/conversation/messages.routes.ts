import type { FastifyInstance } from 'fastify'
import { Page } from '../../../../lib/db/page.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { admin, viewer } from '../../../../lib/http/access.ts'
import { routes } from '../../../../lib/http/route.ts'
import { idParams } from '../../../../lib/http/schema/schema.ts'
import { Message, MessageInput, MessageQuery, ReadInput, ReadResult } from './messages.schema.ts'
import { listMessages, readMessages, sendMessage } from './messages.ts'

const params = idParams('order')

export function messageRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')

  route.get('/marketplace/orders/:id/messages', {
    operationId: 'listOrderMessages',
    summary: 'List the messages of an order',
    description: 'Returns messages of both sides and of instance admins, and what happened on the order, newest first.',
    access: viewer({ scope: 'orders:read' }),
    params,
    query: MessageQuery,
    response: { 200: Page(Message) },
    handler: ({ db, caller, params, query }) => listMessages(db, caller, params.id, query),
  })
  route.post('/marketplace/orders/:id/messages', {
    operationId: 'sendOrderMessage',
    summary: 'Send a message',
    description:
      'Sends a message to the other side of a paid order. The other side gets one e-mail an hour about messages, at most.',
    access: admin({ scope: 'orders:write' }),
    params,
    body: MessageInput,
    response: { 201: Message },
    handler: ({ deps, caller, params, body }) => sendMessage(deps, caller, params.id, body),
  })
  route.post('/marketplace/orders/:id/messages/read', {
    operationId: 'markOrderMessagesRead',
    summary: 'Mark messages as read',
    description: 'Marks the messages up to one of them as read by your side.',
    access: admin({ scope: 'orders:write' }),
    params,
    body: ReadInput,
    response: { 200: ReadResult },
    handler: ({ deps, caller, params, body }) => readMessages(deps, caller, params.id, body),
  })
}
