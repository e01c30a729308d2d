import type { Selectable } from 'kysely'
import type { Db } from '../../../lib/db/database.ts'
import type { AiModel, GenerationKind } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'

/** Prices of the provider of a model, in millionths of a US dollar. Null: not known. */
export type Prices = Pick<Selectable<AiModel>, 'input_price' | 'output_price' | 'image_price' | 'video_second_price'>

/** Texts are priced by the million tokens. */
const MILLION = 1_000_000
/** Tokens that a chat adds to its texts, such as the roles of messages. */
const FRAME_TOKENS = 1000
/** Output tokens of a model without `max_tokens`, those of its reasoning included. */
const UNLIMITED_TOKENS = 128_000
/** The most that an image of 1,568 pixels takes in a prompt: GPT-4o mini counts 2,833, and 5,667 for each of 8 tiles. */
const IMAGE_TOKENS = 50_000
/** Tokens that Anthropic adds for thinking without `budgetTokens`. */
const THINKING_TOKENS = 1024
/** Average in English. Other languages have fewer. */
const BYTES_PER_TOKEN = 4
/** Seconds of a video whose length is left to the provider. None makes longer ones then. */
const VIDEO_SECONDS = 15

export const textCost = ({ input_price, output_price }: Prices, tokens: { input: number; output: number }) =>
  input_price === null || output_price === null
    ? null
    : Math.ceil((tokens.input * input_price + tokens.output * output_price) / MILLION)

type Limits = { provider: string; api_params: unknown }
type LimitParams = {
  max_tokens?: unknown
  provider_options?: { thinking?: { type?: unknown; budgetTokens?: unknown } | null } | null
}

/** The most tokens that a model writes. Anthropic adds those of thinking to the maximum that a call sets. */
export function maxOutputTokens({ provider, api_params }: Limits, asked?: number) {
  const { max_tokens, provider_options } = api_params as LimitParams
  const max = asked ?? (typeof max_tokens === 'number' ? max_tokens : UNLIMITED_TOKENS)
  const thinking = provider === 'anthropic' ? provider_options?.thinking : undefined
  if (thinking?.type !== 'enabled') return max
  return max + (typeof thinking.budgetTokens === 'number' ? thinking.budgetTokens : THINKING_TOKENS)
}

/** The most that a text may cost: no token is made of less than a byte. */
export const maxTextCost = (prices: Prices, sent: { bytes: number; images?: number; max_tokens: number }) =>
  textCost(prices, {
    input: sent.bytes + FRAME_TOKENS + (sent.images ?? 0) * IMAGE_TOKENS,
    output: sent.max_tokens,
  })

export const imageCost = ({ image_price }: Prices, images: number) =>
  image_price === null ? null : image_price * images

export const videoCost = ({ video_second_price }: Pick<Prices, 'video_second_price'>, seconds = VIDEO_SECONDS) =>
  video_second_price === null ? null : Math.ceil(video_second_price * seconds)

type Usage = { inputTokens?: number | undefined; outputTokens?: number | undefined }

/** A number of tokens that can be stored. Some providers report none, and some packages turn that into NaN. */
export const countedTokens = (number: number | undefined) =>
  number === undefined || !Number.isFinite(number) || number < 0 ? null : Math.min(Math.round(number), 2_147_483_647)

const estimatedTokens = (bytes: number) => Math.ceil(bytes / BYTES_PER_TOKEN)

/**
 * Tokens and cost of a text, as they are stored. Without tokens of the provider, the cost is estimated from the length of
 * what was sent and received. Some packages turn missing tokens into 0, which no prompt has.
 */
export function textUsage(prices: Prices, usage: Usage, { bytes, text }: { bytes: number; text: string }) {
  const [input_tokens, output_tokens] = [countedTokens(usage.inputTokens), countedTokens(usage.outputTokens)]
  const cost = textCost(prices, {
    input: input_tokens || estimatedTokens(bytes),
    output: output_tokens || estimatedTokens(Buffer.byteLength(text)),
  })
  const is_cost_estimated = cost !== null && !(input_tokens && (output_tokens || text === ''))
  return { input_tokens, output_tokens, cost, is_cost_estimated }
}

/** Prices of the models that generate without being named: chats of the lowest id, other kinds as `chooseModel` does. */
export async function usualPrices({ options }: Pick<Deps, 'options'>, db: Db) {
  const models = await db
    .selectFrom('ai_model')
    .select(['category', 'provider', 'api_type', 'api_params'])
    .select(['input_price', 'output_price', 'image_price', 'video_second_price'])
    .where('is_active', '=', true)
    .where('api_type', '<>', 'embedding')
    .orderBy('id')
    .execute()
  const provider = await options.get('ai.default_provider', db)
  const preferred = (kind: GenerationKind) => {
    const able = models.filter(({ category }) => category === kind)
    return able.find((model) => model.provider === provider) ?? able[0]
  }
  const text = models.find(({ category, api_type }) => category === 'text' && api_type === 'chat')
  return { text, image: preferred('image'), video: preferred('video') }
}
