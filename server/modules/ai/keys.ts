import type { Deps } from '../../deps.ts'
import { problem } from '../../errors.ts'
import type { Provider } from '../options/catalogue.ts'
import { openSecret } from '../options/options.ts'
import { mayHaveGlobalKey, receiverOf } from './addresses.ts'
import type { keySources } from './models.schema.ts'
import type { CallableModel } from './models.ts'

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
  { options, db, keyring, config }: Pick<Deps, 'options' | 'db' | 'keyring' | 'config'>,
  model: CallableModel,
): Promise<ModelKey> {
  const { provider, key_id, sealed_key } = model
  if (key_id !== null && sealed_key !== null) {
    const own = openSecret({ keyring }, { id: key_id, secret: sealed_key })
    return { api_key: own, key_source: 'model', key_last4: last4(own) }
  }
  const global =
    (await options.get('ai.default_provider', db)) === provider
      ? await options.secret(`${provider}_api_key`, db)
      : undefined
  const isTrusted = mayHaveGlobalKey(config, model)
  if (global !== undefined && isTrusted) return { api_key: global, key_source: 'global', key_last4: last4(global) }
  if (mayDoWithout(provider)) return { api_key: undefined, key_source: 'none', key_last4: null }
  throw problem('model_key_missing', {
    detail: isTrusted
      ? `The model has no key of its own, and there is no global key of ${provider} that stands in for it.`
      : `The model has no key of its own, and a global key is not sent to ${receiverOf(model)}, which is not ${provider}.`,
  })
}
