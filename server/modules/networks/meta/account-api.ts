import type { Deps } from '../../../lib/deps.ts'
import { call, fieldsOf, jsonOf } from '../calls/call.ts'
import { type ApiVersion, versionOf } from '../calls/version.ts'
import type { OpenAccount } from '../network-account.ts'
import type { OAuthApp } from '../oauth/provider.ts'
import { readTokens } from '../oauth/token-response.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { withToken } from '../oauth/with-token.ts'
import { type GraphHost, graphReply } from './graph.ts'

type Request = Omit<Parameters<typeof graphReply>[2], 'token'>

/** The API of a network of Meta at which accounts sign in themselves. Its addresses of tokens have no version. */
export function accountApi({ base, apiVersion }: { base: string; apiVersion: ApiVersion }) {
  const originKey = `${apiVersion.setting}.graph`
  const graphOf = (deps: Deps): GraphHost => ({ base: `${base}/${versionOf(deps, apiVersion)}`, originKey })
  const replyTo = (deps: Deps, account: OpenAccount, request: Request) =>
    withToken(account, (token) => graphReply(deps, graphOf(deps), { token, ...request }))
  return {
    tokenHost: { base, originKey },
    graphOf,
    replyTo,
    /** The fields of the response. */
    ask: async (deps: Deps, account: OpenAccount, request: Request) =>
      fieldsOf(jsonOf(await replyTo(deps, account, request))),
  }
}

type TokenExchange = {
  host: GraphHost
  /** Begins the names of the grant types, such as `th` of `th_exchange_token`. */
  prefix: 'th' | 'ig'
  /** Place of the token. `address`: the network documents no other. */
  tokenIn: 'header' | 'address'
}

/** Exchanges of a token for one of 60 days: of the token of a sign-in, and of one of 60 days before its end. */
export function tokenExchange({ host: { base, originKey }, prefix, tokenIn }: TokenExchange) {
  async function exchange(deps: Deps, tokens: Tokens, path: string, params: Record<string, string>): Promise<Tokens> {
    const { access_token } = tokens
    const query = new URLSearchParams({ ...params, ...(tokenIn === 'address' && { access_token }) })
    const reply = await call(deps, {
      url: `${base}${path}?${query}`,
      ...(tokenIn === 'header' && { headers: { authorization: `Bearer ${access_token}` } }),
      originKey,
    })
    const { scopes, ...renewed } = readTokens(reply)
    return { ...renewed, scopes: scopes ?? tokens.scopes }
  }
  return {
    extend: (deps: Deps, { client_secret }: OAuthApp, tokens: Tokens) =>
      exchange(deps, tokens, '/access_token', { grant_type: `${prefix}_exchange_token`, client_secret }),
    renew: (deps: Deps, _: OAuthApp, tokens: Tokens) =>
      exchange(deps, tokens, '/refresh_access_token', { grant_type: `${prefix}_refresh_token` }),
  }
}
