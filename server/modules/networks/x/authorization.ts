import type { Deps } from '../../../lib/deps.ts'
import { credentialsOf } from '../calls/credentials.ts'
import type { OpenAccount } from '../network-account.ts'
import { type SigningKeys, signedHeader } from '../oauth/signature.ts'
import { withToken } from '../oauth/with-token.ts'

/** Returns the `Authorization` header of a request. `url`: the address at X, also where a stand-in gets the call. */
export type Authorize = (request: { method: string; url: string }) => string

export const byToken =
  (token: string): Authorize =>
  () =>
    `Bearer ${token}`

export const byKeys =
  ({ clock }: Pick<Deps, 'clock'>, keys: SigningKeys): Authorize =>
  (request) =>
    signedHeader(keys, { ...request, now: clock.now() })

/** Runs `work` as the account: with the keys that were entered for it, or else with the token of its sign-in. */
export const asAccount = <T>(
  deps: Deps,
  account: OpenAccount,
  work: (authorize: Authorize) => Promise<T>,
): Promise<T> =>
  account.account.credentials === null
    ? withToken(account, (token) => work(byToken(token)))
    : work(byKeys(deps, credentialsOf<SigningKeys>(account)))
