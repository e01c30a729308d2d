import type { Static } from 'typebox'
import { problem } from '../../../errors.ts'
import type { Deps } from '../../../lib/deps.ts'
import { sanitizeExternalText } from '../../../lib/text.ts'
import { exchangeCode } from '../oauth/token-requests.ts'
import { TokenRefusal } from '../oauth/token-response.ts'
import type { NetworkAppTest } from './apps.schema.ts'
import { type AppKey, findApp, findProvider, noteAppRefusal, redirectUri } from './apps.ts'

/** A code that no network issued. One that accepts the app refuses the code alone. */
const UNKNOWN_CODE = 'meydan-test'

/** Checks id and secret of an app by a token request with an unknown code. */
export async function testNetworkApp(deps: Deps, key: AppKey): Promise<Static<typeof NetworkAppTest>> {
  const { provider } = findProvider(key.network)
  const app = await findApp(deps, key)
  if (!app) throw problem('network_not_set_up')
  try {
    await exchangeCode(deps, provider, app, {
      code: UNKNOWN_CODE,
      redirect_uri: redirectUri(deps),
      code_verifier: provider.pkce ? UNKNOWN_CODE.repeat(4) : null,
      binding: null,
    })
  } catch (thrown) {
    if (!(thrown instanceof TokenRefusal)) throw thrown
    const message = sanitizeExternalText(thrown.message)
    if (thrown.refused !== 'grant') {
      if (thrown.refused === 'app') await noteAppRefusal(deps, key, { at: deps.clock.now(), reason: message })
      return { ok: false, message }
    }
  }
  await noteAppRefusal(deps, key, null)
  return { ok: true, message: null }
}
