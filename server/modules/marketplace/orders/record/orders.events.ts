import { Type } from 'typebox'
import { declareEvents, exampleTime, exampleWorkspaceId } from '../../../../lib/events/event-type.ts'
import { exampleBy } from '../../../auth/event-actor.ts'
import { Order, OrderParty } from './orders.schema.ts'

const order = {
  id: '01995c07-1c3d-7e52-8a94-5d0f6b7c8e21',
  gig_id: '01995b10-77aa-7c31-b0e2-1f9a8d7c6b54',
  title: 'Ten posts for your café',
  status: 'pending',
  buyer: { user_id: exampleBy.id, workspace_id: exampleWorkspaceId, workspace_name: 'Bakery' },
  seller: {
    user_id: '01993b2e-0c4f-7f16-a2d8-7e6c5b4a3f10',
    workspace_id: '01993b30-5d2a-7b90-8c1e-2f4a6b8d0c35',
    name: 'Deniz Kaya',
    handle: 'deniz',
  },
  price: 499.9,
  currency: 'TRY',
  platform_fee: 49.99,
  seller_payout: 449.91,
  earned: 449.91,
  delivery_days: 5,
  revisions_allowed: 2,
  revisions_used: 0,
  requirements: 'Warm colors, and our logo in a corner.',
  requirements_at: exampleTime,
  contract: null,
  paid_at: exampleTime,
  accept_by: '2026-03-05T09:30:00.412Z',
  accepted_at: null,
  due_at: null,
  delivered_at: null,
  auto_complete_at: null,
  disputed_at: null,
  completed_at: null,
  dispute_until: null,
  clears_at: null,
  canceled_at: null,
  canceled_by: null,
  cancel_reason: null,
  refund_amount: 0,
  refund_status: null,
  checkout: null,
  created_at: exampleTime,
  updated_at: exampleTime,
}

const accepted = {
  status: 'in_progress',
  accept_by: null,
  accepted_at: exampleTime,
  due_at: '2026-03-07T09:30:00.412Z',
}
const delivered = {
  ...accepted,
  status: 'delivered',
  delivered_at: exampleTime,
  auto_complete_at: '2026-03-09T09:30:00.412Z',
  contract: {
    posts: [{ post_id: null, media_id: null, url: 'https://example.com/drafts', content: null, files: [], links: [] }],
    notes: 'Ten drafts, one for each weekday.',
  },
}

export const orderEvents = declareEvents({
  'marketplace.order.created': {
    description:
      'An order was paid. The seller accepts it until `accept_by`. Sent to both workspaces, as all events of orders.',
    data: Type.Object({ order: Order }),
    example: { order },
  },
  'marketplace.order.accepted': {
    description: 'The seller accepted an order, and delivers until `due_at`.',
    data: Type.Object({ order: Order }),
    example: { order: { ...order, ...accepted } },
  },
  'marketplace.order.delivered': {
    description: 'The seller delivered. The order completes at `auto_complete_at` unless the buyer acts.',
    data: Type.Object({ order: Order }),
    example: { order: { ...order, ...delivered } },
  },
  'marketplace.order.revision_requested': {
    description: 'The buyer requested a revision of the delivery.',
    data: Type.Object({
      order: Order,
      reason: Type.String({ maxLength: 5000, description: 'Changes that the buyer wants.' }),
    }),
    example: {
      order: { ...order, ...delivered, status: 'in_progress', auto_complete_at: null, revisions_used: 1 },
      reason: 'The second picture shows our old shop.',
    },
  },
  'marketplace.order.completed': {
    description: 'An order was completed, and the payout of the seller is released.',
    data: Type.Object({ order: Order }),
    example: {
      order: {
        ...order,
        ...delivered,
        status: 'completed',
        auto_complete_at: null,
        completed_at: exampleTime,
        dispute_until: '2026-03-09T09:30:00.412Z',
        clears_at: '2026-03-16T09:30:00.412Z',
      },
    },
  },
  'marketplace.order.canceled': {
    description: 'An order was canceled. `refund_amount` is returned to the buyer.',
    data: Type.Object({ order: Order }),
    example: {
      order: {
        ...order,
        ...{
          status: 'canceled',
          accept_by: null,
          canceled_at: exampleTime,
          canceled_by: 'seller',
          cancel_reason: 'I am fully booked.',
        },
        ...{ refund_amount: 499.9, refund_status: 'pending', earned: 0 },
      },
    },
  },
  'marketplace.order.disputed': {
    description:
      'One side opened a dispute. Its time limits rest until an instance admin decides. An order that was `completed` stays so, and the payout of the seller is held.',
    data: Type.Object({ order: Order, opened_by: OrderParty, reason: Type.String({ maxLength: 5000 }) }),
    example: {
      order: { ...order, ...delivered, status: 'disputed', auto_complete_at: null, disputed_at: exampleTime },
      opened_by: 'buyer',
      reason: 'Only half of the posts were delivered.',
    },
  },
  'marketplace.order.dispute_resolved': {
    description:
      'An instance admin decided a dispute. `refund_amount` is all that the buyer gets back. Sent before the completion or cancellation of the order that follows from it.',
    data: Type.Object({
      order: Order,
      reason: Type.String({ maxLength: 5000, description: 'Reason of the decision. Empty without one.' }),
    }),
    example: {
      order: {
        ...order,
        ...delivered,
        ...{ status: 'completed', auto_complete_at: null, disputed_at: exampleTime, completed_at: exampleTime },
        ...{ clears_at: '2026-03-16T09:30:00.412Z', refund_amount: 250, refund_status: 'pending', earned: 224.91 },
      },
      reason: 'Half of the posts were delivered.',
    },
  },
})
