import type { FastifyInstance } from 'fastify'
import { Page } from '../../../../lib/db/page.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { instanceAdmin } from '../../../../lib/http/access.ts'
import { routes } from '../../../../lib/http/route.ts'
import { idParams } from '../../../../lib/http/schema/schema.ts'
import { listOrderRefunds, markRefundPaid, retryOrderRefund } from './admin-refunds.ts'
import { OrderRefund, OrderRefundQuery, PaidRefund } from './refunds.schema.ts'

export function orderRefundRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')
  const access = instanceAdmin()
  const params = idParams('order')

  route.get('/admin/marketplace/refunds', {
    operationId: 'listOrderRefunds',
    summary: 'List refunds of orders',
    description:
      'Returns the orders whose buyers get money back. A `pending` one with `is_manual` waits for an instance admin, and so does a `failed` one.',
    access,
    query: OrderRefundQuery,
    response: { 200: Page(OrderRefund) },
    handler: ({ db, query }) => listOrderRefunds(db, query),
  })
  route.post('/admin/marketplace/refunds/:id/paid', {
    operationId: 'markOrderRefundPaid',
    summary: 'Note that a refund was paid by hand',
    description:
      'Notes that the owed amount was returned to the buyer, such as by a transfer. `id` is that of the order. A repeated call changes nothing.',
    access,
    params,
    body: PaidRefund,
    response: { 200: OrderRefund },
    handler: ({ deps, caller, params, body }) => markRefundPaid(deps, caller, params.id, body),
  })
  route.post('/admin/marketplace/refunds/:id/retry', {
    operationId: 'retryOrderRefund',
    summary: 'Retry a failed refund',
    description: 'Asks the payment provider again. `id` is that of the order.',
    access,
    params,
    response: { 200: OrderRefund },
    handler: ({ deps, caller, params }) => retryOrderRefund(deps, caller, params.id),
  })
}
