import type { Deps } from '../../../lib/deps.ts'
import type { Reply } from '../../../lib/outbound/bounded-request.ts'
import type { ApiVersion } from '../calls/version.ts'
import { accountApi } from '../meta/account-api.ts'
import { remoteAvatar } from '../meta/avatar.ts'
import { graphServedUntil } from '../meta/versions.ts'
import type { OpenAccount } from '../network-account.ts'

export const apiVersion: ApiVersion = { setting: 'instagram', madeFor: 'v26.0', servedUntil: graphServedUntil }

type Request = { method?: 'POST'; path: string; params: Record<string, unknown> }

/** The API of one way of sign-in. The ways differ in the host, in the token, and in the path of the account itself. */
export type InstagramApi = {
  replyTo: (deps: Deps, account: OpenAccount, request: Request) => Promise<Reply>
  /** The fields of the response. */
  ask: (deps: Deps, account: OpenAccount, request: Request) => Promise<Record<string, unknown>>
  pathOf: (account: OpenAccount) => string
}

export const { tokenHost, graphOf, ...calls } = accountApi({ base: 'https://graph.instagram.com', apiVersion })

/** Calls with the token of an account that signed in itself. */
export const ownApi: InstagramApi = { ...calls, pathOf: () => '/me' }

/** The fields of an account that `describe` reads. */
export const NAME_FIELDS = 'username,name,profile_picture_url'

/** The names and the image of an account. */
export function describe({ username, name, profile_picture_url: picture }: Record<string, unknown>) {
  const handle = (typeof username === 'string' ? username : '').slice(0, 80).toWellFormed()
  return {
    handle,
    name: typeof name === 'string' ? name.toWellFormed() : '',
    url: `https://www.instagram.com/${encodeURIComponent(handle)}/`,
    avatar: remoteAvatar(picture, 'instagram.images'),
  }
}
