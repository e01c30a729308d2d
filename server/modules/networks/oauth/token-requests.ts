import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { call } from '../calls/call.ts'
import { NetworkFault } from '../network.ts'
import type { AuthorizationServer, Code, OAuthApp } from './provider.ts'
import { readTokens, requireSuccess, TokenRefusal } from './token-response.ts'
import type { Tokens } from './tokens.ts'

/** For one token request. Less than the lease of a renewal, so that no other node begins while this one waits. */
const TIMEOUT_MS = 20_000

const basic = ({ client_id, client_secret }: OAuthApp) =>
  `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')}`

type Request = { url: string; fields: Record<string, string> }

/** Sends a form as the client. Throws a `TokenRefusal`; without a response it is `unavailable`. */
async function sendForm<T>(
  deps: Deps,
  { originKey, clientAuth, clientIdParam = 'client_id' }: AuthorizationServer,
  app: OAuthApp,
  { url, fields }: Request,
  read: (reply: Reply) => T,
): Promise<T> {
  const client = { [clientIdParam]: app.client_id, client_secret: app.client_secret }
  const form = new URLSearchParams({ ...fields, ...(clientAuth === 'body' && client) })
  try {
    const reply = await call(deps, {
      method: 'POST',
      url,
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...(clientAuth === 'basic' && { authorization: basic(app) }),
      },
      body: form.toString(),
      timeoutMs: TIMEOUT_MS,
      maxBytes: 100_000,
      originKey,
    })
    return read(reply)
  } catch (cause) {
    if (!(cause instanceof NetworkFault)) throw cause
    throw new TokenRefusal('unavailable', cause.message, { cause })
  }
}

/** Sends a token request (RFC 6749, section 3.2). */
const requestTokens = (deps: Deps, provider: AuthorizationServer, app: OAuthApp, fields: Record<string, string>) =>
  sendForm(deps, provider, app, { url: provider.endpoints(deps).token, fields }, readTokens)

const ignoreEnded = (thrown: unknown) => {
  if (!(thrown instanceof TokenRefusal) || thrown.refused !== 'grant') throw thrown
}

/** Revokes both tokens (RFC 7009). One that no longer counts is no failure: the other may have ended with it. */
export async function revokeTokens(
  deps: Deps,
  provider: AuthorizationServer,
  app: OAuthApp,
  url: string,
  { refresh_token, access_token }: Tokens,
) {
  for (const [token_type_hint, token] of Object.entries({ refresh_token, access_token }))
    if (token !== null)
      await sendForm(deps, provider, app, { url, fields: { token, token_type_hint } }, requireSuccess).catch(
        ignoreEnded,
      )
}

/** Exchanges the code of a sign-in for tokens. */
export function exchangeCode(deps: Deps, provider: AuthorizationServer, app: OAuthApp, given: Code): Promise<Tokens> {
  if (provider.bound) return provider.bound.exchange(deps, app, given)
  const { code, redirect_uri, code_verifier } = given
  return requestTokens(deps, provider, app, {
    grant_type: 'authorization_code',
    code,
    redirect_uri,
    ...(code_verifier !== null && { code_verifier }),
  })
}

/** Renews tokens in the way of the network. The former refresh token stays in use if no other comes. */
export async function renewTokens(
  deps: Deps,
  provider: AuthorizationServer,
  app: OAuthApp,
  tokens: Tokens,
): Promise<Tokens> {
  const { renewal, bound } = provider
  if (bound) return bound.renew(deps, app, tokens)
  if (renewal.kind === 'exchange') return renewal.renew(deps, app, tokens)
  const { refresh_token } = tokens
  if (renewal.kind === 'none' || refresh_token === null)
    throw new TokenRefusal('grant', 'The sign-in has ended. The network does not renew it.')
  const renewed = await requestTokens(deps, provider, app, {
    grant_type: 'refresh_token',
    refresh_token,
  })
  return { ...renewed, refresh_token: renewed.refresh_token ?? refresh_token, scopes: renewed.scopes ?? tokens.scopes }
}
