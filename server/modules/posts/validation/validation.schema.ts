import { Type } from 'typebox'
import { Closed, Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { NetworkId } from '../../networks/networks.schema.ts'
import { MAX_THREAD, MAX_WARNINGS, NewPost, Post, translations } from '../record/posts.schema.ts'

/** Far above the sum of the highest prices. */
const MAX_PRICE = 1_000_000_000_000

export const PostToValidate = Closed(
  {
    ...NewPost.properties,
    post_id: Type.Optional(
      idOf('post', 'Id of the post that is changed. Its own text and slot do not count against it.'),
    ),
  },
  { title: 'PostToValidate' },
)

const Duplicate = Type.Object({
  account_id: idOf('account', 'Id of the account.'),
  post_id: idOf('post', 'Id of the post with the same text.'),
  excerpt: Type.String({
    maxLength: 200,
    description: 'First 200 characters of that post.',
    examples: ['Fresh simit from seven in the morning.'],
  }),
  status: Post.properties.status,
  scheduled_at: Type.Unsafe<Date>({
    ...Time,
    description: 'Time for which that post is or was scheduled, or will be once it is approved.',
  }),
})

export const Validation = Type.Object(
  {
    problems: Type.Array(
      Type.Object({
        pointer: Type.String({ maxLength: 200, description: 'JSON pointer to the field.', examples: ['/content'] }),
        code: Type.String({ maxLength: 40, examples: ['too_long'] }),
        message: Type.String({
          maxLength: 400,
          examples: ['The network allows at most 5000 characters; this text has 5012.'],
        }),
        translations,
      }),
      {
        maxItems: MAX_WARNINGS,
        description: 'Everything that prevents the post from being scheduled.',
        examples: [[]],
      },
    ),
    duplicates: Type.Array(Duplicate, {
      maxItems: 50,
      description:
        'Scheduled and published posts, and those that wait for approval, with the same text on the same account, at most 30 days before or after this one: the nearest for each account. Case and white space do not count, and only the first 2,000 characters are compared. Duplicates prevent nothing. Networks can hide such posts, or take them for spam.',
      examples: [[]],
    }),
    next_slot_at: nullable(
      Type.Unsafe<Date>({
        ...Time,
        description: 'Time that the queue would give the post now. Null without `queue`, and when no slot is free.',
      }),
    ),
    targets: Type.Array(
      Type.Object({
        account_id: idOf('account', 'Id of the account.'),
        network: NetworkId,
        parts: Type.Array(
          Type.Object({
            length: Count('Length of the text as the network counts it.', 280),
            max_length: Count('Maximum length.', 300),
          }),
          { maxItems: MAX_THREAD + 1, description: 'The post, then the parts of its thread.' },
        ),
        price_usd_micros: nullable(
          Type.Integer({
            minimum: 0,
            maximum: MAX_PRICE,
            description:
              'Price of publishing the post at the network, in millionths of a US dollar, by `pricing` of `GET /accounts/networks`. Null if it charges nothing.',
            examples: [15_000],
          }),
        ),
      }),
      { maxItems: 50 },
    ),
  },
  { title: 'Validation' },
)
