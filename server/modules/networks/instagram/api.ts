import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, jsonOf } from '../calls/call.ts'
import { versionOf } from '../calls/version.ts'
import { type GraphHost, graphReply } from '../meta/graph.ts'
import { pictureOf } from '../meta/pictures.ts'
import type { OpenAccount } from '../network.ts'
import { withToken } from '../oauth/with-token.ts'

const VERSION = 'v26.0'

/** The addresses that renew tokens have no version. */
export const TOKENS: GraphHost = { base: 'https://graph.instagram.com', originKey: 'instagram.graph' }

export const graphOf = (deps: Deps): GraphHost => ({
  ...TOKENS,
  base: `${TOKENS.base}/${versionOf(deps, 'instagram', VERSION)}`,
})

type Request = Omit<Parameters<typeof graphReply>[2], 'token'>

/** Calls the API as the account. */
export const replyTo = (deps: Deps, account: OpenAccount, request: Request) =>
  withToken(account, (token) => graphReply(deps, graphOf(deps), { token, ...request }))

/** The fields of the response. */
export const ask = async (deps: Deps, account: OpenAccount, request: Request) =>
  fieldsOf(jsonOf(await replyTo(deps, account, request)))

/** The fields of an account that `describe` reads. */
export const ACCOUNT_FIELDS = 'user_id,username,name,profile_picture_url'

/** The names and the picture of an account. */
export function describe({ username, name, profile_picture_url: picture }: Record<string, unknown>) {
  return {
    handle: String(username ?? '').slice(0, 80),
    name: typeof name === 'string' ? name : '',
    avatar: pictureOf(picture, 'instagram.images'),
  }
}
