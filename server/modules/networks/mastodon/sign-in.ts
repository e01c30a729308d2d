import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { call, faultOfReply, fieldsOf, ifAvailable, jsonOf, messageOf } from '../calls/call.ts'
import { connectProblem } from '../calls/connect-problem.ts'
import { NetworkFault } from '../network.ts'
import type { AppServer, AuthorizationServer, Candidate, OAuthServers, ServerApp } from '../oauth/provider.ts'
import { isGranted } from '../oauth/scopes.ts'
import { revokeTokens } from '../oauth/token-requests.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { ownAccount, serverProblem } from './connect.ts'
import { findServer, TIMEOUT_MS } from './find-server.ts'
import { limitsOf, softwareOf } from './instance.ts'

const scopes = {
  publish: ['read:accounts', 'read:statuses', 'write:statuses', 'write:media'],
  // An inbox will need it. Asking now saves everybody a second sign-in.
  optional: ['read:notifications'],
} as const

const wanted = [...scopes.publish, ...scopes.optional]
/** Scopes that contain the narrower ones. */
const WIDE = ['read', 'write']
const wideOf = (scope: string) => scope.replace(/:.*$/, '')

const MAX_BYTES = 100_000

/** Runs calls at a server that somebody named. Throws a Problem of that name. */
async function atServer<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw thrown instanceof NetworkFault ? serverProblem('/instance', thrown) : thrown
  }
}

/** The description of the sign-in at a server (RFC 8414, Mastodon 4.3). Empty if it has none. */
async function metadataOf(deps: Deps, server: string) {
  const url = `${server}/.well-known/oauth-authorization-server`
  const reply = await ifAvailable(() => call(deps, { url, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }))
  return fieldsOf(reply && jsonOf(reply))
}

/** The permissions that a server knows; undefined if it does not list them. */
async function knownScopes(deps: Deps, server: string): Promise<unknown[] | undefined> {
  // Refuses the others at its sign-in only.
  if ((await softwareOf(deps, server)) === 'pixelfed') return WIDE
  const { scopes_supported } = await metadataOf(deps, server)
  return Array.isArray(scopes_supported) ? scopes_supported : undefined
}

/** The permissions to ask a server for: where it has no narrow one, the wide one that contains it. */
async function scopesAt(deps: Deps, server: string) {
  const known = await knownScopes(deps, server)
  // Servers related to Misskey list names of their own, and take those of Mastodon all the same.
  const isNarrow = (scope: string) => !known?.includes(wideOf(scope)) || known.includes(scope)
  return [...new Set(wanted.map((scope) => (isNarrow(scope) ? scope : wideOf(scope))))]
}

const credential = (value: unknown) => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^[\x21-\x7e]{1,512}$/.test(text) ? text : undefined
}

const post = (deps: Deps, url: string, fields: Record<string, string>) =>
  call(deps, {
    method: 'POST',
    url,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  })

const faultOf = ({ clock }: Deps, reply: Reply) =>
  faultOfReply(reply, { message: messageOf(reply, 'The server', ['error_description', 'error']) }, clock.now())

const postApp = (deps: Deps, { server, redirect_uri }: AppServer, scopes: readonly string[]) =>
  post(deps, `${server}/api/v1/apps`, {
    client_name: 'Meydan',
    // A single address, because other software takes no list.
    redirect_uris: redirect_uri,
    scopes: scopes.join(' '),
    website: new URL(redirect_uri).origin,
  })

async function register(deps: Deps, at: AppServer): Promise<ServerApp> {
  let scopes: readonly string[] = await scopesAt(deps, at.server)
  let reply = await postApp(deps, at, scopes)
  // The names of permissions are the only thing that differs between servers.
  if (reply.status === 400 || reply.status === 422) {
    scopes = WIDE
    reply = await postApp(deps, at, scopes)
  }
  const fields = fieldsOf(jsonOf(reply))
  const [client_id, client_secret] = [credential(fields.client_id), credential(fields.client_secret)]
  if (client_id !== undefined && client_secret !== undefined) return { client_id, client_secret, scopes }
  const fault = faultOf(deps, reply)
  // The server does not register apps, and says so in its own words.
  if (fault.failure.kind === 'failed' && typeof fields.error === 'string')
    throw connectProblem(
      '/instance',
      'account_refused',
      {
        en: `The server refused Meydan: ${fault.message}`,
        tr: `Sunucu Meydan'ı reddetti: ${fault.message}`,
      },
      fault,
    )
  throw fault
}

/** Whether the app is the address of one sign-in, as on servers related to Misskey. */
const isOfOneSignIn = ({ client_id }: ServerApp) =>
  /^https?:\/\//.test(Buffer.from(client_id, 'base64').toString('latin1'))

/** Refusals of an unknown app: by RFC 6749, section 5.2, and of Pleroma. Any other may be that of a firewall. */
const UNKNOWN = ['invalid_client', 'Invalid credentials']

/** Asks for a token of the app itself, which leads nowhere near an account. */
async function knows(deps: Deps, { server, redirect_uri }: AppServer, app: ServerApp) {
  const { client_id, client_secret, scopes } = app
  if (isOfOneSignIn(app) || !wanted.every((each) => isGranted(scopes, each))) return false
  const scope = scopes.join(' ')
  const reply = await post(deps, `${server}/oauth/token`, {
    ...{ grant_type: 'client_credentials', client_id, client_secret, redirect_uri, scope },
  })
  if (reply.status >= 500 || reply.status === 429) throw faultOf(deps, reply)
  const { error } = fieldsOf(jsonOf(reply))
  return !UNKNOWN.includes(String(error))
}

/** Asked at every sign-in, because a server can be updated. */
async function namesIssuer(deps: Deps, server: string, app: ServerApp) {
  // Servers related to Misskey describe a sign-in of their own, and not this one.
  if (isOfOneSignIn(app)) return false
  const { issuer, authorization_response_iss_parameter_supported } = await metadataOf(deps, server)
  return authorization_response_iss_parameter_supported === true && String(issuer).replace(/\/$/, '') === server
}

async function candidates(deps: Deps, server: string, { access_token }: Tokens): Promise<Candidate[]> {
  const stored = { server, software: await softwareOf(deps, server) }
  const credentials = { ...stored, access_token }
  const account = await ownAccount(deps, credentials)
  const limits = await limitsOf(deps, credentials)
  return [{ ...account, kind: 'user', limits, credentials: JSON.stringify(stored) }]
}

function authorizationServerAt(server: string): AuthorizationServer {
  const authorizationServer: AuthorizationServer = {
    endpoints: () => ({ authorize: `${server}/oauth/authorize`, token: `${server}/oauth/token` }),
    clientAuth: 'body',
    scopeSeparator: ' ',
    scopes,
    // Servers that do not know it ignore it.
    pkce: true,
    // Mastodon has tokens without an end. Those of Pleroma and Pixelfed are renewed.
    renewal: { kind: 'refresh_token', single_use: true },
    revocation: {
      ends: 'tokens',
      revoke: (deps, app, { tokens }) => revokeTokens(deps, authorizationServer, app, `${server}/oauth/revoke`, tokens),
    },
    candidates: (deps, tokens) => candidates(deps, server, tokens),
  }
  return authorizationServer
}

export const servers: OAuthServers = {
  field: {
    label: { en: 'Server', tr: 'Sunucu' },
    help: {
      en: 'The server that your account is on, such as mastodon.social, or your handle, such as @you@mastodon.social',
      tr: 'Hesabınızın bulunduğu sunucu, örneğin mastodon.social ya da kullanıcı adınız, örneğin @siz@mastodon.social',
    },
  },
  find: async (deps, instance) => ({ server: await findServer(deps, instance) }),
  register: (deps, at) => atServer(() => register(deps, at)),
  knows: (deps, at, app) => atServer(() => knows(deps, at, app)),
  namesIssuer,
  authorizationServerAt,
}
