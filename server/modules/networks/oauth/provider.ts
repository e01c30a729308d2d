import type { Deps } from '../../../lib/deps.ts'
import type { Text } from '../../../lib/language.ts'
import type { ApiVersion } from '../calls/version.ts'
import type { ConnectedAccount } from '../network-account.ts'
import type { Tokens } from './tokens.ts'

/**
 * App that is registered at a network, by an operator or by Meydan itself. Accounts sign in with it. `scopes`: all
 * permissions to ask for, where not every server knows those of the sign-in.
 */
export type OAuthApp = { client_id: string; client_secret: string; scopes?: readonly string[] }

/** Account that tokens can publish to. `credentials`: JSON that is stored with the account, such as a token of its own. */
export type Candidate = ConnectedAccount & {
  /** Type of the account at the network, such as `page`. */
  kind: string
  /** What to name to sign in again, where it is not the server. */
  instance?: string
}

type Renewal =
  /** The access token ends, and its owner signs in again. */
  | { kind: 'none' }
  /**
   * RFC 6749, section 6. `single_use`: the network ends the grant when a refresh token comes twice. `idle_s`: seconds
   * after which tokens are renewed that nobody uses, where each renewal risks the sign-in and access tokens are short.
   */
  | { kind: 'refresh_token'; single_use: boolean; idle_s?: number }
  /** The access token is exchanged for a newer one while it is accepted. */
  | { kind: 'exchange'; renew: (deps: Deps, app: OAuthApp, tokens: Tokens) => Promise<Tokens> }

/** Request for authorization. `subject`: the account that must sign in, if somebody named one. */
type AuthorizationRequest = {
  redirect_uri: string
  state: string
  code_challenge: string
  subject: string | undefined
}

/** `binding`: what `push` returned. */
export type Code = { code: string; redirect_uri: string; code_verifier: string | null; binding: string | null }

/** Requests of a network whose tokens are bound to a key. They throw a `TokenRefusal`. */
export type BoundTokens = {
  /** Sends the request for authorization ahead (RFC 9126). Returns the page to open, and JSON for `exchange`. */
  push: (deps: Deps, app: OAuthApp, request: AuthorizationRequest) => Promise<{ url: string; binding: string }>
  exchange: (deps: Deps, app: OAuthApp, code: Code) => Promise<Tokens>
  renew: (deps: Deps, app: OAuthApp, tokens: Tokens) => Promise<Tokens>
}

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
  /** Present if tokens are bound to a key. It replaces the requests of RFC 6749. */
  bound?: BoundTokens
  /** Ends a sign-in at the network, once no account uses it. Absent where the network documents no way. */
  revocation?: Revocation
  /** Id of the person who signed in, where more than their accounts depends on it. Throws a `NetworkFault`. */
  externalUserId?: (deps: Deps, tokens: Tokens) => Promise<string>
  /**
   * One candidate is connected at once; of several its owner chooses. Throws a `NetworkFault`: with the code `no_account`,
   * it has the reason why there is none.
   */
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

/** Server that somebody named, by its origin. `subject`: the account, if they named one. */
export type FoundServer = { server: string; subject?: string }

/** Description of an app (RFC 7591, section 2) that servers read at its `client_id`. */
export type ClientMetadata = {
  client_id: string
  client_name: string
  client_uri: string
  redirect_uris: string[]
  grant_types: string[]
  response_types: string[]
  scope: string
  application_type: string
  token_endpoint_auth_method: string
  token_endpoint_auth_signing_alg: string
  dpop_bound_access_tokens: boolean
  jwks: { keys: Record<string, string>[] }
}

/** Authorization servers of a network that has many. Meydan registers an app at each by itself. */
export type OAuthServers = {
  /** Reason why this instance cannot sign in there. Absent if every instance can. */
  unavailable?: (deps: Pick<Deps, 'baseUrl'>) => Text | undefined
  /** Field that asks for the server. */
  field: { label: Text; help: Text }
  /** Server that somebody names, by its name, by a handle or by the address of a profile. Throws a Problem. */
  find: (deps: Deps, instance: string) => Promise<FoundServer>
  /** Registers an app. Throws a Problem. */
  register: (deps: Deps, at: AppServer) => Promise<ServerApp>
  /** Whether the server still accepts the app for a further sign-in. Throws a Problem. */
  knows: (deps: Deps, at: AppServer, app: ServerApp) => Promise<boolean>
  /** Whether the callback names the server (RFC 9207). One without is refused then. */
  namesIssuer: (deps: Deps, server: string, app: ServerApp) => Promise<boolean>
  /** The public description of an app, where servers read it at its `client_id`. `apps`: the present one first. */
  clientMetadata?: (deps: Pick<Deps, 'baseUrl'>, redirect_uri: string, apps: OAuthApp[]) => ClientMetadata
  authorizationServerAt: (server: string) => AuthorizationServer
}
