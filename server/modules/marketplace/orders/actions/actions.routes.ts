import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../../lib/deps.ts'
import { admin, user } from '../../../../lib/http/access.ts'
import { FileResponse } from '../../../../lib/http/response/send-file.ts'
import { routes } from '../../../../lib/http/route.ts'
import { Closed, idOf, idParams } from '../../../../lib/http/schema/schema.ts'
import { serveOrderFile } from '../record/order-files.ts'
import { OrderView } from '../record/order-view.schema.ts'
import {
  CancelInput,
  DeliveryInput,
  ProposalInput,
  proposalParams,
  RequirementsInput,
  RevisionInput,
} from './actions.schema.ts'
import { acceptOrder, cancelOrder, completeOrder, requestRevision, submitRequirements } from './actions.ts'
import { deliverOrder } from './deliver.ts'
import { acceptProposal, propose, rejectProposal, withdrawProposal } from './proposals.ts'

const write = admin({ scope: 'orders:write' })
/** For actions that move money, and the proposals that lead to it. */
const session = admin({ token: false })
const params = idParams('order')
const response = { 200: OrderView }

export function orderActionRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')

  route.patch('/marketplace/orders/:id/accept', {
    operationId: 'acceptOrder',
    summary: 'Accept an order',
    description: 'The seller accepts. The time of delivery starts, and starts again when requirements come later.',
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
      'Accepts the delivery, and releases the payout of the seller. Allowed to admins of the buyer and to instance admins. Needs no `X-Workspace-Id`.',
    access: user({ token: false }),
    params,
    response,
    handler: ({ deps, caller, params, ifMatch }) => completeOrder(deps, caller, params.id, ifMatch),
  })
  route.post('/marketplace/orders/:id/requirements', {
    operationId: 'submitOrderRequirements',
    summary: 'Send the requirements of an order',
    description:
      'The buyer sends requirements. They replace earlier ones until the order is accepted. The first ones after that start the time of delivery again.',
    access: write,
    params,
    body: RequirementsInput,
    response,
    handler: ({ deps, caller, params, body }) => submitRequirements(deps, caller, params.id, body),
  })
  route.post('/marketplace/orders/:id/revision', {
    operationId: 'requestOrderRevision',
    summary: 'Request a revision',
    description: 'The buyer asks for changes, while revisions are left. The seller gets the days of the order again.',
    access: write,
    params,
    body: RevisionInput,
    response,
    handler: ({ deps, caller, params, body }) => requestRevision(deps, caller, params.id, body),
  })
}

export function deliveryRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')

  route.patch('/marketplace/orders/:id/deliver', {
    operationId: 'deliverOrder',
    summary: 'Deliver an order',
    description:
      'The seller delivers. Texts and links are copied as they are now, and files can no longer be deleted. Another delivery replaces it, and the buyer has the full time to react again. Repeating the same delivery is 409.',
    access: write,
    params,
    body: DeliveryInput,
    response,
    handler: ({ deps, caller, params, body, ifMatch }) => deliverOrder(deps, caller, params.id, body, ifMatch),
  })
  route.get('/marketplace/orders/:id/files/:media_id', {
    operationId: 'downloadOrderFile',
    summary: 'Download a file of an order',
    description:
      'Returns a file of a delivery or message to both sides, and to instance admins during a dispute. Supports `Range` and `If-None-Match`. Needs no `X-Workspace-Id`.',
    access: user({ scope: 'orders:read' }),
    params: Closed({ id: idOf('order'), media_id: idOf('media', 'Id of the file.') }),
    response: { 200: FileResponse },
    instead: { 'image/*': 'An image.', 'video/*': 'A video.', 'application/*': 'A document.' },
    handler: ({ deps, caller, params }) => serveOrderFile(deps, caller, params),
  })
}

export function proposalRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')

  route.post('/marketplace/orders/:id/proposals', {
    operationId: 'proposeRefund',
    summary: 'Propose a refund',
    description:
      'Either side of an accepted order can propose a refund. The other side has 48 hours to accept or reject it. Without a reaction it expires and changes nothing. One proposal is open at a time.',
    access: session,
    params,
    body: ProposalInput,
    response: { 201: OrderView },
    handler: ({ deps, caller, params, body }) => propose(deps, caller, params.id, body),
  })
  route.post('/marketplace/orders/:id/proposals/:proposal_id/accept', {
    operationId: 'acceptProposal',
    summary: 'Accept a proposal',
    description:
      'The other side accepts. The buyer gets the refund, and the seller the rest without the fee. A refund of the whole price cancels the order.',
    access: session,
    params: proposalParams,
    response,
    handler: ({ deps, caller, params }) => acceptProposal(deps, caller, params),
  })
  route.post('/marketplace/orders/:id/proposals/:proposal_id/reject', {
    operationId: 'rejectProposal',
    summary: 'Reject a proposal',
    description: 'The other side rejects. The order goes on.',
    access: session,
    params: proposalParams,
    response,
    handler: ({ deps, caller, params }) => rejectProposal(deps, caller, params),
  })
  route.post('/marketplace/orders/:id/proposals/:proposal_id/withdraw', {
    operationId: 'withdrawProposal',
    summary: 'Withdraw a proposal',
    description: 'The side that made the proposal withdraws it.',
    access: session,
    params: proposalParams,
    response,
    handler: ({ deps, caller, params }) => withdrawProposal(deps, caller, params),
  })
}
