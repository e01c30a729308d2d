import type { Deps } from '../../../../lib/deps.ts'
import type { Text } from '../../../../lib/language.ts'
import { fieldsOf } from '../../calls/call.ts'
import type { ClientMetadata, OAuthApp } from '../../oauth/provider.ts'

/** Permissions for records, files, and what the app of the network can read. */
export const SCOPES = ['atproto', 'transition:generic']

type Address = Pick<Deps, 'baseUrl'>

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Whether the base address is that of the machine of its only user. */
const isLoopback = ({ baseUrl }: Address) => LOOPBACK.includes(new URL(baseUrl).hostname)

/** Servers read the description of the client at its address, and refuse one with a port or without a name. */
export function unavailable({ baseUrl }: Address): Text | undefined {
  const { protocol, port, hostname } = new URL(baseUrl)
  const isPublic = protocol === 'https:' && port === '' && /[a-z]/i.test(hostname.split('.').at(-1) ?? '')
  if (isPublic || isLoopback({ baseUrl })) return
  return {
    en: 'Signing in at Bluesky needs a Meydan with a public https address without a port. Connect with an app password, or ask the operator to set BASE_URL.',
    tr: "Bluesky'da oturum açmak için Meydan'ın bağlantı noktası olmayan, herkese açık bir https adresi olmalı. Uygulama parolasıyla bağlanın ya da işletmecinizden BASE_URL ayarını yapmasını isteyin.",
  }
}

/**
 * The address to which a server sends the browser back. At the loopback interface it is an IP address (RFC 8252, section
 * 8.3), which sends the browser on to the address that has the session.
 */
export function redirectUriOf(redirect_uri: string) {
  const url = new URL(redirect_uri)
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1'
  return url.href
}

/** The address of the description that `GET /accounts/oauth/clients/:server` returns. */
const discoverableId = (redirect_uri: string) => redirect_uri.replace('/oauth/callback/', '/oauth/clients/')

/** The id of the client: the address of its description, or all of it at the loopback interface. */
export function clientIdOf(redirect_uri: string) {
  if (!isLoopback({ baseUrl: redirect_uri })) return discoverableId(redirect_uri)
  const query = new URLSearchParams({ scope: SCOPES.join(' '), redirect_uri: redirectUriOf(redirect_uri) })
  return `http://localhost?${query}`
}

/** The private key of the client. Undefined at the loopback interface, where it has none. */
export function keyOf({ client_secret }: Pick<OAuthApp, 'client_secret'>): Record<string, unknown> | undefined {
  return client_secret === '' ? undefined : fieldsOf(JSON.parse(client_secret))
}

/** The public part of the key (RFC 7517; RFC 7518, section 6.2.1). */
function publicKeyOf(app: OAuthApp) {
  const key = keyOf(app)
  if (!key) return []
  const { kty, crv, x, y, kid, alg } = key
  const fields = Object.entries({ kty, crv, x, y, kid, alg, use: 'sig' })
  return [Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))]
}

const common = (client_id: string, redirect_uri: string) => ({
  client_id,
  client_name: 'Meydan',
  redirect_uris: [redirect_uri],
  response_types: ['code'],
  grant_types: ['authorization_code', 'refresh_token'],
  scope: SCOPES.join(' '),
  dpop_bound_access_tokens: true,
})

/** The description that servers read. Keys of replaced apps stay in it: tokens that they obtained are renewed with them. */
export const clientMetadata = ({ baseUrl }: Address, redirect_uri: string, apps: OAuthApp[]): ClientMetadata => ({
  ...common(clientIdOf(redirect_uri), redirect_uri),
  client_uri: baseUrl,
  application_type: 'web',
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_signing_alg: 'ES256',
  jwks: { keys: apps.flatMap((app) => publicKeyOf(app)) },
})

/** The client as the library needs it, with its private key. */
export function metadataOf(app: OAuthApp) {
  const { client_id } = app
  const key = keyOf(app)
  const isPublic = key === undefined
  const redirect_uri = isPublic
    ? (new URL(client_id).searchParams.get('redirect_uri') ?? '')
    : client_id.replace('/oauth/clients/', '/oauth/callback/')
  return {
    key,
    client: {
      ...common(client_id, redirect_uri),
      application_type: isPublic ? 'native' : 'web',
      token_endpoint_auth_method: isPublic ? 'none' : 'private_key_jwt',
      ...(!isPublic && { token_endpoint_auth_signing_alg: 'ES256' }),
    },
  }
}
