import { type TSchema, Type } from 'typebox'
import { PageQuery } from '../../lib/db/page.ts'
import { Closed, Count, exampleId, idOf, nullable, Time } from '../../lib/http/schema/schema.ts'
import { Usd } from '../../lib/money.ts'

const generationKinds = ['text', 'image', 'video'] as const
const generationStates = ['running', 'succeeded', 'failed', 'canceled'] as const

/** Id of a model: the number or the UUID. */
const ModelId = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: 2_147_483_647,
  minLength: 1,
  maxLength: 36,
  description:
    'Id of the model, either `id` or `id_secure`. Defaults to the first active model of the default provider, or else to the first active model.',
})

const Prompt = Type.String({
  minLength: 1,
  maxLength: 20_000,
  pattern: '\\S',
  description: 'Prompt for the model.',
  examples: ['Announce fresh simit from seven in the morning.'],
})

/** Model that was used; null once it is deleted. */
const UsedModel = Type.Object({
  id: Count('Numeric id of the model.', 1),
  id_secure: idOf('model'),
  name: Type.String({ maxLength: 80, examples: ['GPT-5 mini'] }),
})

const Tokens = Type.Object({
  input_tokens: nullable(Count('Number of input tokens.', 12)),
  output_tokens: nullable(Count('Number of output tokens.', 9)),
})

const Credits = Count('Number of AI credits charged.', 1)

const GeneratedFile = Type.Object(
  {
    id: idOf('file'),
    url: Type.String({
      maxLength: 100,
      description: 'Path of the file on this instance. The file is kept for 7 days.',
      examples: [`/api/v1/ai/files/${exampleId('file')}`],
    }),
    mime: Type.String({ maxLength: 40, description: 'Media type of the file.', examples: ['image/png'] }),
    bytes: Count('Size in bytes.', 245_118),
    media_id: nullable(
      idOf('media', 'Id of the file in the media of the workspace. Null if it could not be kept there.'),
    ),
  },
  { title: 'GeneratedFile' },
)

export const TextPrompt = Closed(
  {
    prompt: Prompt,
    system: Type.Optional(
      Type.String({ maxLength: 8000, description: 'System prompt: instructions on how to respond.' }),
    ),
    with_brand: Type.Optional(
      Type.Boolean({
        description:
          'Whether the model gets the brand of the workspace before `system`. See `GET /workspace/brand`. Defaults to false.',
      }),
    ),
    media_id: Type.Optional(
      idOf(
        'media',
        'Id of an image of the workspace, which the model sees with the prompt. Requires a model that accepts images. Larger images are sent with at most 1,568 pixels a side.',
      ),
    ),
    model: Type.Optional(ModelId),
    max_output_tokens: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 8192, description: 'Defaults to the setting of the model.' }),
    ),
    temperature: Type.Optional(
      Type.Number({ minimum: 0, maximum: 2, description: 'Defaults to the setting of the model.' }),
    ),
  },
  { title: 'TextPrompt', examples: [{ prompt: 'Announce fresh simit from seven in the morning.' }] },
)

export const BrandPrompt = Closed({ model: Type.Optional(ModelId) }, { title: 'BrandPrompt', examples: [{}] })

export const finishReasons = ['stop', 'length', 'content-filter', 'tool-calls', 'other'] as const

/** Fields beside the text. The last event of a stream has them too. */
const textParts = {
  id: idOf('generation'),
  finish_reason: Type.Enum([...finishReasons], {
    type: 'string',
    description: 'Reason why the text ends. `length`: it reached `max_output_tokens`.',
  }),
  model: UsedModel,
  usage: Tokens,
  credits: Credits,
}

export const MAX_TEXT = 1_000_000

export const GeneratedText = Type.Object(
  {
    ...textParts,
    text: Type.String({
      maxLength: MAX_TEXT,
      description: 'Generated text.',
      examples: ['Fresh simit, every day from seven!'],
    }),
  },
  { title: 'GeneratedText' },
)

export const ImagePrompt = Closed(
  {
    prompt: Prompt,
    model: Type.Optional(ModelId),
    size: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{1,3}x[1-9][0-9]{1,3}$',
        maxLength: 9,
        examples: ['1024x1024'],
        description:
          "Width and height in pixels. Must be a size that the model supports. Defaults to the model's own default.",
      }),
    ),
    n: Type.Optional(Type.Integer({ minimum: 1, maximum: 4, default: 1, description: 'Number of images.' })),
  },
  { title: 'ImagePrompt' },
)

export const GeneratedImages = Type.Object(
  {
    id: idOf('generation'),
    files: Type.Array(GeneratedFile, { maxItems: 4 }),
    model: UsedModel,
    credits: Credits,
  },
  { title: 'GeneratedImages' },
)

export const VideoPrompt = Closed(
  {
    prompt: Prompt,
    model: Type.Optional(ModelId),
    aspect_ratio: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]?:[1-9][0-9]?$',
        maxLength: 5,
        examples: ['16:9'],
        description: 'Aspect ratio, width to height.',
      }),
    ),
    duration_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, description: 'Length in seconds.' })),
  },
  { title: 'VideoPrompt' },
)

const orNull = <S extends TSchema>(schema: S) => nullable(schema)

export const Generation = Type.Object(
  {
    id: idOf('generation'),
    kind: Type.Enum([...generationKinds], { type: 'string', description: 'Kind of output.' }),
    state: Type.Enum([...generationStates], { type: 'string', description: 'State of the generation.' }),
    progress: orNull(
      Type.Number({ minimum: 0, maximum: 1, description: 'Progress of a video, from 0 to 1. Null for other kinds.' }),
    ),
    prompt: orNull(Type.String({ maxLength: 20_000, description: 'Prompt of the generation.' })),
    model: orNull(UsedModel),
    credits: Count(
      'Number of AI credits charged. 0 if the generation failed, or was canceled before the provider was called.',
    ),
    usage: orNull(Tokens),
    cost_usd: orNull(
      Usd(
        'Cost by the prices of the model; while the generation runs, the most that it may be. Null for a model without prices.',
        0.00125,
      ),
    ),
    is_cost_estimated: Type.Boolean({
      description:
        'Whether the provider did not report the usage from which the cost follows, or was called in vain and may bill the call.',
    }),
    files: Type.Array(GeneratedFile, { maxItems: 4, description: 'Generated files that are still stored.' }),
    error_code: orNull(
      Type.String({ maxLength: 60, description: 'Reason for the failure: an error code, or `interrupted`.' }),
    ),
    created_at: Time,
    ended_at: orNull(
      Type.Unsafe<Date>({ ...Time, description: 'Time at which the generation ended. Null while it is running.' }),
    ),
    user_id: orNull(idOf('user', 'Id of the user who started the generation.')),
  },
  { title: 'Generation' },
)

export const GenerationQuery = Closed({
  ...PageQuery,
  kind: Type.Optional(
    Type.Enum([...generationKinds], { type: 'string', description: 'Returns only generations of this kind.' }),
  ),
  state: Type.Optional(
    Type.Enum([...generationStates], { type: 'string', description: 'Returns only generations in this state.' }),
  ),
})
