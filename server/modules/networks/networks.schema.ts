import { Type } from 'typebox'
import { Count } from '../../lib/http/schema.ts'

export const NetworkInfo = Type.Object(
  {
    id: Type.String({ maxLength: 40 }),
    name: Type.String({ maxLength: 80 }),
    description: Type.String({ maxLength: 400 }),
    form: Type.Array(
      Type.Object({
        key: Type.String({ maxLength: 40 }),
        label: Type.String({ maxLength: 80 }),
        type: Type.Enum(['text', 'url', 'password'], { type: 'string' }),
        required: Type.Boolean(),
        default: Type.Optional(Type.String({ maxLength: 400 })),
        help: Type.Optional(Type.String({ maxLength: 400 })),
      }),
      {
        maxItems: 20,
        description: 'Fields that `POST /accounts` takes for this network in addition to `network` and `name`.',
      },
    ),
    capabilities: Type.Object({
      max_length: Count('Maximum length of a text, in characters as readers count them (grapheme clusters).'),
      edit: Type.Boolean({ description: 'Whether a published post can be edited.' }),
    }),
  },
  { title: 'Network' },
)
