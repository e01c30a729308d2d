import type { Config } from '../../../config/config.ts'
import { isListed } from '../../../lib/outbound/safe-http.ts'
import type { Provider } from '../../options/catalogue.ts'

const defaultUrls: Record<Exclude<Provider, 'custom'>, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  xai: 'https://api.x.ai/v1',
  mistral: 'https://api.mistral.ai/v1',
  ollama: 'http://127.0.0.1:11434/v1',
}

type Addressed = { provider: Provider; api_params: unknown }

/** Base URL of a model. Models of `custom` always have their own. */
export function baseUrlOf({ provider, api_params }: Addressed) {
  const { base_url } = api_params as { base_url?: string | null }
  return (base_url ?? (provider === 'custom' ? '' : defaultUrls[provider])).replace(/\/+$/, '')
}

/** Origin that receives the calls. */
export const receiverOf = (model: Addressed) => new URL(baseUrlOf(model)).origin

/**
 * Whether the global key may be sent to the address of a model: the provider itself, or a server in the ranges that the
 * operator allows. Addresses with plain http are in these ranges, or the guard blocks the call. `custom` has only the
 * addresses of its models.
 */
export function mayHaveGlobalKey({ AI_ALLOW_CIDRS }: Pick<Config, 'AI_ALLOW_CIDRS'>, model: Addressed) {
  const { provider } = model
  if (provider === 'custom') return true
  const { origin, protocol, hostname } = new URL(baseUrlOf(model))
  if (origin === new URL(defaultUrls[provider]).origin || protocol === 'http:') return true
  return isListed(hostname === 'localhost' ? '::1' : hostname.replace(/^\[|\]$/g, ''), AI_ALLOW_CIDRS)
}
