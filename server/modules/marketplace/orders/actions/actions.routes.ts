import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../../lib/deps.ts'
import { admin, user } from '../../../../lib/http/access.ts'
import { routes } from '../../../../lib/http/route.ts'
import { idParams } from '../../../../lib/http/schema/schema.ts'
import { CancelInput, OrderView, RequirementsInput, RevisionInput } from '../record/order-view.schema.ts'
import { acceptOrder, cancelOrder, completeOrder, requestRevision, submitRequirements } from './actions.ts'

const write = admin({ scope: 'orders:write' })
/** Moves money. */
const session = admin({ token: false })
const params = idParams('order')
const response = { 200: OrderView }

export function orderActionRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')

  route.patch('/marketplace/orders/:id/accept', {
    operationId: 'acceptOrder',
    summary: 'Accept an order',
    description: 'By the seller. The time of delivery starts, and starts again when requirements come later.',
    access: write,
    params,
    response,
    handler: ({ deps, caller, params, ifMatch }) => acceptOrder(deps, caller, params.id, ifMatch),
  })
  route.patch('/marketplace/orders/:id/cancel', {
    operationId: 'cancelOrder',
    summary: 'Cancel an order',
    description:
      'Refunds all of the price. The seller cancels until the order is completed; before the acceptance, this declines it. The buyer cancels before the acceptance, and from a day after the delivery was due.',
    access: session,
    params,
    body: CancelInput,
    response,
    handler: ({ deps, caller, params, body, ifMatch }) => cancelOrder(deps, caller, params.id, body, ifMatch),
  })
  route.patch('/marketplace/orders/:id/complete', {
    operationId: 'completeOrder',
    summary: 'Complete an order',
    description:
      'By an admin of the buyer, or by an instance admin: accepts the delivery, and releases the payout of the seller. Needs no `X-Workspace-Id`.',
    access: user({ token: false }),
    params,
    response,
    handler: ({ deps, caller, params, ifMatch }) => completeOrder(deps, caller, params.id, ifMatch),
  })
  route.post('/marketplace/orders/:id/requirements', {
    operationId: 'submitOrderRequirements',
    summary: 'Send the requirements of an order',
    description:
      'By the buyer. Replaces the requirements until the order is accepted. The first ones after that start the time of delivery again.',
    access: write,
    params,
    body: RequirementsInput,
    response,
    handler: ({ deps, caller, params, body }) => submitRequirements(deps, caller, params.id, body),
  })
  route.post('/marketplace/orders/:id/revision', {
    operationId: 'requestOrderRevision',
    summary: 'Request a revision',
    description: 'By the buyer, while revisions are left. The seller gets the days of the order again.',
    access: write,
    params,
    body: RevisionInput,
    response,
    handler: ({ deps, caller, params, body }) => requestRevision(deps, caller, params.id, body),
  })
}
