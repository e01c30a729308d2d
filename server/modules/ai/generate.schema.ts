import { type TSchema, Type } from 'typebox'
import { PageQuery } from '../../lib/page.ts'
import { Closed, Count, Id, nullable, Time } from '../../lib/schema.ts'

export const generationKinds = ['text', 'image', 'video'] as const
export const generationStates = ['running', 'succeeded', 'failed', 'canceled'] as const

/** Either id of a model, the number or the UUID. */
const ModelId = Type.Unsafe<number | string>({
  type: ['integer', 'string'],
  minimum: 1,
  maximum: 2_147_483_647,
  minLength: 1,
  maxLength: 36,
  description: 'Id of the model, `id` or `id_secure`. Absent: the one that this installation prefers',
})

const Prompt = Type.String({
  minLength: 1,
  maxLength: 20_000,
  pattern: '\\S',
  description: 'What to make',
})

/** The model that was used; null once it is deleted. */
const UsedModel = Type.Object({
  id: Count('Number of the model'),
  id_secure: Id,
  name: Type.String({ maxLength: 80 }),
})

const Tokens = Type.Object({
  input_tokens: nullable(Count('Tokens that were read')),
  output_tokens: nullable(Count('Tokens that were written')),
})

const Credits = Count('AI credits that it took')

const GeneratedFile = Type.Object(
  {
    id: Id,
    url: Type.String({ maxLength: 100, description: 'Path of the file on this installation; it is kept for 7 days' }),
    mime: Type.String({ maxLength: 40 }),
    bytes: Count('Size'),
  },
  { title: 'GeneratedFile' },
)

export const TextPrompt = Closed(
  {
    prompt: Prompt,
    system: Type.Optional(Type.String({ maxLength: 8000, description: 'How to go about it' })),
    model: Type.Optional(ModelId),
    max_output_tokens: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 8192, description: 'Absent: as the model is set up' }),
    ),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2, description: 'Absent: as the model is set up' })),
  },
  { title: 'TextPrompt' },
)

export const finishReasons = ['stop', 'length', 'content-filter', 'tool-calls', 'other'] as const

/** What the text itself comes with; the last event of a stream has it too. */
const textParts = {
  id: Id,
  finish_reason: Type.Enum([...finishReasons], {
    type: 'string',
    description: 'Why the text ends; length: at max_output_tokens',
  }),
  model: UsedModel,
  usage: Tokens,
  credits: Credits,
}

export const MOST_TEXT = 1_000_000

export const GeneratedText = Type.Object(
  { ...textParts, text: Type.String({ maxLength: MOST_TEXT }) },
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
        description: 'Width and height in pixels, out of those that the model makes. Absent: its own choice',
      }),
    ),
    n: Type.Optional(Type.Integer({ minimum: 1, maximum: 4, default: 1, description: 'How many' })),
  },
  { title: 'ImagePrompt' },
)

export const GeneratedImages = Type.Object(
  {
    id: Id,
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
      Type.String({ pattern: '^[1-9][0-9]?:[1-9][0-9]?$', maxLength: 5, examples: ['16:9'] }),
    ),
    duration_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, description: 'Length in seconds' })),
  },
  { title: 'VideoPrompt' },
)

const orNull = <S extends TSchema>(schema: S) => nullable(schema)

export const Generation = Type.Object(
  {
    id: Id,
    kind: Type.Enum([...generationKinds], { type: 'string' }),
    state: Type.Enum([...generationStates], { type: 'string' }),
    progress: orNull(Type.Number({ minimum: 0, maximum: 1, description: 'Of a video that is being made; 1: done' })),
    prompt: orNull(Type.String({ maxLength: 20_000 })),
    model: orNull(UsedModel),
    credits: Count('AI credits that it took; 0 when it failed, or was canceled before anything of it was told'),
    usage: orNull(Tokens),
    files: Type.Array(GeneratedFile, { maxItems: 4, description: 'Those that are still kept' }),
    error_code: orNull(
      Type.String({ maxLength: 60, description: 'Why it failed: a code of a refusal, or `interrupted`' }),
    ),
    created_at: Time,
    ended_at: orNull(Time),
    user_id: orNull(Type.String({ ...Id, description: 'Who asked for it' })),
  },
  { title: 'Generation' },
)

export const GenerationQuery = Closed({
  ...PageQuery,
  kind: Type.Optional(Type.Enum([...generationKinds], { type: 'string' })),
  state: Type.Optional(Type.Enum([...generationStates], { type: 'string' })),
})
