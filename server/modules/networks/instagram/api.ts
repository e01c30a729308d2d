import { accountApi } from '../meta/account-api.ts'
import { pictureOf } from '../meta/pictures.ts'

export const { tokenHost, graphOf, replyTo, ask } = accountApi({
  network: 'instagram',
  base: 'https://graph.instagram.com',
  version: 'v26.0',
})

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
