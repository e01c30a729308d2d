import type { TFunction } from 'i18next'
import { type Option, secretOf } from '../options/queries'
import type { AiModel } from './queries'
import type { Category, Provider } from './search-params'

export const apiTypes = ['chat', 'completion', 'embedding'] as const satisfies AiModel['api_type'][]

type ProviderInfo = {
  name: string
  /** The kinds of output Meydan supports, each with a model of the provider as an example. */
  makes: { [Making in Category | 'embedding']?: string }
  completion?: true
  /** The page where its keys are created. */
  keys?: string
  /** The base URL, unless a model sets another. */
  address?: string
  /** It works without a key. */
  keyless?: true
}

export const providerInfo: Record<Provider, ProviderInfo> = {
  openai: {
    name: 'OpenAI',
    makes: { text: 'gpt-4.1-mini', image: 'gpt-image-1', embedding: 'text-embedding-3-small' },
    completion: true,
    keys: 'https://platform.openai.com/api-keys',
    address: 'https://api.openai.com/v1',
  },
  anthropic: {
    name: 'Anthropic',
    makes: { text: 'claude-sonnet-4-5' },
    keys: 'https://console.anthropic.com/settings/keys',
    address: 'https://api.anthropic.com/v1',
  },
  google: {
    name: 'Google',
    makes: {
      text: 'gemini-2.5-flash',
      image: 'gemini-2.5-flash-image',
      video: 'veo-3.1-generate-preview',
      embedding: 'gemini-embedding-001',
    },
    keys: 'https://aistudio.google.com/apikey',
    address: 'https://generativelanguage.googleapis.com/v1beta',
  },
  xai: {
    name: 'xAI',
    makes: { text: 'grok-4', image: 'grok-imagine-image', video: 'grok-imagine-video' },
    keys: 'https://console.x.ai',
    address: 'https://api.x.ai/v1',
  },
  mistral: {
    name: 'Mistral',
    makes: { text: 'mistral-large-latest', embedding: 'mistral-embed' },
    keys: 'https://console.mistral.ai/api-keys',
    address: 'https://api.mistral.ai/v1',
  },
  ollama: {
    name: 'Ollama',
    makes: { text: 'llama3.3', image: 'x/z-image-turbo', embedding: 'nomic-embed-text' },
    completion: true,
    address: 'http://127.0.0.1:11434/v1',
    keyless: true,
  },
  custom: {
    name: '',
    makes: { text: 'deepseek-chat', image: 'flux-1', embedding: 'bge-m3' },
    completion: true,
    keyless: true,
  },
}

export const providerName = (t: TFunction, provider: Provider) =>
  providerInfo[provider].name || t('admin.models.custom')

type KeyInUse = { source: 'model' | 'global' | 'none' | 'missing'; last4: string | null }

/** The key that calls of the model use: its own, else its provider's if that is the default provider. */
export function keyInUse({ provider, api_key }: Pick<AiModel, 'provider' | 'api_key'>, options: Option[]): KeyInUse {
  if (api_key.set) return { source: 'model', last4: api_key.last4 }
  const optionOf = (key: string) => options.find((option) => option.key === key)
  const global = secretOf(optionOf(`${provider}_api_key`))
  if (global.set && optionOf('ai.default_provider')?.value === provider)
    return { source: 'global', last4: global.last4 }
  return { source: providerInfo[provider].keyless ? 'none' : 'missing', last4: null }
}
