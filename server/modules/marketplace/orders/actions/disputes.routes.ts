import type { FastifyInstance } from 'fastify'
import { Page } from '../../../../lib/db/page.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { admin, instanceAdmin } from '../../../../lib/http/access.ts'
import { routes } from '../../../../lib/http/route.ts'
import { idParams } from '../../../../lib/http/schema/schema.ts'
import { AdminMessageInput, Message } from '../conversation/messages.schema.ts'
import { OrderView } from '../record/order-view.schema.ts'
import { DisputeDetail, DisputeInput, DisputeQuery, DisputeSummary, Resolution } from './disputes.schema.ts'
import { openDispute, withdrawDispute } from './disputes.ts'
import { listDisputes, readDispute, resolveDispute, writeInDispute } from './resolve-dispute.ts'

const access = admin({ scope: 'orders:write' })

export function disputeRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')

  route.post('/marketplace/orders/:id/dispute', {
    operationId: 'openDispute',
    summary: 'Open a dispute',
    description:
      'Either side of an accepted order can open a dispute. An instance admin decides who gets which part of the price. Until then, nothing happens by itself. The buyer of a completed order can open one until `dispute_until`: the order stays `completed`, and the payout of the seller is held.',
    access,
    params: idParams('order'),
    body: DisputeInput,
    response: { 200: OrderView },
    handler: ({ deps, caller, params, body }) => openDispute(deps, caller, params.id, body),
  })
  route.post('/marketplace/orders/:id/dispute/withdraw', {
    operationId: 'withdrawDispute',
    summary: 'Withdraw a dispute',
    description:
      'The side that opened the dispute withdraws it. The order goes on with the time that was left; a completed one stays completed.',
    access,
    params: idParams('order'),
    response: { 200: OrderView },
    handler: ({ deps, caller, params }) => withdrawDispute(deps, caller, params.id),
  })
  route.get('/admin/marketplace/disputes', {
    operationId: 'listDisputes',
    summary: 'List disputes',
    description: 'Returns the disputes of all orders, newest first.',
    access: instanceAdmin(),
    query: DisputeQuery,
    response: { 200: Page(DisputeSummary) },
    handler: ({ db, query }) => listDisputes(db, query),
  })
  route.get('/admin/marketplace/disputes/:id', {
    operationId: 'readDispute',
    summary: 'Retrieve a dispute',
    description: 'Returns the dispute with its order, all deliveries, and the last 100 messages.',
    access: instanceAdmin(),
    params: idParams('dispute'),
    response: { 200: DisputeDetail },
    handler: ({ db, params }) => readDispute(db, params.id),
  })
  route.post('/admin/marketplace/disputes/:id/messages', {
    operationId: 'writeInDispute',
    summary: 'Write to both sides of a dispute',
    access: instanceAdmin(),
    params: idParams('dispute'),
    body: AdminMessageInput,
    response: { 201: Message },
    handler: ({ deps, caller, params, body }) => writeInDispute(deps, caller, params.id, body),
  })
  route.post('/admin/marketplace/disputes/:id/resolve', {
    operationId: 'resolveDispute',
    summary: 'Resolve a dispute',
    description:
      'Refunds a part of the price, or none of it, and completes the order; a refund of all of the price cancels it. An order that was completed before stays completed: the refund is taken from the earnings of the seller and the fee, and what was paid out already is owed by the seller. Both sides are mailed.',
    access: instanceAdmin(),
    params: idParams('dispute'),
    body: Resolution,
    response: { 200: DisputeDetail },
    handler: ({ deps, caller, params, body }) => resolveDispute(deps, caller, params.id, body),
  })
}
