import { Type } from 'typebox'
import { Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { NetworkId } from '../../networks/networks.schema.ts'
import { MAX_THREAD, MAX_WARNINGS, translations } from '../record/posts.schema.ts'

/** Far above the sum of the highest prices. */
const MAX_PRICE = 1_000_000_000_000

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
