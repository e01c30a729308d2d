import { Type } from 'typebox'
import { Closed, nullable, Time } from '../../lib/schema.ts'
import { groups, types } from './catalogue.ts'

const MOST = 2000

const Key = Type.String({
  maxLength: 100,
  description: 'Such as `app.name`; of the own key of an AI model `ai-model-<id>_api-key`',
})
/** Of a secret, only whether there is one. */
const Value = (description: string) =>
  Type.Unsafe<boolean | number | string | { set: boolean; last4: string | null }>({
    anyOf: [
      Type.Boolean(),
      Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 }),
      Type.String({ maxLength: MOST }),
      Type.Object(
        {
          set: Type.Boolean(),
          last4: nullable(
            Type.String({ maxLength: 4, description: 'Its last four characters, when there are at least twelve' }),
          ),
        },
        { description: 'Of a secret, which is never shown' },
      ),
    ],
    description,
  })

export const Option = Type.Object(
  {
    key: Key,
    group: Type.Enum([...groups], { type: 'string' }),
    type: Type.Enum([...types], { type: 'string' }),
    description: Type.String({ maxLength: 300 }),
    value: Value('What counts now'),
    default: Value('What counts without an override: what the environment says, or the default'),
    environment: nullable(
      Type.Object(
        { key: Type.String({ maxLength: 60 }), is_set: Type.Boolean() },
        { description: 'The setting of the environment that this overrides' },
      ),
    ),
    source: Type.Enum(['default', 'environment', 'override'], { type: 'string', description: 'Where `value` is from' }),
    values: nullable(Type.Array(Type.String({ maxLength: 60 }), { maxItems: 50, description: 'What an enum takes' })),
    updated_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'When the override was last changed' })),
  },
  { title: 'Option' },
)

export const OptionList = Type.Object({
  data: Type.Array(Option, { maxItems: 10_000, description: 'All of them, by group' }),
  next_cursor: Type.Null(),
})

export const OptionParams = Closed({ key: Key })

export const OptionValue = Closed(
  {
    value: Type.Unsafe<boolean | number | string>({
      type: ['boolean', 'integer', 'string'],
      maxLength: MOST,
      minimum: -2_147_483_648,
      maximum: 2_147_483_647,
      description: 'As `type` says; of a secret the text',
    }),
  },
  { title: 'OptionValue' },
)
