import type { FastifyInstance } from 'fastify'
import { inTransaction } from '../../../lib/db/database.ts'
import { Page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { admin, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams } from '../../../lib/http/schema/schema.ts'
import { countOrders } from './count-orders.ts'
import { createOrder } from './create-order.ts'
import { listOrders, readOrder } from './read-orders.ts'
import { OrderView } from './record/order-view.schema.ts'
import { NewOrder, Order, OrderCounts, OrderQuery } from './record/orders.schema.ts'
import { withdrawOrder } from './withdraw-order.ts'

const read = viewer({ scope: 'orders:read' })

export function orderRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')

  route.post('/marketplace/orders', {
    operationId: 'createOrder',
    summary: 'Order a gig',
    description:
      'Orders a gig for the workspace, on the terms of the gig as they are now. The response has the checkout to pay; the seller can accept the order once it is paid. The same order again, while the first waits for its payment, returns the first with 200. It also waits for the payment for at most as long as its checkout is open.',
    access: admin({ token: false }),
    body: NewOrder,
    response: { 201: Order, 200: Order },
    ownTransactions: true,
    handler: async ({ deps, caller, body, complete, reply }) => {
      const { order, isNew } = await createOrder(deps, caller, body)
      reply.code(isNew ? 201 : 200)
      await inTransaction(deps.db, (tx) => complete(tx, order))
      return order
    },
  })
  route.get('/marketplace/orders', {
    operationId: 'listOrders',
    summary: 'List orders',
    description: 'Returns the orders of the workspace as a buyer, and those of the caller as a seller, newest first.',
    access: read,
    query: OrderQuery,
    response: { 200: Page(OrderView) },
    handler: ({ deps, caller, query }) => listOrders(deps, caller, query),
  })
  route.get('/marketplace/orders/counts', {
    operationId: 'countOrders',
    summary: 'Count orders that wait',
    description: 'Counts the newest 100 orders of the workspace as a buyer, and those of the caller as a seller.',
    access: read,
    response: { 200: OrderCounts },
    handler: ({ db, caller }) => countOrders(db, caller),
  })
  route.get('/marketplace/orders/:id', {
    operationId: 'readOrder',
    summary: 'Retrieve an order',
    access: read,
    params: idParams('order'),
    response: { 200: OrderView },
    handler: ({ deps, caller, params }) => readOrder(deps, caller, params.id),
  })
  route.post('/marketplace/orders/:id/withdraw', {
    operationId: 'withdrawOrder',
    summary: 'Withdraw an order',
    description: 'Ends an order that the seller has not accepted, for the buyer. What was paid is returned.',
    access: admin({ token: false }),
    params: idParams('order'),
    response: { 200: Order },
    handler: ({ deps, caller, params, ifMatch }) => withdrawOrder(deps, caller, params.id, ifMatch),
  })
}
