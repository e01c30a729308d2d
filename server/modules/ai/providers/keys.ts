import { problem } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Provider } from '../../options/catalogue.ts'
import { openSecret } from '../../options/options.ts'
import type { keySources } from '../models/models.schema.ts'
import type { CallableModel } from '../models/models.ts'
import { mayHaveGlobalKey, receiverOf } from '../models/provider-urls.ts'

export type ModelKey = {
  api_key: string | undefined
  key_source: (typeof keySources)[number]
  key_last4: string | null
}

/** Last four characters, to identify a key. Null for short keys. */
const last4 = (key: string) => (key.length >= 12 ? key.slice(-4) : null)

/** Local and custom servers may need no key. */
const mayDoWithout = (provider: Provider) => provider === 'ollama' || provider === 'custom'

/**
 * Returns the key to call a model with: its own, or else the global one, if it is of the default provider. A rejected
 * key changes nothing: a model whose own key is rejected is never called with another.
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
      ? `The model has no API key, and there is no global API key of ${provider} to use instead.`
      : `The model has no API key, and the global API key of ${provider} is not sent to ${receiverOf(model)}, which is another server.`,
  })
}
