import type { AccountLimits } from './capabilities.ts'
import type { Tokens } from './oauth/tokens.ts'

/** An image at a network. It is fetched at once, and its address is not stored, so it can contain credentials. */
export type RemoteAvatar = {
  url: string
  /** Key of NETWORK_ORIGINS, as of a call. */
  originKey?: string
}

/** Account that somebody connects, as its network reports it. */
export type ConnectedAccount = {
  external_id: string
  /** The name at the network. It is cleaned and cut before it is stored. Empty if the account has only a handle. */
  name: string
  handle: string
  url: string | null
  credentials: string | null
  limits?: AccountLimits
  avatar?: RemoteAvatar | undefined
}

/** Reason why a session could not be renewed, other than rejected credentials. */
export type RenewalFailure = {
  code: 'network_unavailable' | 'rejected_by_network' | 'url_not_allowed'
  message: string
}

export type OpenAccount = {
  account: { id: string; workspace_id: string; external_id: string; handle: string; credentials: string | null }
  /** Stores what the network renewed, such as a session. */
  saveCredentials: (credentials: string) => Promise<void>
  renewalFailed: (failure: RenewalFailure) => Promise<void>
  /**
   * Access token of an account whose owner signed in at the network. `rejected`: the one that the network just refused,
   * in whose place another is returned. Throws a `NetworkFault`.
   */
  accessToken: (rejected?: string) => Promise<string>
  /** The same with what its access token is bound to. */
  tokens: (rejected?: string) => Promise<Tokens>
}
