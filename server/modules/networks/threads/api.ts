import { accountApi } from '../meta/account-api.ts'
import { pictureOf } from '../meta/pictures.ts'

export const { tokenHost, graphOf, replyTo, ask } = accountApi({
  network: 'threads',
  base: 'https://graph.threads.net',
  version: 'v1.0',
})

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
