import { fieldsOf } from '../../calls/call.ts'
import { refusalOf, TokenRefusal } from '../../oauth/token-response.ts'
import { toFault } from '../errors.ts'
import { loadOAuth } from './binding.ts'

const MOVED =
  'The account is no longer on the server at which it signed in, or another account signed in. Sign in again.'

/** Errors of the library as refusals. A server without a usable response is `unavailable`: it may have done its work. */
async function toRefusal(thrown: unknown): Promise<TokenRefusal> {
  if (thrown instanceof TokenRefusal) return thrown
  const { OAuthResponseError } = await loadOAuth()
  if (thrown instanceof OAuthResponseError) {
    const refusal = refusalOf(thrown.status, fieldsOf(thrown.payload))
    return refusal ?? new TokenRefusal('unavailable', thrown.message, { cause: thrown })
  }
  const { message } = toFault(thrown)
  // The library says so of a DID whose document names another server than the one that responded.
  if (thrown instanceof TypeError && message === 'Issuer mismatch')
    return new TokenRefusal('grant', MOVED, { cause: thrown })
  return new TokenRefusal('unavailable', message, { cause: thrown })
}

/** Runs an operation of the library. Throws a `TokenRefusal`. */
export async function asRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw await toRefusal(thrown)
  }
}
