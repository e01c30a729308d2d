import type { FastifyInstance } from 'fastify'
import { Page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { instanceAdmin } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams } from '../../../lib/http/schema/schema.ts'
import { toMajor, toMinor } from '../../../lib/money.ts'
import { refundInvoice } from '../payments/refunds.ts'
import { approvePaymentRequest, listPaymentRequests, rejectPaymentRequest } from '../processes/payment-requests.ts'
import {
  AdminSubscription,
  Approval,
  BillingOverview,
  Extension,
  PaymentRequest,
  PaymentRequestQuery,
  Refund,
  RefundInput,
  Rejection,
  SubscriptionQuery,
} from './admin.schema.ts'
import { readOverview } from './overview.ts'
import { expireSubscription, extendSubscription, listSubscriptions, readSubscriptionForAdmin } from './subscriptions.ts'

export function billingAdminRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Billing')
  const access = instanceAdmin()

  route.get('/admin/payment-requests', {
    operationId: 'listPaymentRequests',
    summary: 'List payment requests',
    description: 'Returns the newest first.',
    access,
    query: PaymentRequestQuery,
    response: { 200: Page(PaymentRequest) },
    handler: ({ db, query }) => listPaymentRequests(db, query),
  })
  route.post('/admin/payment-requests/:id/approve', {
    operationId: 'approvePaymentRequest',
    summary: 'Approve a payment request',
    description:
      'Confirms that the money arrived: the subscription begins or is renewed. Approving again changes nothing.',
    access,
    params: idParams('payment_request'),
    body: Approval,
    response: { 200: PaymentRequest },
    handler: ({ db, deps, caller, params, body }) => approvePaymentRequest({ ...deps, db }, caller, params.id, body),
  })
  route.post('/admin/payment-requests/:id/reject', {
    operationId: 'rejectPaymentRequest',
    summary: 'Reject a payment request',
    access,
    params: idParams('payment_request'),
    body: Rejection,
    response: { 200: PaymentRequest },
    handler: ({ db, deps, caller, params, body }) => rejectPaymentRequest({ ...deps, db }, caller, params.id, body),
  })
  route.get('/admin/subscriptions', {
    operationId: 'listSubscriptions',
    summary: 'List subscriptions',
    description: 'Returns the subscriptions of all workspaces, the newest first.',
    access,
    query: SubscriptionQuery,
    response: { 200: Page(AdminSubscription) },
    handler: ({ deps, query }) => listSubscriptions(deps, query),
  })
  route.get('/admin/subscriptions/:id', {
    operationId: 'readSubscriptionForAdmin',
    summary: 'Retrieve a subscription of any workspace',
    access,
    params: idParams('subscription'),
    response: { 200: AdminSubscription },
    handler: ({ deps, params }) => readSubscriptionForAdmin(deps, params.id),
  })
  route.post('/admin/subscriptions/:id/extend', {
    operationId: 'extendSubscription',
    summary: 'Extend a subscription',
    description: 'Adds days to the current period, without a payment. A past due subscription becomes active.',
    access,
    params: idParams('subscription'),
    body: Extension,
    response: { 200: AdminSubscription },
    handler: ({ db, deps, caller, params, body }) => extendSubscription({ ...deps, db }, caller, params.id, body),
  })
  route.post('/admin/subscriptions/:id/expire', {
    operationId: 'expireSubscription',
    summary: 'End a subscription now',
    description: 'Ends it here and at its provider, without a refund.',
    access,
    params: idParams('subscription'),
    response: { 200: AdminSubscription },
    handler: ({ db, deps, caller, params }) => expireSubscription({ ...deps, db }, caller, params.id),
  })
  route.get('/admin/billing/overview', {
    operationId: 'readBillingOverview',
    summary: 'Retrieve figures about billing',
    access,
    response: { 200: BillingOverview },
    handler: ({ db, deps }) => readOverview(db, deps.clock.now()),
  })
  route.post('/admin/invoices/:id/refund', {
    operationId: 'refundInvoice',
    summary: 'Refund an invoice',
    description:
      'Refunds a paid invoice, wholly or in part, through its provider. A credit note follows when the refund succeeded. A payment by hand counts as paid back.',
    access,
    params: idParams('invoice'),
    body: RefundInput,
    response: { 200: Refund },
    handler: async ({ db, deps, caller, params, body }) => {
      const amount = body.amount === undefined ? null : toMinor(body.amount, '/amount')
      const refund = await refundInvoice({ ...deps, db }, caller.user_id, params.id, { amount, reason: body.reason })
      return { ...refund, amount: toMajor(refund.amount) }
    },
  })
}
