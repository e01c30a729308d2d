import type { Deps } from '../../../lib/deps.ts'
import type { Text } from '../../../lib/language.ts'
import type { ApiVersion } from '../calls/version.ts'
import type { ConnectedAccount } from '../network-account.ts'

/**
 * App that is registered at a network, by an operator or by Meydan itself. Accounts sign in with it. `scopes`: all
 * permissions to ask for, where not every server knows those of the sign-in.
 */
export type OAuthApp = { client_id: string; client_secret: string; scopes?: readonly string[] }

/** Tokens of one sign-in. */
export type Tokens = {
  access_token: string
  /** Null if the network renews without one, or not at all. */
  refresh_token: string | null
  /** Seconds for which the access token is accepted; null if it does not end. */
  expires_in: number | null
  /** Granted permissions; null if the network does not name them. */
  scopes: string[] | null
}

/** Account that tokens can publish to. `credentials`: JSON that is stored with the account, such as a token of its own. */
export type Candidate = ConnectedAccount & {
  /** Type of the account at the network, such as `page`. */
  kind: string
}

type Renewal =
  /** The access token ends, and its owner signs in again. */
  | { kind: 'none' }
  /** RFC 6749, section 6. `single_use`: the network ends the grant when a refresh token comes twice. */
  | { kind: 'refresh_token'; single_use: boolean }
  /** The access token is exchanged for a newer one while it is accepted. */
  | { kind: 'exchange'; renew: (deps: Deps, app: OAuthApp, tokens: Tokens) => Promise<Tokens> }

type Revocation = {
  /** `tokens`: ends the tokens alone. `person`: ends all sign-ins of their person with the app. */
  ends: 'tokens' | 'person'
  /** Throws a `TokenRefusal` or a `NetworkFault`. */
  revoke: (deps: Deps, app: OAuthApp, grant: { tokens: Tokens; external_user_id: string | null }) => Promise<unknown>
}

/** Message of a network that a person removed the app, or wants their data deleted. */
export type NetworkNotice = {
  external_user_id: string
  /** Later sign-ins of the person are not meant. */
  issued_at: Date
}

/** Instructions for the instance admin, who registers the app at the network. */
type Registration = {
  /** Page at the network on which apps are registered. */
  url: string
  steps: Text[]
  /**
   * Accounts that can publish before the network has reviewed the app. `everyone`: no review. `own_accounts`: those of
   * people with a role in the app. `none`: nothing works without an approval.
   */
  works_for: 'everyone' | 'own_accounts' | 'none'
  /** Costs, reviews and limits that the operator should know before. */
  notes: Text | null
}

/** Authorization server of a network, or of one of its servers, at which owners of accounts sign in (RFC 6749, section 4.1). */
export type AuthorizationServer = {
  /** Page at which the owner signs in, and address of token requests, in the version of the API that is in use. */
  endpoints: (deps: Pick<Deps, 'config'>) => { authorize: string; token: string }
  /** Key of NETWORK_ORIGINS for both addresses, as of a call. Absent for servers that somebody names. */
  originKey?: string
  /** Place of the client's credentials in a token request: the `Authorization` header, or the form. */
  clientAuth: 'basic' | 'body'
  /** Name of the client's id in requests, `client_id` by default. */
  clientIdParam?: 'client_id' | 'client_key'
  scopeSeparator: ' ' | ','
  /** `publish`: a sign-in without one of them is refused. `optional`: asked for too. */
  scopes: { publish: readonly string[]; optional?: readonly string[] }
  /** Sends a code challenge (RFC 7636). */
  pkce: boolean
  authorizeParams?: Readonly<Record<string, string>>
  /** Exchanges the tokens of a sign-in for ones that live longer. */
  extend?: (deps: Deps, app: OAuthApp, tokens: Tokens) => Promise<Tokens>
  renewal: Renewal
  /** Ends a sign-in at the network, once no account uses it. Absent where the network documents no way. */
  revocation?: Revocation
  /** Id of the person who signed in, where more than their accounts depends on it. Throws a `NetworkFault`. */
  externalUserId?: (deps: Deps, tokens: Tokens) => Promise<string>
  /** Throws a `NetworkFault`. One candidate is connected at once; of several its owner chooses. */
  candidates: (deps: Deps, tokens: Tokens) => Promise<Candidate[]>
}

/** Authorization server of a network that has only one. An instance admin registers an app at it. */
export type OAuthProvider = AuthorizationServer & {
  /** Reads the form of a notice. Undefined unless the app signed it. Absent where the network sends none. */
  readNotice?: (app: OAuthApp, form: URLSearchParams, now: Date) => NetworkNotice | undefined
  /** Absent if the API has no versions that end. */
  apiVersion?: ApiVersion
  registration: Registration
}

/** App that Meydan registered by itself. */
export type ServerApp = Required<OAuthApp>

/** Server at which an app is registered: its origin, and the address to which it sends browsers back. */
export type AppServer = { server: string; redirect_uri: string }

/** Authorization servers of a network that has many. Meydan registers an app at each by itself. */
export type OAuthServers = {
  /** Field that asks for the server. */
  field: { label: Text; help: Text }
  /** Origin of the server that somebody names, by its name, by a handle or by the address of a profile. Throws a Problem. */
  find: (deps: Deps, instance: string) => Promise<string>
  /** Registers an app. Throws a Problem. */
  register: (deps: Deps, at: AppServer) => Promise<ServerApp>
  /** Whether the server still accepts the app for a further sign-in. Throws a Problem. */
  knows: (deps: Deps, at: AppServer, app: ServerApp) => Promise<boolean>
  authorizationServerAt: (server: string) => AuthorizationServer
}
