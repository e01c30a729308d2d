import { type Fields, pick } from './facebook-graph.ts'
import { instagramMedia, instagramNumbers, isInstagramPost, isInstagramUpload } from './instagram-media.ts'
import { requestsOf } from './instagram-requests.ts'
import { type AccountCall, metaAccounts, metaState } from './meta-accounts.ts'

const VERSION = '/v26.0'
const BLOCKED = { code: 25, subcode: 2_207_050, message: 'The Instagram account is restricted.' }

/** Instagram with an app and the accounts of the people who sign in. It fetches files as `fetchFrom` says. */
export async function instagramServer() {
  const state = metaState(18_000_000)
  const { media, comments, stored, limitPosts, respond: onMedia } = instagramMedia(state)
  const names = new Map<string, string>()

  const idOf = (person: string) =>
    String(17_841_400_000 + [...person].reduce((sum, letter) => sum + letter.charCodeAt(0), 0))

  function respond({ person, id: named, ...asked }: AccountCall): Fields | Promise<Fields> {
    const owner = idOf(person)
    const id = named === 'me' ? owner : named
    const { call, edge, fields } = asked
    if (call.method !== 'GET' || id !== owner || edge !== undefined) return onMedia({ ...asked, id, owner })
    const profile_picture_url = `${server.url}/picture.png`
    const username = names.get(person) ?? person
    const account = { id: `9${owner}`, user_id: owner, username, name: 'Ada', profile_picture_url }
    return pick({ ...account, ...instagramNumbers }, fields)
  }

  const server = await metaAccounts(state, {
    ...{ version: VERSION, requests: requestsOf('instagram'), respond, restricted: BLOCKED, stored },
    signIn: {
      ...{ prefix: 'ig', tokenIn: 'address' },
      shape: ({ access_token, scope }) => ({ data: [{ access_token, user_id: '9000', permissions: scope }] }),
    },
    isPost: isInstagramPost,
    isUpload: isInstagramUpload,
  })

  return {
    ...server,
    media,
    comments,
    limitPosts,
    rename: (person: string, name: string) => names.set(person, name),
  }
}
