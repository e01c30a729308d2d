import type { Deps } from '../../../lib/deps.ts'
import { call } from '../calls/call.ts'
import { NetworkFault } from '../network.ts'
import type { OAuthApp, OAuthProvider, Tokens } from './provider.ts'
import { readTokens, TokenRefusal } from './token-response.ts'

/** For one token request. Less than the lease of a renewal, so that no other node begins while this one waits. */
const TIMEOUT_MS = 20_000

const basic = ({ client_id, client_secret }: OAuthApp) =>
  `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')}`

/** Sends a token request (RFC 6749, section 3.2). Throws a `TokenRefusal`; without a response it is `unavailable`. */
async function requestTokens(
  deps: Deps,
  { endpoints, originKey, clientAuth, clientIdParam = 'client_id' }: OAuthProvider,
  app: OAuthApp,
  fields: Record<string, string>,
): Promise<Tokens> {
  const client = { [clientIdParam]: app.client_id, client_secret: app.client_secret }
  const form = new URLSearchParams({ ...fields, ...(clientAuth === 'body' && client) })
  try {
    const reply = await call(deps, {
      method: 'POST',
      url: endpoints(deps).token,
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
    return readTokens(reply)
  } catch (cause) {
    if (!(cause instanceof NetworkFault)) throw cause
    throw new TokenRefusal('unavailable', cause.message, { cause })
  }
}

type Code = { code: string; redirect_uri: string; code_verifier: string | null }

/** Exchanges the code of a sign-in for tokens. */
export const exchangeCode = (
  deps: Deps,
  provider: OAuthProvider,
  app: OAuthApp,
  { code, redirect_uri, code_verifier }: Code,
) =>
  requestTokens(deps, provider, app, {
    grant_type: 'authorization_code',
    code,
    redirect_uri,
    ...(code_verifier !== null && { code_verifier }),
  })

/** Renews tokens in the way of the network. The former refresh token stays in use if no other comes. */
export async function renewTokens(deps: Deps, provider: OAuthProvider, app: OAuthApp, tokens: Tokens): Promise<Tokens> {
  const { renewal } = provider
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
