import { type Static, Type } from 'typebox'
import { PageQuery } from '../../../../lib/db/page.ts'
import { Closed, Count, idOf, nullable, Time } from '../../../../lib/http/schema/schema.ts'
import { Currency, Money } from '../../../../lib/money.ts'
import { Buyer } from '../../../billing/records/buyer.schema.ts'

const time = (description: string) => nullable(Type.Unsafe<Date>({ ...Time, description }))

export const OrderStatus = Type.Enum(
  ['pending_payment', 'pending', 'in_progress', 'delivered', 'completed', 'canceled', 'disputed', 'expired'],
  {
    type: 'string',
    description:
      'Status. `pending`: paid, and not accepted yet. `expired`: not paid in time. `completed`, `canceled` and `expired` are final.',
  },
)
export const OrderParty = Type.Enum(['buyer', 'seller', 'admin', 'system'], {
  type: 'string',
  description: 'Side that acts: `buyer`, `seller`, an instance `admin`, or Meydan itself (`system`).',
})
export const RefundStatus = Type.Enum(['pending', 'succeeded', 'failed'], {
  type: 'string',
  description: 'State of the refund at the payment provider. A failed one is completed by an instance admin.',
})

export const DeliveredFile = Type.Object({
  media_id: idOf('media', 'Id of the file in the workspace of the seller.'),
  name: Type.String({ maxLength: 200, description: 'Name of the file.', examples: ['simit.jpg'] }),
  kind: Type.String({ maxLength: 20, description: 'Kind of the file.', examples: ['image'] }),
  url: Type.String({
    maxLength: 400,
    description: 'Path of the file. Both sides can read it.',
    examples: [
      '/api/v1/marketplace/orders/01993a4c-2f10-7000-9000-000000000001/files/01993a4c-2f10-7000-9000-000000000002',
    ],
  }),
})

export const ContractPost = Type.Object(
  {
    post_id: nullable(
      idOf('post', 'Id of the delivered post in the workspace of the seller. Null for files and links.'),
    ),
    media_id: nullable(idOf('media', 'Id of the delivered file. Null for posts and links.')),
    url: nullable(
      Type.String({
        maxLength: 2000,
        description: 'Delivered link. Null for posts and files.',
        examples: ['https://example.com/posts'],
      }),
    ),
    content: nullable(
      Type.String({
        maxLength: 65_536,
        description: 'Text of the post when it was delivered. Null for files and links.',
      }),
    ),
    files: Type.Array(DeliveredFile, { maxItems: 100, description: 'Files of the post, or the delivered file.' }),
    links: Type.Array(Type.String({ maxLength: 2000, examples: ['https://example.com/posts/1'] }), {
      maxItems: 100,
      description: 'URLs of the post on its networks when it was delivered.',
    }),
  },
  { description: 'A post, file or link as it was when it was delivered.' },
)

const Side = {
  user_id: nullable(idOf('user', 'Id of the user. Null after deletion.')),
  workspace_id: nullable(idOf('workspace', 'Id of the workspace. Null after its deletion.')),
}

export const Order = Type.Object(
  {
    id: idOf('order'),
    gig_id: nullable(idOf('gig', 'Id of the gig. Null after its deletion.')),
    title: Type.String({
      maxLength: 200,
      description: 'Title of the gig when it was ordered.',
      examples: ['Ten posts for your café'],
    }),
    status: OrderStatus,
    buyer: Type.Object(
      {
        ...Side,
        workspace_name: nullable(
          Type.String({ maxLength: 80, description: 'Name of the workspace. Null after its deletion.' }),
        ),
      },
      { description: 'Workspace that buys, and its user who ordered.' },
    ),
    seller: Type.Object(
      {
        ...Side,
        name: nullable(Type.String({ maxLength: 80, description: 'Name of the user. Null after deletion.' })),
        handle: nullable(Type.String({ maxLength: 30, description: 'Handle of the signature. Null without one.' })),
      },
      { description: 'User who sells, with the workspace of the gig.' },
    ),
    price: Money('Price of the gig when it was ordered'),
    currency: Currency,
    platform_fee: Money('Part of the price that the instance keeps'),
    seller_payout: Money('Part of the price that the seller gets on completion, unless some of it is refunded'),
    earned: Money(
      'Amount that the seller gets after the fee, given what was refunded so far. 0 when the order was canceled or expired',
    ),
    delivery_days: Count('Days from acceptance to delivery.', 3),
    revisions_allowed: Count('Revisions that the buyer can request.', 2),
    revisions_used: Count('Revisions that the buyer requested.'),
    requirements: nullable(
      Type.String({ maxLength: 5000, description: 'Requirements of the buyer. Null without any.' }),
    ),
    requirements_at: time('Time of the requirements. Null without any.'),
    contract: nullable(
      Type.Object(
        {
          posts: Type.Array(ContractPost, { maxItems: 50, description: 'Delivered posts, files and links.' }),
          notes: Type.String({ maxLength: 5000, description: 'Notes of the seller.', examples: ['All ten posts.'] }),
        },
        { description: 'Last delivery. Null before the first.' },
      ),
    ),
    paid_at: time('Time of the payment. Null before.'),
    accept_by: time('Time until which the seller accepts. Null unless `pending`.'),
    accepted_at: time('Time of the acceptance. Null before.'),
    due_at: time('Time until which the seller delivers. Null before the acceptance.'),
    delivered_at: time('Time of the last delivery. Null before the first.'),
    auto_complete_at: time('Time at which the order completes by itself. Null unless `delivered`.'),
    disputed_at: time('Time of the dispute. Null without one.'),
    completed_at: time('Time of the completion. Null before.'),
    dispute_until: time(
      'Time until which the buyer can open a dispute about the completed order. Null when that is not possible.',
    ),
    clears_at: time(
      'Time from which the seller can request the payout, unless a dispute is open. Null before the completion.',
    ),
    canceled_at: time('Time of the cancellation. Null unless `canceled`.'),
    canceled_by: nullable(OrderParty),
    cancel_reason: nullable(
      Type.String({ maxLength: 1000, description: 'Reason of the cancellation. Null without one.' }),
    ),
    refund_amount: Money('Amount that the buyer gets or got back'),
    refund_status: nullable(RefundStatus),
    checkout: nullable(
      Type.Object(
        {
          id: idOf('checkout'),
          kind: Type.Enum(['redirect', 'hosted', 'iframe', 'payment_request'], {
            type: 'string',
            description: 'Way to pay, as for the checkout of a plan.',
          }),
          url: nullable(Type.String({ maxLength: 2000, description: 'Page to pay at. Null for a payment request.' })),
          expires_at: Time,
        },
        { description: 'Open payment. Null unless `pending_payment`, and for the seller.' },
      ),
    ),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Order' },
)
export type OrderRecord = Static<typeof Order>
const Requirements = Type.String({
  minLength: 1,
  maxLength: 5000,
  description: 'Requirements: what the seller needs to know to begin.',
  examples: ['Warm colors, and our logo in a corner.'],
})
export const NewOrder = Closed(
  {
    gig_id: idOf('gig', 'Id of the gig.'),
    requirements: Type.Optional(Requirements),
    buyer: Type.Optional(Buyer),
    shown: Type.Optional(
      Closed(
        { price: Money('Price that was shown'), currency: Currency },
        { description: 'Price that was shown to the buyer. 409 `price_changed` if the gig has another one now.' },
      ),
    ),
  },
  { title: 'NewOrder' },
)
export const OrderQuery = Closed({
  ...PageQuery,
  role: Type.Optional(
    Type.Enum(['buyer', 'seller'], { type: 'string', description: 'Side of the caller. Without it, both.' }),
  ),
  status: Type.Optional(OrderStatus),
  gig_id: Type.Optional(idOf('gig', 'Returns only orders of this gig.')),
})

const SideCounts = (description: string) =>
  Type.Object(
    {
      total: Type.Integer({ minimum: 0, maximum: 100, description: 'Number of orders, up to 100.', examples: [12] }),
      waiting: Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'Number of those that wait for this side.',
        examples: [1],
      }),
    },
    { description },
  )
export const OrderCounts = Type.Object(
  {
    buyer: SideCounts(
      'Orders that the workspace buys. A delivery, a proposal or an unread message of the seller waits for it.',
    ),
    seller: SideCounts(
      'Orders that the caller sells. An order to accept or to deliver, and a proposal or an unread message of the buyer wait for the seller.',
    ),
  },
  { title: 'OrderCounts' },
)

/** Content of `order_delivery.posts`. */
export type ContractPosts = Static<typeof ContractPost>[]
