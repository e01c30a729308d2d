import { Type } from 'typebox'
import { Closed, Count, InputTime, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { PostSummary } from '../lists/list.schema.ts'

/** Maximum number of days that a call returns. */
export const MAX_DAYS = 62

const Entry = Type.Object(
  {
    time: Type.Unsafe<Date>({ ...Time, description: 'Time of the slot or of the post.' }),
    is_posting_time: Type.Boolean({
      description: 'Whether this is a posting time of the account. False for a post that the queue chose another for.',
    }),
    queued: Type.Boolean({
      description:
        'Whether the queue chose the time of the post. It can be moved within the queue. False for a free slot, and for a post that was scheduled by hand.',
      examples: [true],
    }),
    post: nullable(
      Type.Object(
        {
          id: PostSummary.properties.id,
          excerpt: PostSummary.properties.excerpt,
          status: PostSummary.properties.status,
          held: PostSummary.properties.held,
          review: PostSummary.properties.review,
          author_id: PostSummary.properties.author_id,
          targets: PostSummary.properties.targets,
        },
        { description: 'Post at this time. Null for a free slot.' },
      ),
    ),
  },
  { title: 'QueueEntry' },
)

export const Queue = Type.Object(
  {
    data: Type.Array(Entry, {
      maxItems: 3000,
      description:
        'Slots and posts of the queue in the order of their time. Posts that missed their slots while the queue is paused come first.',
    }),
    next_slot_at: nullable(
      Type.Unsafe<Date>({
        ...Time,
        description: 'Next free slot of the account. Null without posting times, and when all are taken for a year.',
      }),
    ),
    paused_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time since which the queue is paused. Null while it is not.' }),
    ),
    waiting: Count(
      'Number of posts that are held because this queue, or that of another of their accounts, is paused.',
    ),
  },
  { title: 'Queue' },
)

export const QueueQuery = Closed({
  from: Type.Optional(
    Type.Unsafe<string>({ ...InputTime, description: 'Returns only slots from this time on. Defaults to now.' }),
  ),
  to: Type.Optional(
    Type.Unsafe<string>({
      ...InputTime,
      description: `Returns only slots before this time, at most ${MAX_DAYS} days after \`from\`. Defaults to 14 days after it.`,
    }),
  ),
})

export const MoveInQueue = Closed(
  {
    post_id: idOf('post', 'Id of the post to move.'),
    before: nullable(idOf('post', 'Id of the post that it moves before. Null moves it to the end of the queue.')),
  },
  { title: 'MoveInQueue' },
)
