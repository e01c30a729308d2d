import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createXai } from '@ai-sdk/xai'
import type { EmbeddingModel, experimental_startVideo, generateText, ImageModel, LanguageModel } from 'ai'
import type { Deps } from '../../deps.ts'
import type { Provider } from '../options/catalogue.ts'
import { addressOf } from './addresses.ts'
import { keyOf, type ModelKey } from './keys.ts'
import type { CallableModel } from './models.ts'
import { textFetch } from './vendor-fetch.ts'

// The packages would tell of settings that a model does not take on standard output, past the log.
globalThis.AI_SDK_LOG_WARNINGS = false

type VideoModel = Parameters<typeof experimental_startVideo>[0]['model']

type CallSettings = Pick<
  Parameters<typeof generateText>[0],
  'maxOutputTokens' | 'temperature' | 'topP' | 'providerOptions'
> & {
  /** Meydan does not try again by itself: what a try costs is for whoever asked to say. */
  maxRetries: 0
}

/** A model that is ready to be called, with its key inside. Of the four kinds one is there, by its category. */
export type ReadyModel = Omit<ModelKey, 'api_key'> & {
  /** For generateText and streamText. */
  language?: Exclude<LanguageModel, string>
  embedding?: Exclude<EmbeddingModel, string>
  /** For generateImage. */
  image?: Exclude<ImageModel, string>
  /** For experimental_startVideo and experimental_getVideoStatus. */
  video?: Exclude<VideoModel, string>
  /** To be spread into generateText and streamText: what `api_params` say. */
  settings: CallSettings
  /** To be spread into generateImage and experimental_startVideo. */
  mediaSettings: Pick<CallSettings, 'providerOptions' | 'maxRetries'>
  /** Where it is called, with what it is called. For calls that no package makes; never to be told or logged. */
  endpoint: { base_url: string; headers: Record<string, string> }
}

type ApiParams = {
  max_tokens?: number | null
  temperature?: number | null
  top_p?: number | null
  provider_options?: Record<string, never> | null
}

/**
 * The model with its key and address. Throws `model_key_missing`. Every call goes through `deps.aiFetch`: guarded, not
 * redirected, bounded in size and time; the time of a call as a whole is for its caller to bound, with `abortSignal`.
 */
export async function modelFor(
  deps: Parameters<typeof keyOf>[0] & Pick<Deps, 'aiFetch'>,
  model: CallableModel,
): Promise<ReadyModel> {
  const { api_key, ...told } = await keyOf(deps, model)
  const params = model.api_params as ApiParams
  const base_url = addressOf(model)
  const providerOptions = params.provider_options ? { [model.provider]: params.provider_options } : undefined
  const mediaSettings = { maxRetries: 0 as const, ...(providerOptions && { providerOptions }) }
  return {
    ...told,
    ...made(model, {
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

type Made = Pick<ReadyModel, 'language' | 'embedding' | 'image' | 'video'>
type Access = { baseURL: string; apiKey: string; fetch: typeof fetch }

function made({ provider, model_key, category, api_type }: CallableModel, access: Access): Made {
  // Address and key are always given: what is absent, the packages would read from the environment.
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

/** How each vendor is told the key. */
function credentials(provider: Provider, key: string | undefined): Record<string, string> {
  if (key === undefined) return {}
  if (provider === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  if (provider === 'google') return { 'x-goog-api-key': key }
  return { authorization: `Bearer ${key}` }
}
