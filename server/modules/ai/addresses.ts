import type { Config } from '../../config.ts'
import { isListed } from '../../lib/safe-http.ts'
import type { Provider } from '../options/catalogue.ts'

/** The vendors' own addresses. `custom` has none. */
const addresses: Record<Exclude<Provider, 'custom'>, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  xai: 'https://api.x.ai/v1',
  mistral: 'https://api.mistral.ai/v1',
  ollama: 'http://127.0.0.1:11434/v1',
}

type Addressed = { provider: Provider; api_params: unknown }

/** Where a model is called. One of `custom` has always an address of its own. */
export function addressOf({ provider, api_params }: Addressed) {
  const { base_url } = api_params as { base_url?: string | null }
  return (base_url ?? (provider === 'custom' ? '' : addresses[provider])).replace(/\/+$/, '')
}

/** Who gets what is sent there. */
export const receiverOf = (model: Addressed) => new URL(addressOf(model)).origin

/**
 * Whether the global key may be sent to where a model is called: to the vendor itself, and to servers in the ranges that
 * whoever runs this instance allows. What is called over plain http is in one of them, or the guard lets no call through.
 * Of `custom` there is nothing else than the addresses of its models.
 */
export function mayHaveGlobalKey({ AI_ALLOW_CIDRS }: Pick<Config, 'AI_ALLOW_CIDRS'>, model: Addressed) {
  const { provider } = model
  if (provider === 'custom') return true
  const { origin, protocol, hostname } = new URL(addressOf(model))
  if (origin === new URL(addresses[provider]).origin || protocol === 'http:') return true
  return isListed(hostname === 'localhost' ? '::1' : hostname.replace(/^\[|\]$/g, ''), AI_ALLOW_CIDRS)
}
