import { Type } from 'typebox'
import { Closed, Count, nullable } from '../../lib/http/schema/schema.ts'

/** An id of a network; its example is one that every instance has. */
export const NetworkId = Type.String({
  maxLength: 40,
  description: 'Id of the network, as listed by `GET /accounts/networks`.',
  examples: ['playground'],
})

export const NetworksQuery = Closed({
  locale: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 35,
      description: 'Language of the texts, as a language tag such as `tr`. English by default.',
    }),
  ),
})

export const NetworkInfo = Type.Object(
  {
    id: Type.String({ maxLength: 40, examples: ['bluesky'] }),
    name: Type.String({ maxLength: 80, examples: ['Bluesky'] }),
    description: Type.String({ maxLength: 400, examples: ['Posts to an account on Bluesky.'] }),
    icon: Type.Object(
      {
        view_box: Type.String({ maxLength: 40, description: 'The `viewBox` of the SVG.', examples: ['0 0 24 24'] }),
        paths: Type.Array(
          Type.Object({
            d: Type.String({ maxLength: 4000, examples: ['M4 4h16v16H4z'] }),
            fill: nullable(
              Type.String({
                pattern: '^#[0-9a-f]{6}$',
                maxLength: 7,
                description: 'Null: the colour of the text.',
                examples: ['#1185fe'],
              }),
            ),
          }),
          { maxItems: 20 },
        ),
      },
      { description: 'Logo of the network, as the paths of an SVG in their order.' },
    ),
    connect: Type.Object({
      kind: Type.Enum(['form', 'oauth2'], {
        type: 'string',
        description:
          'Way to connect an account. `form`: `POST /accounts` with the fields of `form`. `oauth2`: its owner signs in at the network.',
      }),
    }),
    form: Type.Array(
      Type.Object({
        key: Type.String({ maxLength: 40, examples: ['handle'] }),
        label: Type.String({ maxLength: 80, examples: ['Handle'] }),
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
      max_length: Count('Maximum length of a text, in the unit of `counting`.', 300),
      max_bytes: nullable(Count('Maximum length of a text in bytes of UTF-8. Null if there is no such limit.', 3000)),
      counting: Type.Enum(['graphemes'], {
        type: 'string',
        description:
          'Unit of the length of a text. `graphemes`: characters as readers see them; a family emoji is one.',
      }),
      edit: Type.Boolean({ description: 'Whether a published post can be edited.' }),
    }),
    preview: Type.Object(
      {
        handle_prefix: Type.String({
          maxLength: 4,
          description: 'Stands before the handle of an account, such as `@`.',
          examples: ['@'],
        }),
        actions: Type.Array(Type.Enum(['reply', 'repost', 'like', 'more'], { type: 'string' }), {
          maxItems: 10,
          description: 'Buttons below a post, in their order.',
        }),
      },
      { description: 'Parts of a preview that imitate the network.' },
    ),
  },
  { title: 'Network' },
)
