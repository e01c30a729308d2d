import { Type } from 'typebox'
import { nullable, Time } from '../../lib/http/schema/schema.ts'
import {
  type AccountMetrics as AccountNumbers,
  accountMetrics,
  type PostMetrics as PostNumbers,
  postMetrics,
} from './metrics.ts'

const number = (description: string, example: number) =>
  nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] }))

const postFields = {
  views: number('Times that it was shown. Null if the network did not report it, as for each of these numbers.', 5210),
  reach: number('People who saw it.', 3840),
  likes: number('Likes, favorites and reactions.', 212),
  comments: number('Comments and replies.', 18),
  shares: number('Shares and reposts.', 31),
  quotes: number('Reposts with a text of their own.', 4),
  saves: number('Bookmarks.', 27),
  clicks: number('Clicks on it.', 96),
} satisfies Record<(typeof postMetrics)[number], unknown>

const accountFields = {
  followers: number('Followers or members. Null if the network did not report it, as for each of these numbers.', 1840),
  following: number('Accounts that it follows.', 126),
  posts: number('Posts that it has, also those that Meydan did not publish.', 912),
} satisfies Record<(typeof accountMetrics)[number], unknown>

export const PostMetrics = Type.Object(postFields, { title: 'PostMetrics' })
/** The sums of the numbers of several posts or accounts. */
export const PostMetricsSum = Type.Object(
  {
    ...postFields,
    reach: nullable(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Always null: a person who saw several posts, or a post on several accounts, would be counted for each.',
      }),
    ),
  },
  { title: 'PostMetricsSum' },
)
export const AccountMetrics = Type.Object(accountFields, { title: 'AccountMetrics' })

/** A reading with its time, for the history of a post. */
export const PostReading = Type.Object({ read_at: Time, ...postFields }, { title: 'PostReading' })

export const AccountDay = Type.Object(
  {
    day: Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      maxLength: 10,
      description: 'Day (UTC).',
      examples: ['2026-03-02'],
    }),
    ...accountFields,
  },
  { title: 'AccountDay' },
)

const noneOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>

const noPostMetrics = noneOf(postMetrics)
const noAccountMetrics = noneOf(accountMetrics)

/** Every number, null in place of one that is absent. */
export const everyPostMetric = (read: PostNumbers) => ({ ...noPostMetrics, ...read })
export const everyAccountMetric = (read: AccountNumbers) => ({ ...noAccountMetrics, ...read })

/** The numbers that can be added up. Reach is people, who may be the same. */
export const summedMetrics = postMetrics.filter((name) => name !== 'reach')

export const everySum = (sums: PostNumbers) => ({ ...noPostMetrics, ...sums, reach: null })

/** The sum of each number over those that have it; null if none has. */
export function sumOf(list: readonly PostNumbers[]) {
  const total: PostNumbers = {}
  for (const read of list)
    for (const name of summedMetrics) {
      const value = read[name]
      if (value !== undefined) total[name] = (total[name] ?? 0) + value
    }
  return everySum(total)
}

/** Why the last reading failed. It is repeated. */
export const MetricsError = nullable(
  Type.Object(
    {
      code: Type.Enum(['network_unavailable', 'rejected_by_network', 'unauthorized'], {
        type: 'string',
        description:
          '`network_unavailable`: the network did not respond, or asked to wait. `rejected_by_network`: it refused, for example without a permission. `unauthorized`: it no longer accepts the credentials.',
      }),
      message: nullable(Type.String({ maxLength: 400, description: 'Message of the network. Null without one.' })),
    },
    { title: 'MetricsError' },
  ),
)

const errorCodes = ['network_unavailable', 'rejected_by_network', 'unauthorized'] as const

/** The failure that a row has stored. */
export function errorOf({ error_code, error_message }: { error_code: string | null; error_message: string | null }) {
  const code = errorCodes.find((each) => each === error_code)
  return code ? { code, message: error_message } : null
}
