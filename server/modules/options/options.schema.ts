import { Type } from 'typebox'
import { Closed, nullable, Time } from '../../lib/http/schema/schema.ts'
import { groups, types } from './option-types.ts'

const MAX_LENGTH = 2000

const Key = Type.String({
  maxLength: 100,
  description: 'Key of the option, such as `app.name`. The API key of an AI model is `ai-model-<id>_api-key`.',
  examples: ['app.name'],
})
/** For a secret, only whether it is set, and its end. */
const Value = (description: string) =>
  Type.Unsafe<boolean | number | string | { set: boolean; last4: string | null }>({
    anyOf: [
      Type.Boolean(),
      Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 }),
      Type.String({ maxLength: MAX_LENGTH }),
      Type.Object(
        {
          set: Type.Boolean(),
          last4: nullable(
            Type.String({
              maxLength: 4,
              description: 'Last four characters of the secret. Null for secrets shorter than 12 characters.',
            }),
          ),
        },
        { description: 'Description of a secret. The secret itself is never returned.' },
      ),
    ],
    description,
    examples: ['Bakery'],
  })

export const Option = Type.Object(
  {
    key: Key,
    group: Type.Enum([...groups], { type: 'string' }),
    type: Type.Enum([...types], { type: 'string', examples: ['string'] }),
    description: Type.String({ maxLength: 300, examples: ['Name of this instance in its e-mails.'] }),
    value: Value('Current value.'),
    default: Value('Value without an override, from the environment or the default.'),
    environment: nullable(
      Type.Object(
        { key: Type.String({ maxLength: 60 }), is_set: Type.Boolean() },
        { description: 'Environment variable that this option overrides. Null without one.' },
      ),
    ),
    source: Type.Enum(['default', 'environment', 'override'], {
      type: 'string',
      description: 'Source of `value`.',
      examples: ['override'],
    }),
    values: nullable(
      Type.Array(Type.String({ maxLength: 60 }), {
        maxItems: 50,
        description: 'Allowed values of an `enum`. Null for other types.',
      }),
    ),
    updated_at: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time of the last change of the override. Null without an override.' }),
    ),
  },
  { title: 'Option' },
)

export const OptionList = Type.Object({
  data: Type.Array(Option, { maxItems: 10_000, description: 'All options, by group.' }),
  next_cursor: Type.Null(),
})

export const OptionParams = Closed({ key: Key })

export const OptionValue = Closed(
  {
    value: Type.Unsafe<boolean | number | string>({
      type: ['boolean', 'integer', 'string'],
      maxLength: MAX_LENGTH,
      minimum: -2_147_483_648,
      maximum: 2_147_483_647,
      description: 'New value, of the type in `type`. A secret is set as a string.',
      examples: ['Bakery'],
    }),
  },
  { title: 'OptionValue' },
)
