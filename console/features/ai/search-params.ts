import type { components } from '../../api.gen'
import { type Search, textParam } from '../../ui/navigation/search-params'

type AiModel = components['schemas']['AiModel']
export type Provider = AiModel['provider']
export type Category = AiModel['category']

export const providers = [
  'openai',
  'anthropic',
  'google',
  'xai',
  'mistral',
  'ollama',
  'custom',
] as const satisfies Provider[]
export const categories = ['text', 'image', 'video'] as const satisfies Category[]

export const providerOf = (name: unknown) => providers.find((known) => known === name)
export const categoryOf = (name: unknown) => categories.find((known) => known === name)

/** The filters of the list of models, kept in the URL. */
export type ModelFilters = {
  search?: string
  provider?: Provider | undefined
  category?: Category | undefined
  active?: boolean | undefined
}

export const validateModelSearch = (search: Search): ModelFilters => ({
  ...textParam(search, 'search'),
  provider: providerOf(search.provider),
  category: categoryOf(search.category),
  active: typeof search.active === 'boolean' ? search.active : undefined,
})
