import { type Static, Type } from 'typebox'
import { Count, idOf, nullable, TimeText } from '../../../../lib/http/schema/schema.ts'
import { Money } from '../../../../lib/money.ts'
import { Order, OrderParty } from './orders.schema.ts'
import { actions } from './rules.ts'

/** A text that the other side reads. */
export const Reason = (description: string, example: string, maxLength = 5000) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description, examples: [example] })

const nullableTime = (description: string) => nullable(Type.Unsafe<string>({ ...TimeText, description }))
const reasonExample = 'Only half of the posts were delivered.'

const Proposal = Type.Object(
  {
    id: idOf('proposal'),
    proposed_by: OrderParty,
    refund_amount: Money('Amount that the buyer gets back'),
    reason: Reason('Reason of the proposal.', reasonExample),
    status: Type.Enum(['open', 'accepted', 'rejected', 'withdrawn', 'expired'], {
      type: 'string',
      description: 'Status. Only an `open` one can be accepted.',
    }),
    expires_at: TimeText,
    created_at: TimeText,
  },
  { description: 'Proposal of one side for a refund. Accepting it ends the order.' },
)

export const Dispute = Type.Object(
  {
    id: idOf('dispute'),
    opened_by: OrderParty,
    reason: Reason('Reason of the dispute.', reasonExample),
    status: Type.Enum(['open', 'withdrawn', 'resolved'], { type: 'string', description: 'Status of the dispute.' }),
    refund_amount: nullable(Money('Amount that the buyer gets back by the decision')),
    note: nullable(Type.String({ maxLength: 5000, description: 'Reason of the decision. Null without one.' })),
    created_at: TimeText,
    ended_at: nullableTime('Time of the end. Null while it is open.'),
  },
  { description: 'Dispute that an instance admin decides. Until then, nothing happens by itself.' },
)

/** Both sides write one. */
export const Review = Type.Object(
  {
    id: idOf('review'),
    side: OrderParty,
    rating: Type.Integer({ minimum: 1, maximum: 5, description: 'Stars, from 1 to 5.', examples: [5] }),
    text: Type.String({ maxLength: 2000, description: 'Text of the review.', examples: ['Delivered on time.'] }),
    reply: nullable(Type.String({ maxLength: 2000, description: 'Reply of the other side. Null without one.' })),
    replied_at: nullableTime('Time of the reply. Null without one.'),
    published_at: nullableTime('Time from which others see it. Null before.'),
    created_at: TimeText,
  },
  { description: 'Review by one side.' },
)

export const OrderView = Type.Object(
  {
    ...Order.properties,
    actions: Type.Array(Type.Enum([...actions], { type: 'string' }), {
      maxItems: 50,
      description: 'Actions of the caller that the order allows now. Calls for others are refused.',
      examples: [['deliver', 'cancel', 'propose', 'dispute', 'send_message']],
    }),
    unread_messages: Count('Messages of others that the side of the caller has not read, counted up to 100.'),
    proposal: nullable(Proposal),
    dispute: nullable(Dispute),
    reviews: Type.Array(Review, {
      maxItems: 2,
      description: 'Review of the caller, and published ones.',
    }),
  },
  { title: 'OrderView' },
)
export type OrderView = Static<typeof OrderView>
