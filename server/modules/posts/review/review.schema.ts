import { Type } from 'typebox'
import { Closed, InputTime, nullable, Time } from '../../../lib/http/schema/schema.ts'

const reviews = ['none', 'pending', 'approved', 'rejected'] as const

const Reason = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Reason for the rejection.',
  examples: ['We do not open on Mondays.'],
})

/** Fields of a post about its review. */
export const reviewFields = {
  review: Type.Enum([...reviews], {
    type: 'string',
    description:
      'Review of the post. `pending` and `rejected`: the post stays a draft until it is approved. `approved`: it was approved as it is. `none`: it needs no review.',
    examples: ['none'],
  }),
  review_reason: nullable(Reason),
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

export const ApprovePost = Closed(
  {
    scheduled_at: Type.Optional(
      nullable(
        Type.Unsafe<string>({
          ...InputTime,
          description:
            'Time to publish. Defaults to `review_scheduled_at`, and is required when that has passed. Null approves the post as a draft without a time.',
        }),
      ),
    ),
  },
  { title: 'ApprovePost' },
)

export const RejectPost = Closed({ reason: Reason }, { title: 'RejectPost' })
