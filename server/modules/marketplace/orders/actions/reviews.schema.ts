import { Type } from 'typebox'
import { PageQuery } from '../../../../lib/db/page.ts'
import { Closed, idOf, nullable, Time } from '../../../../lib/http/schema/schema.ts'
import { Reason, Review } from '../record/order-view.schema.ts'

const { rating, text, reply } = Review.properties

export const ReviewInput = Closed({
  rating,
  text: Type.Optional(Type.String({ ...text, description: 'Text of the review. It cannot be changed later.' })),
})
export const ReplyInput = Closed({ text: Reason('Reply. It cannot be changed later.', 'Thank you!', 2000) })

/** Other fields of the order stay between its sides. */
export const GigReview = Type.Object(
  {
    id: idOf('review'),
    rating,
    text,
    reply,
    author: nullable(
      Type.String({
        maxLength: 80,
        description: 'First name of the author. Null after deletion.',
        examples: ['Deniz'],
      }),
    ),
    created_at: Time,
  },
  { title: 'GigReview' },
)
export const GigReviewQuery = Closed(PageQuery)
