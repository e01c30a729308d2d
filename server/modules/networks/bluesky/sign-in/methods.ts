import type { Deps } from '../../../../lib/deps.ts'
import { NetworkFault } from '../../network.ts'
import { TokenRefusal } from '../../oauth/token-response.ts'
import type { Tokens } from '../../oauth/tokens.ts'
import { type Methods, methodsOf } from '../library.ts'
import { bindingOf, openKey, tokenSetOf } from './binding.ts'
import { anonymous, openClient } from './client.ts'

/** For the calls of one piece of work, such as an upload. */
const DEADLINE_MS = 60_000
const MAX_BYTES = 2_000_000

async function openSession(deps: Deps, tokens: Tokens) {
  const binding = bindingOf(tokens)
  const session = {
    dpopKey: await openKey(binding.key),
    authMethod: { method: 'none' as const },
    tokenSet: await tokenSetOf(tokens, binding),
  }
  // Calls of an account prove the key of its tokens, and not who the client is.
  const client = await openClient(deps, anonymous, { session, deadlineMs: DEADLINE_MS, maxBytes: MAX_BYTES })
  return client.restore(binding.did, false)
}

/** Methods that are called with the tokens of a sign-in. Throws a `NetworkFault`: nothing was sent. */
export async function signInMethods(deps: Deps, tokens: Tokens): Promise<Methods> {
  try {
    const session = await openSession(deps, tokens)
    return await methodsOf((path, init) => session.fetchHandler(path, init))
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    const kind = cause instanceof TokenRefusal && cause.refused === 'grant' ? 'unauthorized' : 'unavailable'
    throw new NetworkFault({ kind, message }, { cause })
  }
}
