import { type Static, Type } from 'typebox'
import { PageQuery } from '../../../../lib/db/page.ts'
import { Closed, idOf, nullable, Time } from '../../../../lib/http/schema/schema.ts'
import { Currency, Money } from '../../../../lib/money.ts'
import { Provider } from '../../../billing/records/subscriptions.schema.ts'
import { OrderStatus, RefundStatus } from '../record/orders.schema.ts'

export const OrderRefund = Type.Object(
  {
    order_id: idOf('order'),
    title: Type.String({
      maxLength: 200,
      description: 'Title of the ordered gig.',
      examples: ['Ten posts for your café'],
    }),
    order_status: OrderStatus,
    buyer_workspace_name: nullable(
      Type.String({ maxLength: 80, description: 'Name of the workspace that bought. Null after its deletion.' }),
    ),
    status: RefundStatus,
    refund_amount: Money('Amount that the buyer gets or got back'),
    owed_amount: Money('Part of it that was not returned yet'),
    currency: Currency,
    provider: Provider,
    is_manual: Type.Boolean({
      description: 'Whether the payment provider cannot refund, so that an instance admin returns the money.',
    }),
    failure: nullable(Type.String({ maxLength: 400, description: 'Reason of the last failure. Null without one.' })),
    updated_at: Time,
  },
  { title: 'OrderRefund' },
)
export type OrderRefundRecord = Static<typeof OrderRefund>

export const OrderRefundQuery = Closed({ ...PageQuery, status: Type.Optional(RefundStatus) })
export const PaidRefund = Closed(
  {
    reference: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Reference of the transfer.', examples: ['EFT 4711'] }),
    ),
  },
  { title: 'PaidRefund' },
)
