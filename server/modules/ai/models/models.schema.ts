import { Type } from 'typebox'
import { Closed, Count, idOf, idPattern, Line, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Usd } from '../../../lib/money.ts'
import { providers } from '../../options/catalogue.ts'

const categories = ['text', 'image', 'video'] as const
const apiTypes = ['chat', 'completion', 'embedding'] as const

const MAX_TOKENS = 1_000_000

const Provider = Type.Enum([...providers], {
  type: 'string',
  description:
    'AI provider of the model. `ollama`: your own Ollama server. `custom`: any other server with an OpenAI-compatible API.',
})
const Category = Type.Enum([...categories], { type: 'string', description: 'Kind of output that the model generates.' })
const ApiType = Type.Enum([...apiTypes], {
  type: 'string',
  description: 'API of a text model. Only `openai`, `ollama` and `custom` offer `completion`.',
})
const ModelKey = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[\\x21-\\x7e]+$',
  description: 'Name of the model at its provider.',
  examples: ['gpt-5-mini'],
})
const Name = Line('Display name of the model', 'GPT-5 mini')
const Kind = nullable(Line('Category of your own', 'Drafts', 60))
const ApiParams = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    {
      max_tokens: Type.Optional(
        nullable(
          Type.Integer({
            minimum: 1,
            maximum: MAX_TOKENS,
            default: 1024,
            description: 'Maximum number of output tokens. Null for the maximum of the provider.',
          }),
        ),
      ),
      temperature: Type.Optional(
        nullable(
          Type.Number({
            minimum: 0,
            maximum: 2,
            default: 0.7,
            description: 'Sampling temperature. Null omits it, for models that reject it.',
          }),
        ),
      ),
      top_p: Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 1 }))),
      base_url: Type.Optional(
        nullable(
          Type.String({
            maxLength: 500,
            description:
              "Base URL to use instead of the provider's own. Addresses in private ranges must be allowed by `AI_ALLOW_CIDRS`.",
          }),
        ),
      ),
      structured_outputs: Type.Optional(
        nullable(
          Type.Boolean({
            description:
              'Whether models of `ollama` and `custom` are sent the JSON Schema of an output. A server that refuses it with 400 is asked again for JSON, which is checked. False for such servers saves that call. True unless it is set.',
          }),
        ),
      ),
      provider_options: Type.Optional(
        nullable(
          Type.Object(
            {},
            {
              additionalProperties: true,
              description: "Provider-specific settings, passed to the provider's package.",
            },
          ),
        ),
      ),
    },
    {
      additionalProperties: true,
      description: 'Parameters of each call of the model. At most 16 KB as JSON.',
      examples: [{ max_tokens: 1024 }],
    },
  ),
)
const Meta = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { additionalProperties: true, description: 'Metadata of your own. At most 16 KB as JSON.' }),
)

const MAX_PRICE = 1000
const price = (description: string, example: number) =>
  Type.Optional(nullable(Usd(`${description} Null: not known.`, example, { maximum: MAX_PRICE })))
const prices = {
  input_price_usd: price('Price of a million input tokens of a text model.', 0.25),
  output_price_usd: price(
    'Price of a million output tokens of a text model, those of its reasoning included. Set both prices of tokens or neither.',
    2,
  ),
  image_price_usd: price('Price of an image of an image model.', 0.04),
  video_second_price_usd: price('Price of a second of a video of a video model.', 0.1),
}

const identity = {
  id: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Numeric id, counting up from 1.' }),
  id_secure: idOf('model', 'Id that does not reveal the number of models (UUIDv7).'),
}
const described = { provider: Provider, model_key: ModelKey, name: Name, category: Category, type: Kind }

export const AiModel = Type.Object(
  {
    ...identity,
    ...described,
    is_active: Type.Boolean({ description: 'Whether the model can be used to generate.' }),
    api_type: ApiType,
    api_params: ApiParams,
    meta: Meta,
    ...Type.Required(Type.Object(prices)).properties,
    api_key: Type.Object(
      {
        set: Type.Boolean(),
        last4: nullable(
          Type.String({
            maxLength: 4,
            description: 'Last four characters of the key. Null for keys shorter than 12 characters.',
            examples: ['f3c9'],
          }),
        ),
      },
      { description: 'Whether the model has its own API key. Keys are never returned.' },
    ),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'AiModel' },
)
export const ActiveAiModel = Type.Object(
  { ...identity, ...described, api_type: ApiType },
  { title: 'ActiveAiModel', description: 'Model that can be used to generate.' },
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
    ...prices,
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
    ...prices,
  },
  {
    title: 'AiModelChanges',
    examples: [{ name: 'GPT-5 mini', is_active: true }],
    description: 'Omitted fields do not change. `api_params` and `meta` are replaced as a whole.',
  },
)
export const AiModelParams = Closed({
  id: Type.String({
    maxLength: 36,
    pattern: `${idPattern}|^[1-9][0-9]{0,9}$`,
    description: '`id` or `id_secure` of the model.',
    examples: ['1'],
  }),
})
export const aiModelFilters = {
  provider: Type.Optional(Type.Enum([...providers], { type: 'string' })),
  category: Type.Optional(Type.Enum([...categories], { type: 'string' })),
  is_active: Type.Optional(Type.Boolean()),
  search: Type.Optional(
    Type.String({ maxLength: 100, description: 'Returns only models whose name or model key contains this.' }),
  ),
}
export const ActiveFilters = { category: Type.Optional(Type.Enum([...categories], { type: 'string' })) }
export const AiModelKey = Closed(
  {
    api_key: nullable(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'API key for this model only. Null removes it.',
        examples: ['the-api-key-of-the-provider'],
      }),
    ),
  },
  { title: 'AiModelKey' },
)

export const keySources = ['model', 'global', 'none'] as const
export const providerErrorCodes = [
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
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'Prompt of the test. Defaults to a short question.',
        examples: ['Say hello.'],
      }),
    ),
  },
  { title: 'AiModelTestInput' },
)
export const AiModelTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the provider returned a usable response.' }),
    text: nullable(Type.String({ maxLength: 20_000, description: 'Output of a text model.', examples: ['Hello!'] })),
    latency_ms: Count('Duration in milliseconds.', 412),
    usage: nullable(
      Type.Object({
        input_tokens: Count('Number of input tokens.'),
        output_tokens: Count('Number of output tokens.'),
      }),
    ),
    key_source: Type.Enum([...keySources], {
      type: 'string',
      description: 'API key that was used: `model` (its own), `global` (that of its provider) or `none`.',
    }),
    key_last4: nullable(Type.String({ maxLength: 4 })),
    error_code: nullable(
      Type.Enum([...providerErrorCodes], { type: 'string', description: 'Reason for the failure. Null on success.' }),
    ),
    detail: nullable(Type.String({ maxLength: 400, description: 'Explanation of the failure. Null on success.' })),
    retry_after_s: nullable(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        description: 'Seconds to wait before the next call, as requested by the provider.',
      }),
    ),
  },
  { title: 'AiModelTest' },
)
