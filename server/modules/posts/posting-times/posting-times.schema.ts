import { type Static, Type } from 'typebox'
import { Closed } from '../../../lib/http/schema/schema.ts'

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const MAX_TIMES = 100

const PostingTime = Closed(
  {
    weekday: Type.Enum([...weekdays], { type: 'string', description: 'Day of the week.', examples: ['monday'] }),
    time: Type.String({
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      maxLength: 5,
      description: 'Time of day on the clocks of `timezone`.',
      examples: ['09:30'],
    }),
  },
  { title: 'PostingTime' },
)
export type PostingTime = Static<typeof PostingTime>

const fields = {
  timezone: Type.String({
    maxLength: 64,
    description: 'IANA time zone of the times.',
    examples: ['Europe/Istanbul'],
  }),
  times: Type.Array(PostingTime, {
    maxItems: MAX_TIMES,
    uniqueItems: true,
    description:
      'Times of the week at which the queue publishes, in the order of the week. A time that clocks skip in spring moves to the end of the gap; one that they show twice in autumn is used once.',
    examples: [[{ weekday: 'monday', time: '09:30' }]],
  }),
}

export const PostingTimes = Type.Object(fields, { title: 'PostingTimes' })
export const NewPostingTimes = Closed(fields, { title: 'NewPostingTimes' })
