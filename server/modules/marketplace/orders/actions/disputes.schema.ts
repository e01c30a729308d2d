import { Type } from 'typebox'
import { Page, PageQuery } from '../../../../lib/db/page.ts'
import { Closed, Count, Time } from '../../../../lib/http/schema/schema.ts'
import { Money } from '../../../../lib/money.ts'
import { Message } from '../conversation/messages.schema.ts'
import { Dispute, Reason } from '../record/order-view.schema.ts'
import { ContractPost, Order } from '../record/orders.schema.ts'

export const DisputeInput = Closed({
  reason: Reason('Reason of the dispute. The other side and instance admins see it.', 'Only half was delivered.'),
})

const { status } = Dispute.properties

export const DisputeQuery = Closed({
  ...PageQuery,
  status: Type.Optional(status),
})

export const DisputeSummary = Type.Object({ ...Dispute.properties, order: Order }, { title: 'DisputeSummary' })

const Delivery = Type.Object(
  {
    number: Count('Number of the delivery, from 1.', 1),
    posts: Type.Array(ContractPost, { maxItems: 50, description: 'Delivered posts, files and links.' }),
    notes: Type.String({ maxLength: 5000, description: 'Notes of the seller.', examples: ['All ten posts.'] }),
    created_at: Time,
  },
  { description: 'A delivery as it was.' },
)

export const DisputeDetail = Type.Object(
  {
    ...Dispute.properties,
    order: Order,
    deliveries: Type.Array(Delivery, { maxItems: 1000, description: 'All deliveries, the last one first.' }),
    messages: Page(Message),
  },
  { title: 'DisputeDetail' },
)

export const Resolution = Closed({
  refund_amount: Money(
    'Amount that the buyer gets back: from 0 to the price. The seller gets the rest without the fee',
  ),
  note: Type.Optional(Reason('Reason of the decision. Both sides see it.', 'Five of ten posts were delivered.')),
})
