import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, jsonOf } from '../calls/call.ts'
import { versionOf } from '../calls/version.ts'
import { type GraphHost, graphReply } from '../meta/graph.ts'
import { pictureOf } from '../meta/pictures.ts'
import type { OpenAccount } from '../network.ts'
import { withToken } from '../oauth/with-token.ts'

const VERSION = 'v1.0'

/** The addresses of tokens have no version. */
export const TOKENS: GraphHost = { base: 'https://graph.threads.net', originKey: 'threads.graph' }

export const graphOf = (deps: Deps): GraphHost => ({
  ...TOKENS,
  base: `${TOKENS.base}/${versionOf(deps, 'threads', VERSION)}`,
})

type Request = Omit<Parameters<typeof graphReply>[2], 'token'>

/** Calls the API as the account. */
export const replyTo = (deps: Deps, account: OpenAccount, request: Request) =>
  withToken(account, (token) => graphReply(deps, graphOf(deps), { token, ...request }))

/** The fields of the response. */
export const ask = async (deps: Deps, account: OpenAccount, request: Request) =>
  fieldsOf(jsonOf(await replyTo(deps, account, request)))

/** The fields of an account that `describe` reads. */
export const ACCOUNT_FIELDS = 'id,username,name,threads_profile_picture_url'

/** The names and the picture of an account. */
export function describe({ id, username, name, threads_profile_picture_url: picture }: Record<string, unknown>) {
  const handle = typeof username === 'string' && username !== '' ? username : String(id)
  return {
    handle: handle.slice(0, 80),
    name: typeof name === 'string' ? name : '',
    avatar: pictureOf(picture, 'threads.images'),
  }
}
