import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import { type Call, call, faultOfReply, fieldsOf, messageOf, sentAt } from '../calls/call.ts'
import { credentialsOf } from '../calls/credentials.ts'
import { NetworkFault } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'
import { withToken } from '../oauth/with-token.ts'
import { httpUrl } from '../text/http-url.ts'

/** `software`: the name that the server gives itself by NodeInfo; empty if it gives none. */
export type Credentials = { server: string; access_token: string; software: string }

/** As they are stored with the account. Without a token, its owner signed in at the server. */
type StoredCredentials = Omit<Credentials, 'access_token'> & Partial<Credentials>

const softwareOfAccount = (account: OpenAccount) => credentialsOf<StoredCredentials>(account).software

/** Runs `work` with the token that was entered for the account, or else with that of its sign-in. */
export function asAccount<T>(account: OpenAccount, work: (credentials: Credentials) => Promise<T>): Promise<T> {
  const { access_token, ...stored } = credentialsOf<StoredCredentials>(account)
  if (access_token !== undefined) return work({ ...stored, access_token })
  return withToken(account, (token) => work({ ...stored, access_token: token }))
}

/** Mastodon keeps an idempotency key for an hour once the post is saved, and forgets it after a failure. */
export const keepsKeys = (account: OpenAccount) => softwareOfAccount(account) === 'mastodon'

/** Pixelfed spends a key before it validates the post, so that no corrected post could have the same. */
export const takesKeys = (account: OpenAccount) => softwareOfAccount(account) !== 'pixelfed'

/** The call that creates a status. */
export type Body = {
  status: string
  visibility: unknown
  media_ids?: string[]
  in_reply_to_id?: string
  spoiler_text?: unknown
  sensitive?: true
  language?: unknown
}

/** `accept`: a status that is no fault, beside success. */
type Request = Pick<Call, 'method' | 'json' | 'headers' | 'timeoutMs'> & { accept?: number }

/** The error of an earlier call with the same key, as Pleroma repeats it. */
export class ReplayedFault extends NetworkFault {}

/** Calls the API as an account. Throws a `NetworkFault` unless the status is a success. */
export const ask = (deps: Deps, account: OpenAccount, path: string, request?: Request) =>
  asAccount(account, (credentials) => askWith(deps, credentials, path, request))

/** Calls the API with a token. Throws a `NetworkFault` unless the status is a success. */
export async function askWith(
  deps: Deps,
  { server, access_token }: Pick<Credentials, 'server' | 'access_token'>,
  path: string,
  { headers, accept, ...request }: Request = {},
): Promise<Reply> {
  const url = `${server}${path}`
  const reply = await call(deps, { url, ...request, headers: { ...authorization(access_token), ...headers } })
  return reply.status === accept ? reply : requireSuccess(deps, reply)
}

/** A published status, as the steps store it. */
export type Status = { id: string; url: string | null }

/** Ids of every software: numbers, ULIDs and the like. */
export const isId = (id: unknown): id is string => typeof id === 'string' && /^[\w-]{1,64}$/.test(id)

/** Accepts a status only, as a spam filter may respond with success and keep nothing. */
export function statusOf(json: unknown): Status {
  const { id, url, uri } = fieldsOf(json)
  if (!isId(id)) throw new NetworkFault({ kind: 'unconfirmed', message: 'The server responded without a post.' })
  return { id, url: httpUrl(url) ?? httpUrl(uri) }
}

export const authorization = (access_token: string) => ({ authorization: `Bearer ${access_token}` })

/** Throws the fault of a response that is no success. */
export function requireSuccess({ clock }: Pick<Deps, 'clock'>, reply: Reply): Reply {
  if (reply.status >= 200 && reply.status < 300) return reply
  const message = messageOf(reply, 'The server', ['error', 'error_description'])
  // The account may not post: it lacks the scopes, is locked, or is not approved yet.
  if (reply.status === 403 && /scope|login|pending|approv|confirm|suspend|disabled/i.test(message))
    throw new NetworkFault({ kind: 'unauthorized', message })
  const fault = faultOfReply(reply, { message, retry_after_s: secondsUntilReset(reply) }, clock.now())
  throw reply.headers['idempotent-replayed'] === 'true' ? new ReplayedFault(fault.failure) : fault
}

/** Mastodon names the time at which the limit ends in `X-RateLimit-Reset`, by its own clock. */
function secondsUntilReset({ status, headers }: Reply) {
  if (status !== 429) return undefined
  const reset = Date.parse(headers['x-ratelimit-reset'] ?? '')
  const seconds = Math.ceil((reset - sentAt({ headers }).getTime()) / 1000)
  return seconds > 0 ? seconds : undefined
}
