import type { EmbeddingModel, experimental_startVideo, generateText, ImageModel, LanguageModel } from 'ai'
import type { Deps } from '../../../lib/deps.ts'
import type { Provider } from '../../options/catalogue.ts'
import type { CallableModel } from '../models/models.ts'
import { baseUrlOf } from '../models/provider-urls.ts'
import { keyOf, type ModelKey } from './keys.ts'
import { textFetch, withoutRefusedSchema } from './provider-fetch.ts'

// Otherwise the packages print warnings on unsupported settings to standard output, past the log.
globalThis.AI_SDK_LOG_WARNINGS = false

type VideoModel = Parameters<typeof experimental_startVideo>[0]['model']

type CallSettings = Pick<
  Parameters<typeof generateText>[0],
  'maxOutputTokens' | 'temperature' | 'topP' | 'providerOptions'
> & {
  /** Meydan never retries by itself: each try costs, so the caller decides. */
  maxRetries: 0
}

/** A model ready to be called, with its key. One of the four kinds is set, by category. */
export type ReadyModel = Omit<ModelKey, 'api_key'> & {
  /** Model for generateText and streamText. */
  language?: Exclude<LanguageModel, string>
  embedding?: Exclude<EmbeddingModel, string>
  /** Model for generateImage. */
  image?: Exclude<ImageModel, string>
  /** Model for experimental_startVideo and experimental_getVideoStatus. */
  video?: Exclude<VideoModel, string>
  /** Settings from `api_params`, for generateText and streamText. */
  settings: CallSettings
  /** Settings for generateImage and experimental_startVideo. */
  mediaSettings: Pick<CallSettings, 'providerOptions' | 'maxRetries'>
  /** Address and credentials for calls made without a package. Never show or log them. */
  endpoint: { base_url: string; headers: Record<string, string> }
}

type ApiParams = {
  max_tokens?: number | null
  temperature?: number | null
  top_p?: number | null
  structured_outputs?: boolean | null
  provider_options?: Record<string, never> | null
}

/**
 * Returns the model with its key and address. Throws `model_key_missing`. Every call goes through `deps.aiFetch`:
 * guarded, no redirects, limits on size and time. Callers limit the whole call with `abortSignal`.
 */
export async function modelFor(
  deps: Parameters<typeof keyOf>[0] & Pick<Deps, 'aiFetch'>,
  model: CallableModel,
): Promise<ReadyModel> {
  const { api_key, ...keyInfo } = await keyOf(deps, model)
  const params = model.api_params as ApiParams
  const base_url = baseUrlOf(model)
  const providerOptions = params.provider_options ? { [model.provider]: params.provider_options } : undefined
  const mediaSettings = { maxRetries: 0 as const, ...(providerOptions && { providerOptions }) }
  return {
    ...keyInfo,
    ...(await createModelClient(model, {
      baseURL: base_url,
      apiKey: api_key ?? '',
      fetch: model.category === 'text' ? textFetch(deps.aiFetch) : deps.aiFetch,
    })),
    settings: {
      ...mediaSettings,
      ...(typeof params.max_tokens === 'number' && { maxOutputTokens: params.max_tokens }),
      ...(typeof params.temperature === 'number' && { temperature: params.temperature }),
      ...(typeof params.top_p === 'number' && { topP: params.top_p }),
    },
    mediaSettings,
    endpoint: { base_url, headers: credentials(model.provider, api_key) },
  }
}

type ModelClient = Pick<ReadyModel, 'language' | 'embedding' | 'image' | 'video'>
type Access = { baseURL: string; apiKey: string; fetch: typeof fetch }

// Always pass address and key. Otherwise the packages read them from the environment.
const anthropic = async (access: Access) => (await import('@ai-sdk/anthropic')).createAnthropic(access)
const google = async (access: Access) => (await import('@ai-sdk/google')).createGoogle(access)
const mistral = async (access: Access) => (await import('@ai-sdk/mistral')).createMistral(access)
const openAi = async (access: Access) => (await import('@ai-sdk/openai')).createOpenAI(access)
const xai = async (access: Access) => (await import('@ai-sdk/xai')).createXai(access)
const compatible = async ({ provider, api_params }: CallableModel, { apiKey, ...access }: Access) =>
  (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({
    ...access,
    fetch: withoutRefusedSchema(access.fetch),
    name: provider,
    includeUsage: true,
    // Nearly all of these servers take a schema, and output that follows one needs no second call.
    supportsStructuredOutputs: (api_params as ApiParams).structured_outputs !== false,
    ...(apiKey && { apiKey }),
  })

/** Loads the package of the provider, and no other. */
async function createModelClient(called: CallableModel, access: Access): Promise<ModelClient> {
  const { provider, model_key, category, api_type } = called
  if (category === 'video') {
    if (provider === 'google') return { video: (await google(access)).video(model_key) }
    if (provider === 'xai') return { video: (await xai(access)).video(model_key) }
    return {}
  }
  if (category === 'image') {
    if (provider === 'openai') return { image: (await openAi(access)).image(model_key) }
    if (provider === 'google') return { image: (await google(access)).image(model_key) }
    if (provider === 'xai') return { image: (await xai(access)).image(model_key) }
    if (provider === 'ollama' || provider === 'custom')
      return { image: (await compatible(called, access)).imageModel(model_key) }
    return {}
  }
  if (provider === 'anthropic') return { language: (await anthropic(access))(model_key) }
  if (provider === 'xai') return { language: (await xai(access))(model_key) }
  if (provider === 'google') {
    const models = await google(access)
    return api_type === 'embedding' ? { embedding: models.embedding(model_key) } : { language: models(model_key) }
  }
  if (provider === 'mistral') {
    const models = await mistral(access)
    return api_type === 'embedding' ? { embedding: models.embedding(model_key) } : { language: models(model_key) }
  }
  if (provider === 'openai') {
    const models = await openAi(access)
    if (api_type === 'embedding') return { embedding: models.embedding(model_key) }
    return { language: api_type === 'completion' ? models.completion(model_key) : models.chat(model_key) }
  }
  const models = await compatible(called, access)
  if (api_type === 'embedding') return { embedding: models.embeddingModel(model_key) }
  return { language: api_type === 'completion' ? models.completionModel(model_key) : models.chatModel(model_key) }
}

/** Headers with the key, by provider. */
function credentials(provider: Provider, key: string | undefined): Record<string, string> {
  if (key === undefined) return {}
  if (provider === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  if (provider === 'google') return { 'x-goog-api-key': key }
  return { authorization: `Bearer ${key}` }
}
