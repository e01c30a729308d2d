import type { ApiVersion } from '../calls/version.ts'
import { accountApi } from '../meta/account-api.ts'
import { remoteAvatar } from '../meta/avatar.ts'
import { graphServedUntil } from '../meta/versions.ts'

export const apiVersion: ApiVersion = { setting: 'instagram', madeFor: 'v26.0', servedUntil: graphServedUntil }

export const { tokenHost, graphOf, replyTo, ask } = accountApi({
  base: 'https://graph.instagram.com',
  apiVersion,
})

/** The fields of an account that `describe` reads. */
export const ACCOUNT_FIELDS = 'user_id,username,name,profile_picture_url'

/** The names and the image of an account. */
export function describe({ username, name, profile_picture_url: picture }: Record<string, unknown>) {
  return {
    handle: String(username ?? '').slice(0, 80),
    name: typeof name === 'string' ? name : '',
    avatar: remoteAvatar(picture, 'instagram.images'),
  }
}
