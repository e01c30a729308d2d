import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, jsonOf } from '../calls/call.ts'
import { credentialsOf } from '../calls/credentials.ts'
import { type ApiVersion, versionOf } from '../calls/version.ts'
import { remoteAvatar } from '../meta/avatar.ts'
import { type GraphHost, graphReply, idOf, KEPT_MS } from '../meta/graph.ts'
import { graphServedUntil } from '../meta/versions.ts'
import type { PartMedia, Publication } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'

export const apiVersion: ApiVersion = { setting: 'facebook', madeFor: 'v26.0', servedUntil: graphServedUntil }

const versionInUse = (deps: Pick<Deps, 'config'>) => versionOf(deps, apiVersion)

type HostOf = (deps: Pick<Deps, 'config'>) => GraphHost
export const graphOf: HostOf = (deps) => ({
  base: `https://graph.facebook.com/${versionInUse(deps)}`,
  originKey: 'facebook.graph',
})
/** Takes videos, which the other host refuses. */
export const videoHostOf: HostOf = (deps) => ({
  base: `https://graph-video.facebook.com/${versionInUse(deps)}`,
  originKey: 'facebook.video',
})

const TOKEN_PATH = '/oauth/access_token'
export const tokenUrlOf = (deps: Pick<Deps, 'config'>) => `${graphOf(deps).base}${TOKEN_PATH}`
export const authorizeUrlOf = (deps: Pick<Deps, 'config'>) =>
  `https://www.facebook.com/${versionInUse(deps)}/dialog/oauth`

/** The token of a Page does not expire. It ends when the person who connected it loses the Page or the password. */
export type Credentials = { page_token: string }

type Request = Omit<Parameters<typeof graphReply>[2], 'token'>

export const replyToPage = (deps: Deps, account: OpenAccount, request: Request, hostOf = graphOf) =>
  graphReply(deps, hostOf(deps), { token: credentialsOf<Credentials>(account).page_token, ...request })

/** The fields of the response. */
export const askAsPage = async (deps: Deps, account: OpenAccount, request: Request, hostOf = graphOf) =>
  fieldsOf(jsonOf(await replyToPage(deps, account, request, hostOf)))

/** Uploads a photo that nobody sees until a post has it. Returns its id. */
export const preparePhoto = (deps: Deps, publication: Publication, photo: PartMedia, name: string) =>
  publication.prepare(name, {
    from: { photo: photo.version, alt: photo.alt },
    make: async () => {
      const form = [
        { name: 'published', value: 'false' },
        ...(photo.alt === '' ? [] : [{ name: 'alt_text_custom', value: photo.alt }]),
        { name: 'source', file: photo },
      ]
      return idOf(await askAsPage(deps, publication, { path: `/${publication.account.external_id}/photos`, form }))
    },
    keptMs: KEPT_MS,
  })

/** The cursor of the next page of a list. Its address is not used: it contains the token. */
export function cursorOf({ paging }: Record<string, unknown>) {
  const { next, cursors } = fieldsOf(paging)
  const { after } = fieldsOf(cursors)
  return typeof next === 'string' && typeof after === 'string' ? after : undefined
}

/** The address of a post. That of a video is relative. */
export function addressOf({ id, permalink_url }: Record<string, unknown>) {
  const path = typeof permalink_url === 'string' ? permalink_url : `/${id}`
  return URL.canParse(path, 'https://www.facebook.com') ? new URL(path, 'https://www.facebook.com').href : null
}

/** The fields of a Page that `describe` reads. */
export const PAGE_FIELDS = 'id,name,username,picture{url,is_silhouette}'

/** The names and the image of a Page. */
export function describe(page: Record<string, unknown>) {
  const { id, name, username } = page
  const named = typeof name === 'string' ? name : String(id)
  return {
    name: named,
    handle: (typeof username === 'string' && username !== '' ? username : named).slice(0, 80),
    avatar: avatarOf(page),
  }
}

function avatarOf({ picture }: Record<string, unknown>) {
  const { url, is_silhouette } = fieldsOf(fieldsOf(picture).data)
  return is_silhouette === true ? undefined : remoteAvatar(url, 'facebook.images')
}
