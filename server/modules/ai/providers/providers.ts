import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createXai } from '@ai-sdk/xai'
import type { EmbeddingModel, experimental_startVideo, generateText, ImageModel, LanguageModel } from 'ai'
import type { Deps } from '../../../lib/deps.ts'
import type { Provider } from '../../options/catalogue.ts'
import type { CallableModel } from '../models/models.ts'
import { keyOf, type ModelKey } from './keys.ts'
import { textFetch } from './provider-fetch.ts'
import { baseUrlOf } from './provider-urls.ts'

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
  /** For generateText and streamText. */
  language?: Exclude<LanguageModel, string>
  embedding?: Exclude<EmbeddingModel, string>
  /** For generateImage. */
  image?: Exclude<ImageModel, string>
  /** For experimental_startVideo and experimental_getVideoStatus. */
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
    ...createModelClient(model, {
      baseURL: base_url,
      apiKey: api_key ?? '',
      fetch: model.category === 'text' ? textFetch(deps.aiFetch) : deps.aiFetch,
    }),
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

function createModelClient({ provider, model_key, category, api_type }: CallableModel, access: Access): ModelClient {
  // Always pass address and key. Otherwise the packages read them from the environment.
  if (category === 'video') {
    if (provider === 'google') return { video: createGoogle(access).video(model_key) }
    if (provider === 'xai') return { video: createXai(access).video(model_key) }
    return {}
  }
  if (category === 'image') {
    if (provider === 'openai') return { image: createOpenAI(access).image(model_key) }
    if (provider === 'google') return { image: createGoogle(access).image(model_key) }
    if (provider === 'xai') return { image: createXai(access).image(model_key) }
    if (provider === 'ollama' || provider === 'custom')
      return { image: compatible(provider, access).imageModel(model_key) }
    return {}
  }
  if (provider === 'anthropic') return { language: createAnthropic(access)(model_key) }
  if (provider === 'xai') return { language: createXai(access)(model_key) }
  if (provider === 'google') {
    const google = createGoogle(access)
    return api_type === 'embedding' ? { embedding: google.embedding(model_key) } : { language: google(model_key) }
  }
  if (provider === 'mistral') {
    const mistral = createMistral(access)
    return api_type === 'embedding' ? { embedding: mistral.embedding(model_key) } : { language: mistral(model_key) }
  }
  if (provider === 'openai') {
    const openai = createOpenAI(access)
    if (api_type === 'embedding') return { embedding: openai.embedding(model_key) }
    return { language: api_type === 'completion' ? openai.completion(model_key) : openai.chat(model_key) }
  }
  const own = compatible(provider, access)
  if (api_type === 'embedding') return { embedding: own.embeddingModel(model_key) }
  return { language: api_type === 'completion' ? own.completionModel(model_key) : own.chatModel(model_key) }
}

const compatible = (name: string, { apiKey, ...access }: Access) =>
  createOpenAICompatible({ ...access, name, includeUsage: true, ...(apiKey && { apiKey }) })

/** Headers with the key, by provider. */
function credentials(provider: Provider, key: string | undefined): Record<string, string> {
  if (key === undefined) return {}
  if (provider === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  if (provider === 'google') return { 'x-goog-api-key': key }
  return { authorization: `Bearer ${key}` }
}
