import type { Deps } from '../../../../lib/deps.ts'
import { refusedUrl } from '../../../../lib/outbound/safe-http.ts'
import { connectProblem } from '../../calls/connect-problem.ts'
import type {
  AuthorizationServer,
  BoundTokens,
  Candidate,
  FoundServer,
  OAuthApp,
  OAuthServers,
} from '../../oauth/provider.ts'
import { TokenRefusal } from '../../oauth/token-response.ts'
import type { Tokens } from '../../oauth/tokens.ts'
import { ownAccount } from '../connect.ts'
import { toFault } from '../errors.ts'
import { type Binding, bindingOf, loadOAuth, newKey, tokenSetOf, toTokens } from './binding.ts'
import { anonymous, issuerAt, openClient } from './client.ts'
import { clientIdOf, clientMetadata, keyOf, redirectUriOf, SCOPES, unavailable } from './client-metadata.ts'
import { asRefusal } from './refusal.ts'

/**
 * Seconds between renewals of tokens that nobody uses, of which about half pass. A sign-in that nobody renews ends after
 * a week at the earliest.
 */
const IDLE_S = 2 * 86_400

const HANDLE = /^([a-z0-9][a-z0-9-]{0,62}\.)+[a-z][a-z0-9-]{0,62}$/i
const DID = /^did:(plc:[a-z2-7]{24}|web:[\w.:%-]{1,200})$/

/** What a sign-in keeps until its callback. `did`: the account that must sign in. */
type Started = { key: Binding['key']; issuer: string; did: string | null }

/** The name without what profiles and people put around it. */
const nameIn = (given: string) =>
  given
    .trim()
    .replace(/^https:\/\/bsky\.app\/profile\/([^/?#]+).*$/i, '$1')
    .replace(/^@/, '')

/** The server that issues tokens for an account, found by its handle or its id, or by the address of its server. */
async function find(deps: Deps, given: string): Promise<FoundServer> {
  const name = nameIn(given)
  const isUrl = /^https?:\/\//i.test(name)
  const refused = isUrl ? refusedUrl(name, deps.urlRules) : undefined
  if (refused || (!isUrl && !HANDLE.test(name) && !DID.test(name)))
    throw connectProblem('/instance', refused ? 'url_not_allowed' : 'account_refused', {
      en: `${refused ?? 'This is not a handle.'} Enter a handle such as you.bsky.social.`,
      tr: 'Bu bir kullanıcı adı değil. Kullanıcı adınızı yazın; örneğin siz.bsky.social.',
    })
  // No client is needed for questions that everybody may ask.
  const client = await openClient(deps, anonymous)
  try {
    const { metadata, identityInfo } = await client.oauthResolver.resolve(isUrl ? new URL(name).origin : name)
    return { server: new URL(metadata.issuer).origin, ...(identityInfo && { subject: identityInfo.did }) }
  } catch (thrown) {
    throw connectProblem(
      '/instance',
      'account_unreachable',
      isUrl
        ? {
            en: 'The server could not be reached, or people cannot sign in there.',
            tr: 'Sunucuya ulaşılamadı ya da orada oturum açılamıyor.',
          }
        : {
            en: `No account was found under this handle, or its server could not be reached: ${toFault(thrown).message.slice(0, 200)}`,
            tr: 'Bu kullanıcı adıyla bir hesap bulunamadı ya da sunucusuna ulaşılamadı.',
          },
      thrown,
    )
  }
}

/** Nothing is registered: a client is the key by which servers know it. */
async function register(redirect_uri: string) {
  const client_id = clientIdOf(redirect_uri)
  const client_secret = client_id.startsWith('http:') ? '' : JSON.stringify(await newKey())
  return { client_id, client_secret, scopes: SCOPES }
}

const redirectTo = async (redirect_uri: string) =>
  (await loadOAuth()).oauthRedirectUriSchema.parse(redirectUriOf(redirect_uri))

const boundAt = (issuer: string): BoundTokens => ({
  push: (deps, app, { redirect_uri, state, code_challenge, subject }) =>
    asRefusal(async () => {
      const key = await newKey()
      const server = await issuerAt(await openClient(deps, app), app, { key, issuer })
      const { authorization_endpoint } = server.serverMetadata
      const { request_uri } = await server.request('pushed_authorization_request', {
        client_id: app.client_id,
        redirect_uri: await redirectTo(redirect_uri),
        response_type: 'code',
        response_mode: 'query',
        scope: SCOPES.join(' '),
        state,
        code_challenge,
        code_challenge_method: 'S256',
        ...(subject !== undefined && { login_hint: subject }),
      })
      const url = new URL(authorization_endpoint)
      if (!/^https?:$/.test(url.protocol)) throw new TokenRefusal('grant', 'The server names no page to sign in.')
      url.searchParams.set('client_id', app.client_id)
      url.searchParams.set('request_uri', request_uri)
      const started: Started = { key, issuer, did: subject ?? null }
      return { url: url.href, binding: JSON.stringify(started) }
    }),
  exchange: (deps, app, { code, code_verifier, redirect_uri, binding }) =>
    asRefusal(async () => {
      if (binding === null || code_verifier === null) throw new TokenRefusal('grant', 'The sign-in has ended.')
      const { key, did }: Started = JSON.parse(binding)
      const server = await issuerAt(await openClient(deps, app), app, { key, issuer })
      const tokens = await server.exchangeCode(code, code_verifier, await redirectTo(redirect_uri))
      if (did !== null && tokens.sub !== did) {
        await server.revoke(tokens.refresh_token ?? tokens.access_token)
        throw new TokenRefusal('grant', 'Another account signed in than the one that was named.')
      }
      return toTokens({ key }, tokens)
    }),
  renew: (deps, app, tokens) =>
    asRefusal(async () => {
      const binding = bindingOf(tokens)
      const { refresh_token } = tokens
      if (refresh_token === null)
        throw new TokenRefusal('grant', 'The sign-in has ended. The network does not renew it.')
      const server = await issuerAt(await openClient(deps, app), app, binding)
      return toTokens(binding, await server.refresh({ ...(await tokenSetOf(tokens, binding)), refresh_token }))
    }),
})

/** Ends the whole sign-in, whichever token is named. The library swallows refusals of its own `revoke`. */
const revoke = (deps: Deps, app: OAuthApp, tokens: Tokens) =>
  asRefusal(async () => {
    const server = await issuerAt(await openClient(deps, app), app, bindingOf(tokens))
    await server.request('revocation', { token: tokens.refresh_token ?? tokens.access_token })
  })

async function candidates(deps: Deps, tokens: Tokens): Promise<Candidate[]> {
  const account = await ownAccount(deps, tokens)
  // Its server may be another one by then, and another account must not take its place.
  return [{ ...account, kind: 'user', instance: account.external_id }]
}

const authorizationServerAt = (server: string): AuthorizationServer => ({
  endpoints: () => ({ authorize: `${server}/oauth/authorize`, token: `${server}/oauth/token` }),
  clientAuth: 'body',
  scopeSeparator: ' ',
  scopes: { publish: SCOPES },
  pkce: true,
  renewal: { kind: 'refresh_token', single_use: true, idle_s: IDLE_S },
  bound: boundAt(server),
  revocation: { ends: 'tokens', revoke: (deps, app, { tokens }) => revoke(deps, app, tokens) },
  candidates,
})

export const servers: OAuthServers = {
  unavailable,
  field: {
    label: { en: 'Handle', tr: 'Kullanıcı adı' },
    help: {
      en: 'For example you.bsky.social. If you do not know it, the address of your server, such as https://bsky.social',
      tr: 'Örneğin siz.bsky.social. Bilmiyorsanız sunucunuzun adresi; örneğin https://bsky.social',
    },
  },
  find,
  register: (_, { redirect_uri }) => register(redirect_uri),
  // A client has a key, unless it is one of the loopback interface, and keeps it.
  knows: async (_, { redirect_uri }, app) =>
    app.client_id === clientIdOf(redirect_uri) && (keyOf(app) !== undefined || app.client_id.startsWith('http:')),
  namesIssuer: async () => true,
  clientMetadata,
  authorizationServerAt,
}
