import { Type } from 'typebox'
import { idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'

const reviews = ['none', 'pending', 'approved', 'rejected'] as const

export const RejectionReason = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Reason for the rejection.',
  examples: ['We do not open on Mondays.'],
})

export const reviewFields = {
  review: Type.Enum([...reviews], {
    type: 'string',
    description:
      'Review of the post. `pending` and `rejected`: the post stays a draft until it is approved. `approved`: it was approved as it is. `none`: it needs no review.',
    examples: ['none'],
  }),
  review_reason: nullable(RejectionReason),
  review_scheduled_at: nullable(
    Type.Unsafe<Date>({
      ...Time,
      description: 'Time for which the post is scheduled when it is approved. Null leaves it a draft.',
    }),
  ),
}

export const ReviewFilter = Type.Enum(
  reviews.filter((review) => review !== 'none'),
  { type: 'string', description: 'Returns only posts with this review.' },
)

export const ClientLinkOfDecision = Type.Object(
  {
    id: idOf('client_link', 'Id of the client link.'),
    name: Type.String({
      maxLength: 80,
      description: 'Name of the client link at that time.',
      examples: ['Bakery, March'],
    }),
  },
  { description: 'Client link by which a client decided. Null for a decision of the team.' },
)
