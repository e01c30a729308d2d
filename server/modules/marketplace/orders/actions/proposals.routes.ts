import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../../lib/deps.ts'
import { admin } from '../../../../lib/http/access.ts'
import { routes } from '../../../../lib/http/route.ts'
import { idParams } from '../../../../lib/http/schema/schema.ts'
import { OrderView } from '../record/order-view.schema.ts'
import { ProposalInput, proposalParams } from './proposals.schema.ts'
import { acceptProposal, propose, rejectProposal, withdrawProposal } from './proposals.ts'

/** A proposal moves money when it is accepted. */
const access = admin({ token: false })
const response = { 200: OrderView }

export function proposalRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Marketplace')

  route.post('/marketplace/orders/:id/proposals', {
    operationId: 'proposeRefund',
    summary: 'Propose a refund',
    description:
      'By either side of an accepted order. The other side has 48 hours to accept or reject it. Without a reaction it expires and changes nothing. One proposal is open at a time.',
    access,
    params: idParams('order'),
    body: ProposalInput,
    response: { 201: OrderView },
    handler: ({ deps, caller, params, body }) => propose(deps, caller, params.id, body),
  })
  route.post('/marketplace/orders/:id/proposals/:proposal_id/accept', {
    operationId: 'acceptProposal',
    summary: 'Accept a proposal',
    description:
      'By the other side. The buyer gets the refund, and the seller the rest without the fee. A refund of all of the price cancels the order.',
    access,
    params: proposalParams,
    response,
    handler: ({ deps, caller, params }) => acceptProposal(deps, caller, params),
  })
  route.post('/marketplace/orders/:id/proposals/:proposal_id/reject', {
    operationId: 'rejectProposal',
    summary: 'Reject a proposal',
    description: 'By the other side. The order goes on.',
    access,
    params: proposalParams,
    response,
    handler: ({ deps, caller, params }) => rejectProposal(deps, caller, params),
  })
  route.post('/marketplace/orders/:id/proposals/:proposal_id/withdraw', {
    operationId: 'withdrawProposal',
    summary: 'Withdraw a proposal',
    description: 'By the side that made it.',
    access,
    params: proposalParams,
    response,
    handler: ({ deps, caller, params }) => withdrawProposal(deps, caller, params),
  })
}
