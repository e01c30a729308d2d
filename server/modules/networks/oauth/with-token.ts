import { NetworkFault } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'

/**
 * Runs `work` with the access token of an account. If the network rejects it, the token is renewed once and `work` runs
 * again: a call with a rejected token has done nothing.
 */
export async function withToken<T>({ accessToken }: OpenAccount, work: (token: string) => Promise<T>): Promise<T> {
  const token = await accessToken()
  try {
    return await work(token)
  } catch (thrown) {
    if (!(thrown instanceof NetworkFault) || thrown.failure.kind !== 'unauthorized') throw thrown
    return work(await accessToken(token))
  }
}
