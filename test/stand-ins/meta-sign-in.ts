import { errorReply, invalidToken } from './facebook-graph.ts'
import { signInRequests } from './meta-requests.ts'
import { oauthServer } from './oauth.ts'
import { problemOf, ruleOf } from './request-rules.ts'
import type { Call, Reply } from './server.ts'

const DAY_MS = 24 * 3600_000
const LONG_S = 5_184_000

export type MetaSignIn = {
  /** Begins the names of the grant types, such as `th` of `th_exchange_token`. */
  prefix: 'th' | 'ig'
  /** Place of the token that is exchanged. */
  tokenIn: 'header' | 'address'
  /** Makes the response of the token endpoint, which names neither the kind of the token nor its end. */
  shape: (fields: { access_token: string; scope: string }) => unknown
}

/**
 * The sign-in of Threads and Instagram: a token of an hour, exchanged for one of 60 days, which can be exchanged again
 * once it is a day old.
 */
export function metaSignIn(now: () => number, { prefix, tokenIn, shape }: MetaSignIn) {
  const requests = signInRequests(prefix, tokenIn)
  const errorOf = (_: string, error_message: string): Reply => ({
    status: 400,
    body: { error_type: 'OAuthException', code: 400, error_message },
  })
  const oauth = oauthServer(
    {
      ...{ authorizePath: '/oauth/authorize', tokenPath: '/oauth/access_token', clientAuth: 'body' },
      ...{ scopeSeparator: ',', code_s: 3600, access_s: 3600, refresh: 'none', shape, errorOf },
    },
    now,
  )
  /** Times at which the tokens of 60 days were issued. */
  const long = new Map<string, number>()
  let renewals = 0

  function issue(call: Call, isAllowed: (token: string) => boolean): Reply {
    const authorization = tokenIn === 'header' ? call.headers.authorization : `Bearer ${call.query.get('access_token')}`
    const token = (authorization ?? '').replace(/^Bearer /, '')
    const grant = oauth.grantOf({ headers: { authorization } })
    if (!grant) return errorReply(invalidToken().details)
    if (!isAllowed(token)) return errorReply({ code: 452, message: 'Session key invalid. This could be too early.' })
    const access_token = oauth.extend(grant, LONG_S)
    long.set(access_token, now())
    return { status: 200, body: { access_token, token_type: 'bearer', expires_in: LONG_S } }
  }

  function handle(call: Call): Reply | undefined {
    const rule = ruleOf(requests, call)
    const problem = rule && problemOf(rule, call)
    if (problem) return errorOf('invalid_request', `${problem.name} ${problem.message}`)
    if (call.path === '/access_token') {
      if (call.query.get('client_secret') === oauth.client.client_secret)
        return issue(call, (token) => !long.has(token))
      return errorReply({ code: 101, message: 'Error validating application. Invalid application secret.' })
    }
    if (call.path === '/refresh_access_token') {
      const reply = issue(call, (token) => now() - (long.get(token) ?? now()) >= DAY_MS)
      if (reply.status === 200) renewals++
      return reply
    }
    const reply = oauth.handle(call)
    const location = reply?.headers?.location
    return reply && location !== undefined ? { ...reply, headers: { location: `${location}#_` } } : reply
  }

  return { oauth, handle, isLong: (token: string) => long.has(token), renewals: () => renewals }
}
