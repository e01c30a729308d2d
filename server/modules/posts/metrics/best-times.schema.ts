import { Type } from 'typebox'
import { Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { TimeZone } from '../../auth/auth.schema.ts'

export const dayKinds = ['weekday', 'weekend'] as const
/** Each begins six hours after the one before. */
export const dayParts = ['night', 'morning', 'afternoon', 'evening'] as const

const Percent = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000, description, examples: [example] })

export const BestTimes = Type.Object(
  {
    account_id: idOf('account'),
    state: Type.Enum(['found', 'none', 'not_enough', 'unsupported'], {
      type: 'string',
      description:
        'Result. `found`: at least one part of the week did better. `none`: no time stands out. `not_enough`: there are fewer posts than `min_posts`. `unsupported`: the network reports no reactions to posts.',
    }),
    timezone: { ...TimeZone, description: 'Time zone of the workspace, on whose clocks the parts of the week are.' },
    posts: Count(
      'Number of posts that were compared: published in the last 180 days, with numbers from about two days later.',
      120,
    ),
    min_posts: Count('Number of posts from which on they are compared.', 60),
    min_posts_in_part: Count('Number of posts from which on a part of the week is compared.', 8),
    from: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time of the first of these posts. Null without one.' })),
    to: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time of the last of these posts. Null without one.' })),
    parts: Type.Array(
      Type.Object({
        days: Type.Enum([...dayKinds], { type: 'string', description: 'Monday to Friday, or the weekend.' }),
        part: Type.Enum([...dayParts], {
          type: 'string',
          description:
            'Part of the day: `night` from 00:00, `morning` from 06:00, `afternoon` from 12:00, `evening` from 18:00.',
        }),
        posts: Count('Number of posts that were published then.', 12),
        better: nullable(
          Type.Object(
            {
              from_percent: Percent('Least by which these posts did better than the others, in percent.', 20),
              to_percent: Percent('Most by which they did, in percent.', 90),
            },
            { description: 'How much better these posts did, as far as chance allows to say. Null if they did not.' },
          ),
        ),
      }),
      { maxItems: 8, description: 'All parts of the week.' },
    ),
  },
  { title: 'BestTimes' },
)
