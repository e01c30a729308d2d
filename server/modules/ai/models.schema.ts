import { Type } from 'typebox'
import { Closed, Count, Id, idPattern, Line, nullable, Time } from '../../lib/schema.ts'
import { providers } from '../options/catalogue.ts'

export const categories = ['text', 'image', 'video'] as const
export const apiTypes = ['chat', 'completion', 'embedding'] as const

export const MOST_TOKENS = 1_000_000

const Provider = Type.Enum([...providers], {
  type: 'string',
  description: 'The vendor. `ollama`: a server of your own; `custom`: any other that speaks the protocol of OpenAI',
})
const Category = Type.Enum([...categories], { type: 'string', description: 'What the model makes' })
const ApiType = Type.Enum([...apiTypes], {
  type: 'string',
  description: 'How a text model is called. `completion` is offered by openai, ollama and custom alone',
})
const ModelKey = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'What the vendor calls the model',
})
const Name = Line('What the model is called here')
const Kind = nullable(Line('Any further kind of your own', 60))
const ApiParams = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    {
      max_tokens: Type.Optional(
        nullable(
          Type.Integer({
            minimum: 1,
            maximum: MOST_TOKENS,
            default: 1024,
            description: 'The most tokens of an answer; null: as many as the vendor allows',
          }),
        ),
      ),
      temperature: Type.Optional(
        nullable(
          Type.Number({
            minimum: 0,
            maximum: 2,
            default: 0.7,
            description: 'null: not sent, for models that refuse it',
          }),
        ),
      ),
      top_p: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 1 }))),
      base_url: Type.Optional(
        nullable(
          Type.String({
            maxLength: 500,
            description: "In place of the vendor's own address. Private ranges only as AI_ALLOW_CIDRS allows",
          }),
        ),
      ),
      provider_options: Type.Optional(
        nullable(
          Type.Object(
            {},
            { additionalProperties: true, description: "Settings of the vendor's own, passed on to its package" },
          ),
        ),
      ),
    },
    { additionalProperties: true, description: 'How the model is called. At most 16 KB as JSON' },
  ),
)
const Meta = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { additionalProperties: true, description: 'Notes of your own. At most 16 KB as JSON' }),
)

const identity = {
  id: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'First, second …' }),
  id_secure: Type.Unsafe<string>({
    ...Id,
    description: 'The same for the public: it does not tell how many there are',
  }),
}
const described = { provider: Provider, model_key: ModelKey, name: Name, category: Category, type: Kind }

export const AiModel = Type.Object(
  {
    ...identity,
    ...described,
    is_active: Type.Boolean({ description: 'false: nobody can generate with it' }),
    api_type: ApiType,
    api_params: ApiParams,
    meta: Meta,
    api_key: Type.Object(
      {
        set: Type.Boolean(),
        last4: nullable(Type.String({ maxLength: 4, description: 'Of keys of at least 12 characters' })),
      },
      { description: 'Whether the model has a key of its own. Keys are never shown' },
    ),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'AiModel' },
)
export const ActiveAiModel = Type.Object(
  { ...identity, ...described, api_type: ApiType },
  { title: 'ActiveAiModel', description: 'A model that can be generated with' },
)
export const NewAiModel = Closed(
  {
    provider: Provider,
    model_key: ModelKey,
    name: Name,
    category: Type.Optional(Type.Enum([...categories], { type: 'string', default: 'text' })),
    type: Type.Optional(Kind),
    is_active: Type.Optional(Type.Boolean({ default: true })),
    api_type: Type.Optional(Type.Enum([...apiTypes], { type: 'string', default: 'chat' })),
    api_params: Type.Optional(ApiParams),
    meta: Type.Optional(Meta),
  },
  { title: 'NewAiModel' },
)
export const AiModelChanges = Closed(
  {
    provider: Type.Optional(Provider),
    model_key: Type.Optional(ModelKey),
    name: Type.Optional(Name),
    category: Type.Optional(Category),
    type: Type.Optional(Kind),
    is_active: Type.Optional(Type.Boolean()),
    api_type: Type.Optional(ApiType),
    api_params: Type.Optional(ApiParams),
    meta: Type.Optional(Meta),
  },
  { title: 'AiModelChanges', description: 'What is absent stays; `api_params` and `meta` are replaced whole' },
)
export const AiModelParams = Closed({
  id: Type.String({
    maxLength: 36,
    pattern: `${idPattern}|^[1-9][0-9]{0,9}$`,
    description: '`id` or `id_secure`',
  }),
})
export const aiModelFilters = {
  provider: Type.Optional(Type.Enum([...providers], { type: 'string' })),
  category: Type.Optional(Type.Enum([...categories], { type: 'string' })),
  is_active: Type.Optional(Type.Boolean()),
  search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the name or of the model key' })),
}
export const ActiveFilters = { category: Type.Optional(Type.Enum([...categories], { type: 'string' })) }
export const AiModelKey = Closed(
  {
    api_key: nullable(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'The key of the vendor for this model alone; null removes it',
      }),
    ),
  },
  { title: 'AiModelKey' },
)

export const keySources = ['model', 'global', 'none'] as const
export const vendorCodes = [
  'unauthorized',
  'forbidden',
  'not_found',
  'rate_limited',
  'bad_request',
  'vendor_error',
  'timeout',
  'unreachable',
  'garbage',
  'refused_url',
] as const

export const AiModelTestInput = Closed(
  {
    prompt: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2000, description: 'What is asked. Without it: a short question' }),
    ),
  },
  { title: 'AiModelTestInput' },
)
export const AiModelTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the vendor answered as it should' }),
    text: nullable(Type.String({ maxLength: 20_000, description: 'What a text model answered' })),
    latency_ms: Count('How long it took, in milliseconds'),
    usage: nullable(
      Type.Object({
        input_tokens: Count('Tokens that were read'),
        output_tokens: Count('Tokens that were written'),
      }),
    ),
    key_source: Type.Enum([...keySources], {
      type: 'string',
      description: "Whose key was used: the model's own, the global one of its vendor, or none",
    }),
    key_last4: nullable(Type.String({ maxLength: 4 })),
    error_code: nullable(
      Type.Enum([...vendorCodes], { type: 'string', description: 'What went wrong; null when nothing did' }),
    ),
    detail: nullable(Type.String({ maxLength: 400, description: 'The same in words' })),
    retry_after_s: nullable(
      Type.Integer({ minimum: 0, maximum: 86_400, description: 'When the vendor is to be asked again' }),
    ),
  },
  { title: 'AiModelTest' },
)
