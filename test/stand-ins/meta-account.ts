import type { metaAccounts } from './meta-accounts.ts'
import { request, signInPage } from './request.ts'

type Server = Pick<Awaited<ReturnType<typeof metaAccounts>>, 'url' | 'oauth'>
type Names = { prefix: 'th' | 'ig'; version: string; scope: string; tokenIn: 'header' | 'address' }

/** Requests to a stand-in of Threads or Instagram, from the sign-in on. */
export function metaAccount(server: Server, { prefix, version, scope, tokenIn }: Names) {
  const { url, oauth } = server
  const { client_id, client_secret, redirect_uri } = oauth.client

  /** Sends a token as the network wants it where tokens are exchanged. */
  const exchangeAt = (path: string, query: Record<string, string>, token: string) =>
    request(
      'GET',
      `${url}${path}?${new URLSearchParams({ ...query, ...(tokenIn === 'address' && { access_token: token }) })}`,
      tokenIn === 'header' ? { authorization: `Bearer ${token}` } : {},
    )

  const codeOf = (changes: Record<string, string> = {}) =>
    signInPage(`${url}/oauth/authorize`, {
      ...{ client_id, redirect_uri, response_type: 'code', scope, state: 'state', ...changes },
    })
  const askToken = (fields: Record<string, string>) =>
    request(
      'POST',
      `${url}/oauth/access_token`,
      {},
      new URLSearchParams({ client_id, client_secret, redirect_uri, grant_type: 'authorization_code', ...fields }),
    )
  const shortToken = async () => {
    const { body } = await askToken({ code: (await codeOf())?.searchParams.get('code') ?? '' })
    return String((body.data?.[0] ?? body).access_token)
  }
  const exchange = (token: string, changes: Record<string, string> = {}) =>
    exchangeAt('/access_token', { grant_type: `${prefix}_exchange_token`, client_secret, ...changes }, token)

  return {
    codeOf,
    askToken,
    shortToken,
    exchange,
    renew: (token: string) => exchangeAt('/refresh_access_token', { grant_type: `${prefix}_refresh_token` }, token),
    longToken: async () => String((await exchange(await shortToken())).body.access_token),
    call: (token: string, method: string, path: string, body?: unknown) =>
      request(method, `${url}${version}${path}`, { authorization: `Bearer ${token}` }, body),
  }
}
