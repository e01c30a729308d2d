import { Type } from 'typebox'
import { PageQuery } from '../../../../lib/db/page.ts'
import { Closed, idOf, nullable, Time } from '../../../../lib/http/schema/schema.ts'
import { Reason } from '../record/order-view.schema.ts'
import { DeliveredFile, OrderParty } from '../record/orders.schema.ts'

const MAX_FILES = 10

export const MessageInput = Closed({
  text: Reason('Plain text.', 'Could you use the picture of the terrace?'),
  media_ids: Type.Optional(
    Type.Array(idOf('media'), {
      maxItems: MAX_FILES,
      uniqueItems: true,
      description: 'Ids of files of your workspace. The other side can read them, and they can no longer be deleted.',
    }),
  ),
})

/** A message of an instance admin, who has no files to attach. */
export const AdminMessageInput = Closed({ text: MessageInput.properties.text })

export const Message = Type.Object(
  {
    id: idOf('message'),
    side: OrderParty,
    author: nullable(
      Type.String({
        maxLength: 80,
        description: 'Name of the author. Null for messages of Meydan and of instance admins, and after deletion.',
        examples: ['Deniz Kaya'],
      }),
    ),
    text: Type.String({
      maxLength: 5000,
      description: 'Plain text. Empty with a code.',
      examples: ['Could you use the picture of the terrace?'],
    }),
    files: Type.Array(DeliveredFile, { maxItems: MAX_FILES, description: 'Attached files.' }),
    code: nullable(
      Type.String({
        maxLength: 40,
        description:
          'Change of the order, such as `accept`, that a message of Meydan reports. Null for messages of people.',
        examples: ['accept'],
      }),
    ),
    details: nullable(
      Type.Object(
        {
          reason: Type.Optional(Type.String({ maxLength: 5000, description: 'Reason of what happened.' })),
          refund_amount: Type.Optional(Type.Number({ description: 'Amount that the buyer gets back.' })),
        },
        { description: 'Details of what happened. Null for messages of people.' },
      ),
    ),
    created_at: Time,
  },
  { title: 'OrderMessage' },
)

export const MessageQuery = Closed(PageQuery)
export const ReadInput = Closed({ message_id: idOf('message', 'Id of the last message that was shown.') })
export const ReadResult = Type.Object(
  {
    unread_messages: Type.Integer({ minimum: 0, maximum: 100, description: 'Messages that are left.', examples: [0] }),
  },
  { title: 'OrderMessagesRead' },
)
