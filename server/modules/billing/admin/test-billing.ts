import type { Deps } from '../../../lib/deps.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'
import { ProviderError } from '../providers/provider.ts'
import { missingSettings, providerOf } from '../providers/registry.ts'

/** Asks the chosen provider something harmless. Everything that is wrong with it is a result, not an error. */
export async function testBilling(deps: Deps) {
  const provider = providerOf(await deps.options.get('billing.provider'))
  const missing = await missingSettings(deps, provider)
  const result = (ok: boolean, message: string) => ({
    provider: provider.name,
    ok,
    message: sanitizeExternalText(message),
    missing,
  })
  if (missing.length > 0) return result(false, `These options are not set: ${missing.join(', ')}.`)
  try {
    return result(true, await provider.test(deps))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return result(false, error.message)
  }
}
