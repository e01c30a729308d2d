import { errorReply, type Fields, GraphError, invalidToken, unknownObject } from './facebook-graph.ts'
import { exchanges } from './facebook-requests.ts'
import { oauthServer } from './oauth.ts'
import { problemOf } from './request-rules.ts'
import type { Call, Reply } from './server.ts'

const PERMISSIONS = [
  ...['pages_show_list', 'pages_read_engagement', 'pages_manage_posts', 'pages_manage_engagement'],
  ...['instagram_basic', 'instagram_content_publish', 'instagram_manage_comments', 'instagram_manage_insights'],
  'business_management',
]

const WRONG_CLIENT = { code: 1, message: 'Error validating client secret.' }

/** Facebook Login. Its endpoint for tokens also takes GET, and names no scopes. */
export function facebookSignIn(version: string) {
  const tokenPath = `${version}/oauth/access_token`
  const oauth = oauthServer({
    ...{ authorizePath: `${version}/dialog/oauth`, tokenPath, clientAuth: 'body', scopeSeparator: ',' },
    ...{ code_s: 600, access_s: 5092, refresh: 'none' },
    shape: ({ access_token, expires_in }) => ({ access_token, token_type: 'bearer', expires_in }),
    errorOf: (error, message) =>
      errorReply(error === 'invalid_client' ? WRONG_CLIENT : { code: 100, subcode: 36_009, message }),
  })
  const long = new Set<string>()

  /** Exchanges a token of an hour for one of 60 days. */
  function extend({ client_id, client_secret, fb_exchange_token }: Fields): Reply {
    if (!oauth.isClient(client_id, client_secret)) return errorReply(WRONG_CLIENT)
    const grant = oauth.grantOf({ headers: { authorization: `Bearer ${fb_exchange_token}` } })
    if (!grant) return errorReply(invalidToken(`Malformed access token ${fb_exchange_token}`).details)
    const access_token = oauth.extend(grant, 5_184_000)
    long.add(access_token)
    return { status: 200, body: { access_token, token_type: 'bearer', expires_in: 5_183_999 } }
  }

  /** Ids of people are those of the app. */
  const idOf = (person: string) => `10${[...person].map((letter) => letter.charCodeAt(0)).join('')}`

  /** Removes the app from the account of a person, as the app itself may do. */
  function removeApp(token: string, id: string): Fields {
    if (token !== `${oauth.client.client_id}|${oauth.client.client_secret}`) throw new GraphError(WRONG_CLIENT)
    const theirs = oauth.grants.filter(({ person, ended }) => idOf(person) === id && !ended)
    if (theirs.length === 0) throw unknownObject('DELETE', id)
    for (const grant of theirs) grant.ended = true
    return { success: true }
  }

  return {
    oauth,
    idOf,
    removeApp,
    isLong: (token: string) => long.has(token),
    permissionsOf: (scopes: readonly string[]) =>
      PERMISSIONS.map((permission) => ({ permission, status: scopes.includes(permission) ? 'granted' : 'declined' })),
    handle: (call: Call): Reply | undefined => {
      const fields = { ...Object.fromEntries(call.query), ...call.fields }
      if (call.path !== tokenPath) {
        const reply = oauth.handle(call)
        const location = reply?.headers?.location
        // Facebook ends the address like this.
        return reply && location !== undefined ? { ...reply, headers: { location: `${location}#_=_` } } : reply
      }
      const isExtended = fields.grant_type === 'fb_exchange_token'
      const rule = isExtended ? exchanges.extension : exchanges.code
      const query = new URLSearchParams(call.query)
      for (const [name, value] of Object.entries(call.fields)) query.set(name, String(value))
      const problem = problemOf(rule, { ...call, query, fields: {} })
      if (problem) return errorReply({ code: 100, message: `(#100) ${problem.name} ${problem.message}` })
      return isExtended ? extend(fields) : oauth.handle({ ...call, fields })
    },
  }
}
