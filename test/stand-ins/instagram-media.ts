import { type Fields, GraphError, listReply, pick, timeOf, unknownObject } from './facebook-graph.ts'
import type { StoredPost } from './faults.ts'
import type { AccountCall, metaState } from './meta-accounts.ts'
import type { PublicFile } from './meta-files.ts'
import { insights } from './meta-insights.ts'
import { accountNumbers, postNumbers } from './numbers.ts'
import type { Call } from './server.ts'

type Container = {
  id: string
  owner: string
  fields: Fields
  files: PublicFile[]
  status: 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'PUBLISHED' | 'EXPIRED'
  reason: string
  /** Calls that still ask for it before it is ready. */
  polls: number
  expires: number
}

type Media = { id: string; owner: string; kind: string; fields: Fields; files: PublicFile[]; at: Date }
type Comment = { id: string; media: string; text: string; at: Date }

/** A call of an account with this id, after its rule was found. */
type MediaCall = Pick<AccountCall, 'call' | 'token' | 'id' | 'edge' | 'fields'> & { owner: string }

const DAY_MS = 24 * 3600_000
const invalidParameter = (message: string) => new GraphError({ code: 100, message: `(#100) ${message}` })
const TOO_MANY = { code: 9, subcode: 2_207_042, message: 'Application request limit reached' }

/** Numbers of an account, by the names of its fields. */
export const instagramNumbers = {
  followers_count: accountNumbers.followers,
  follows_count: accountNumbers.following,
  media_count: accountNumbers.posts,
}

/** Whether a call leaves something that readers see, or prepares it. */
export const isInstagramPost = (path: string) => /\/(media_publish|comments)$/.test(path)
export const isInstagramUpload = (path: string) => path.endsWith('/media')

/** The posts of accounts of Instagram, prepared in containers and published from them. Both of its hosts serve them. */
export function instagramMedia(state: ReturnType<typeof metaState>) {
  const { now, newId, fetchFile, takeOutcome } = state
  const containers = new Map<string, Container>()
  const media = new Map<string, Media>()
  const comments: Comment[] = []
  const posts = state.quota(100)
  const made = state.quota(400)

  async function filesOf(owner: string, kind: string, fields: Fields): Promise<PublicFile[]> {
    if (kind === 'CAROUSEL') {
      const children = String(fields.children)
        .split(',')
        .map((id) => containers.get(id))
      return children.flatMap((child) => {
        if (child?.owner !== owner || child.fields.is_carousel_item !== true || child.status !== 'FINISHED')
          throw invalidParameter('A child is not ready')
        return child.files
      })
    }
    const isVideo = fields.video_url !== undefined
    const type = await fetchFile(
      fields.video_url ?? fields.image_url,
      isVideo ? /^video\/(mp4|quicktime)$/ : /^image\//,
    )
    if (type === undefined)
      throw new GraphError({
        ...{ code: 9004, subcode: 2_207_052, message: 'Only photo or video can be accepted as media type.' },
        user: ['Media download has failed', 'The media could not be fetched from this URI.'],
      })
    if (!isVideo && type !== 'image/jpeg')
      throw new GraphError({ code: 36_001, subcode: 2_207_005, message: 'The image format is not supported.' })
    return [{ type, alt: String(fields.alt_text ?? '') }]
  }

  async function addContainer(owner: string, { fields }: Call): Promise<Fields> {
    const kind = String(fields.media_type ?? 'IMAGE')
    if (made.isUsedUp(owner)) throw new GraphError(TOO_MANY)
    made.use(owner)
    const files = await filesOf(owner, kind, fields)
    const outcome = takeOutcome()
    const isReady = outcome === 'ready' && ['IMAGE', 'CAROUSEL'].includes(kind)
    const container: Container = {
      ...{ id: newId(), owner, fields, files, status: isReady ? 'FINISHED' : 'IN_PROGRESS', expires: now() + DAY_MS },
      reason: outcome === 'fails' ? 'Error: Media upload has failed with error code 2207026' : '',
      polls: outcome === 'never' ? Number.POSITIVE_INFINITY : 1,
    }
    containers.set(container.id, container)
    return { id: container.id }
  }

  /** Each call is a step nearer to the end of processing. */
  function shownContainer(container: Container): Fields {
    if (container.status === 'IN_PROGRESS' && container.polls-- <= 0)
      container.status = container.reason === '' ? 'FINISHED' : 'ERROR'
    if (container.status !== 'PUBLISHED' && now() > container.expires) container.status = 'EXPIRED'
    return { id: container.id, status_code: container.status, status: container.reason || container.status }
  }

  function publishContainer(owner: string, { fields }: Call): Fields {
    const container = containers.get(String(fields.creation_id))
    if (container?.owner !== owner || container.fields.is_carousel_item === true)
      throw unknownObject('POST', String(fields.creation_id))
    if (container.status === 'IN_PROGRESS')
      throw new GraphError({ code: 9007, subcode: 2_207_027, message: 'Media ID is not available' })
    if (shownContainer(container).status_code !== 'FINISHED')
      throw new GraphError({ code: 24, subcode: 2_207_008, message: 'The media builder has expired.' })
    if (posts.isUsedUp(owner)) throw new GraphError(TOO_MANY)
    posts.use(owner)
    container.status = 'PUBLISHED'
    const kind = String(container.fields.media_type ?? 'IMAGE')
    const id = newId()
    media.set(id, { id, owner, kind, fields: container.fields, files: container.files, at: new Date(now()) })
    return { id }
  }

  const shownMedia = ({ id, fields, at }: Media): Fields => ({
    ...{ id, caption: String(fields.caption ?? ''), timestamp: timeOf(at) },
    permalink: `https://www.instagram.com/p/${id}/`,
    ...{ like_count: postNumbers.likes, comments_count: postNumbers.comments },
  })

  function respond({ call, token, owner, id, edge, fields }: MediaCall): Fields | Promise<Fields> {
    const { method } = call
    const listOf = (rows: Fields[]) => listReply(rows.toReversed(), Object.fromEntries(call.query), token)
    if (id === owner && method === 'POST') {
      if (edge === 'media') return addContainer(owner, call)
      if (edge === 'media_publish') return publishContainer(owner, call)
    }
    if (id === owner && method === 'GET' && (edge === 'media' || edge === 'stories')) {
      const isListed = (each: Media) => each.owner === owner && (each.kind === 'STORIES') === (edge === 'stories')
      return listOf([...media.values()].filter(isListed).map(shownMedia))
    }
    if (id === owner && edge === 'content_publishing_limit')
      return {
        data: [pick({ id: '', quota_usage: posts.usageOf(owner), config: posts.config() }, fields ?? 'quota_usage')],
      }
    const found = media.get(id)
    if (edge === 'insights' && found?.owner === owner) {
      const { views, reach, saves: saved, shares } = postNumbers
      return insights(call, { views, reach, saved, shares })
    }
    if (edge === 'comments' && found) {
      if (method === 'GET')
        return listOf(
          comments
            .filter((comment) => comment.media === id)
            .map((comment) => ({ id: comment.id, text: comment.text, timestamp: timeOf(comment.at) })),
        )
      const comment = { id: newId(), media: id, text: String(call.fields.message), at: new Date(now()) }
      comments.push(comment)
      return { id: comment.id }
    }
    const container = containers.get(id)
    if (method === 'GET' && edge === undefined && container?.owner === owner)
      return pick(shownContainer(container), fields)
    if (method !== 'GET' || edge !== undefined || found?.owner !== owner) throw unknownObject(method, id)
    return pick(shownMedia(found), fields)
  }

  const stored = (): StoredPost[] => [
    ...[...media.values()].map(({ id, fields, files }) => ({
      ...{ id, text: String(fields.caption ?? ''), replyTo: null, deleted: false },
      media: files.map(({ type, alt }) => ({ type, alt: alt || null })),
    })),
    ...comments.map(({ id, media: replyTo, text }) => ({ id, text, replyTo, deleted: false, media: [] })),
  ]

  /** Whether it is the id of a post or of a container. */
  const has = (id: string) => media.has(id) || containers.has(id)

  return {
    ...{ media, comments, has, respond, stored },
    /** Lets an account publish as much in a day. */
    limitPosts: posts.setTotal,
  }
}
