import type { ApiVersion } from '../calls/version.ts'
import { accountApi } from '../meta/account-api.ts'
import { remoteAvatar } from '../meta/avatar.ts'

/** Threads has had one version, whose end is not announced. */
export const apiVersion: ApiVersion = { setting: 'threads', madeFor: 'v1.0', servedUntil: () => null }

export const { tokenHost, graphOf, replyTo, ask } = accountApi({
  base: 'https://graph.threads.net',
  apiVersion,
})

/** The fields of an account that `describe` reads. */
export const ACCOUNT_FIELDS = 'id,username,name,threads_profile_picture_url'

/** The names and the image of an account. */
export function describe({ id, username, name, threads_profile_picture_url: picture }: Record<string, unknown>) {
  const handle = typeof username === 'string' && username !== '' ? username : String(id)
  return {
    handle: handle.slice(0, 80),
    name: typeof name === 'string' ? name : '',
    avatar: remoteAvatar(picture, 'threads.images'),
  }
}
