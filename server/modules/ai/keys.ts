import type { Deps } from '../../deps.ts'
import { problem } from '../../errors.ts'
import { keyOfModel, type Provider } from '../options/catalogue.ts'
import type { keySources } from './models.schema.ts'

export type ModelKey = {
  api_key: string | undefined
  key_source: (typeof keySources)[number]
  key_last4: string | null
}

/** Of a key that is long enough for it, its end, by which one is told from another. */
const last4 = (key: string) => (key.length >= 12 ? key.slice(-4) : null)

/** What runs at home, or is somebody's own, may ask for no key. */
const mayDoWithout = (provider: Provider) => provider === 'ollama' || provider === 'custom'

/**
 * The key that a model is called with: its own; the global one only when it has none, and only of the default vendor.
 * Whether a vendor takes the key plays no part: a model whose own key is refused is never called with another.
 */
export async function keyOf(
  { options }: Pick<Deps, 'options'>,
  { id, provider }: { id: number; provider: Provider },
): Promise<ModelKey> {
  const own = await options.secret(keyOfModel(id))
  if (own !== undefined) return { api_key: own, key_source: 'model', key_last4: last4(own) }
  const global =
    (await options.get('ai.default_provider')) === provider ? await options.secret(`${provider}_api_key`) : undefined
  if (global !== undefined) return { api_key: global, key_source: 'global', key_last4: last4(global) }
  if (mayDoWithout(provider)) return { api_key: undefined, key_source: 'none', key_last4: null }
  throw problem('model_key_missing', {
    detail: `The model has no key of its own, and there is no global key of ${provider} that stands in for it.`,
  })
}
