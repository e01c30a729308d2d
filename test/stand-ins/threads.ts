import { type Fields, GraphError, listReply, pick, timeOf, unknownObject } from './facebook-graph.ts'
import type { StoredPost } from './faults.ts'
import { type AccountCall, metaAccounts, metaState } from './meta-accounts.ts'
import type { PublicFile } from './meta-files.ts'
import { insights } from './meta-insights.ts'
import { accountNumbers, postNumbers } from './numbers.ts'
import type { Call } from './server.ts'
import { requests } from './threads-requests.ts'

type Container = {
  id: string
  owner: string
  fields: Fields
  files: PublicFile[]
  status: 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'PUBLISHED' | 'EXPIRED'
  error: string
  /** Calls that still ask for it before it is ready. */
  polls: number
  /** Whether it is part of a post of several files, and published with that. */
  isItem: boolean
  expires: number
}

type Post = {
  id: string
  owner: string
  text: string
  files: PublicFile[]
  replyTo: string | null
  reply_control: string
  topic_tag: string
  at: Date
  deleted: boolean
}

const VERSION = '/v1.0'
const DAY_MS = 24 * 3600_000
const MAX_TEXT = 500
const MAX_LINKS = 5
const KINDS: Record<string, RegExp> = { IMAGE: /^image\/(jpeg|png)$/, VIDEO: /^video\/(mp4|quicktime)$/ }
const RESTRICTED = { code: 10, subcode: 4_279_013, status: 403, message: '(#10) Application does not have permission' }

const invalidParameter = (message: string) => new GraphError({ code: 100, message: `(#100) ${message}` })

const segments = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Characters of a text, in which an emoji counts as many as it has bytes. */
const lengthOf = (text: string) =>
  [...segments.segment(text)].reduce(
    (sum, { segment }) =>
      sum + (/\p{Emoji_Presentation}|\ufe0f/u.test(segment) ? Buffer.byteLength(segment) : [...segment].length),
    0,
  )
const linksOf = (...texts: unknown[]) => new Set(texts.join(' ').match(/https?:\/\/\S+/g) ?? [])

/** Threads with an app and the accounts of the people who sign in. It fetches files as `fetchFrom` says. */
export async function threadsServer() {
  const state = metaState(17_900_000)
  const { now, newId, fetchFile, takeOutcome } = state
  const containers = new Map<string, Container>()
  const posts = new Map<string, Post>()
  const names = new Map<string, string>()
  const quotas = { posts: state.quota(250), replies: state.quota(1000), deletes: state.quota(100) }

  /** Counts a use of a quota. The reference names no code for one that is used up. */
  function use(quota: (typeof quotas)['posts'], owner: string) {
    if (quota.isUsedUp(owner)) throw new GraphError({ code: 4, message: '(#4) Application request limit reached' })
    quota.use(owner)
  }

  const idOf = (person: string) => String(5000 + [...person].reduce((sum, letter) => sum + letter.charCodeAt(0), 0))

  async function filesOf(owner: string, fields: Fields): Promise<{ files: PublicFile[]; error: string }> {
    const kind = String(fields.media_type)
    if (kind === 'TEXT') return { files: [], error: '' }
    if (kind === 'CAROUSEL') {
      const items = String(fields.children)
        .split(',')
        .map((id) => containers.get(id))
      const isUsable = (item: Container | undefined) =>
        item?.owner === owner && item.isItem && item.status === 'FINISHED'
      if (!items.every(isUsable)) throw invalidParameter('A child is not ready')
      return { files: items.flatMap((item) => item?.files ?? []), error: '' }
    }
    const url = fields.image_url ?? fields.video_url
    const type = await fetchFile(url, KINDS[kind])
    return type === undefined
      ? { files: [], error: `FAILED_DOWNLOADING_${kind}` }
      : { files: [{ type, alt: String(fields.alt_text ?? '') }], error: '' }
  }

  async function addContainer(owner: string, { fields }: Call): Promise<Fields> {
    const text = String(fields.text ?? '')
    if (lengthOf(text) > MAX_TEXT) throw invalidParameter('The text is too long')
    if (linksOf(text, fields.link_attachment).size > MAX_LINKS)
      throw invalidParameter('THREADS_API__LINK_LIMIT_EXCEEDED')
    const parent = fields.reply_to_id === undefined ? undefined : posts.get(String(fields.reply_to_id))
    if (fields.reply_to_id !== undefined && (!parent || parent.deleted))
      throw unknownObject('POST', String(fields.reply_to_id))
    const { files, error } = await filesOf(owner, fields)
    const outcome = takeOutcome()
    const isReady = outcome === 'ready' && error === '' && ['TEXT', 'CAROUSEL'].includes(String(fields.media_type))
    const container: Container = {
      ...{ id: newId(), owner, fields, files, status: isReady ? 'FINISHED' : 'IN_PROGRESS' },
      error: outcome === 'fails' ? 'INVALID_ASPECT_RATIO' : error,
      polls: outcome === 'never' ? Number.POSITIVE_INFINITY : 1,
      isItem: fields.is_carousel_item !== undefined,
      expires: now() + DAY_MS,
    }
    containers.set(container.id, container)
    return { id: container.id }
  }

  /** Each call is a step nearer to the end of processing. */
  function shownContainer(container: Container): Fields {
    if (container.status === 'IN_PROGRESS' && container.polls-- <= 0)
      container.status = container.error === '' ? 'FINISHED' : 'ERROR'
    if (container.status !== 'PUBLISHED' && now() > container.expires) container.status = 'EXPIRED'
    return { id: container.id, status: container.status, error_message: container.error }
  }

  function publishContainer(owner: string, { fields }: Call): Fields {
    const container = containers.get(String(fields.creation_id))
    if (container?.owner !== owner || container.isItem) throw unknownObject('POST', String(fields.creation_id))
    if (container.status === 'IN_PROGRESS' || shownContainer(container).status !== 'FINISHED')
      throw new GraphError({
        ...{ code: 24, subcode: 4_279_009, message: 'The requested resource does not exist' },
        user: ['Media Not Found', `The media with id ${container.id} cannot be found or is published.`],
      })
    use(container.fields.reply_to_id === undefined ? quotas.posts : quotas.replies, owner)
    container.status = 'PUBLISHED'
    const { text = '', reply_to_id, reply_control = '', topic_tag = '' } = container.fields
    const post: Post = {
      ...{ id: newId(), owner, text: String(text), files: container.files, at: new Date(now()), deleted: false },
      replyTo: reply_to_id === undefined ? null : String(reply_to_id),
      ...{ reply_control: String(reply_control), topic_tag: String(topic_tag) },
    }
    posts.set(post.id, post)
    return { id: post.id }
  }

  const shownPost = ({ id, owner, text, at }: Post, person: string): Fields => ({
    ...{ id, text, timestamp: timeOf(at), username: person },
    permalink: `https://www.threads.com/@${person}/post/${owner}${id}`,
  })

  function respond({ call, token, person, id: named, edge, fields, needs }: AccountCall): Fields | Promise<Fields> {
    const owner = idOf(person)
    const id = named === 'me' ? owner : named
    const { method } = call
    if (method === 'GET' && id === owner && edge === undefined) {
      const threads_profile_picture_url = `${server.url}/picture.png`
      return pick(
        { id: owner, username: names.get(person) ?? person, name: 'Ada', threads_profile_picture_url },
        fields,
      )
    }
    if (edge === 'insights' || edge === 'threads_insights') {
      const post = posts.get(id)
      if (edge === 'insights' && (post?.owner !== owner || post.deleted)) throw unknownObject(method, id)
      if (edge === 'threads_insights' && id !== owner) throw unknownObject(method, id)
      const { views, likes, comments: replies, shares: reposts, quotes } = postNumbers
      const known = edge === 'insights' ? { views, likes, replies, reposts, quotes, shares: 9 } : {}
      return insights(call, known, { followers_count: accountNumbers.followers })
    }
    if (edge !== undefined && id !== owner) throw unknownObject(method, id)
    if (method === 'POST') {
      if (edge === 'threads') {
        if (call.fields.reply_to_id !== undefined) needs('threads_manage_replies')
        return addContainer(owner, call)
      }
      if (edge === 'threads_publish') return publishContainer(owner, call)
    }
    if (method === 'GET' && (edge === 'threads' || edge === 'replies')) {
      const listed = [...posts.values()].filter(
        (post) => post.owner === owner && !post.deleted && (post.replyTo !== null) === (edge === 'replies'),
      )
      const rows = listed.toReversed().map((post) => shownPost(post, person))
      return listReply(rows, Object.fromEntries(call.query), token)
    }
    if (edge === 'threads_publishing_limit') {
      const shown = Object.entries({ '': quotas.posts, reply_: quotas.replies, delete_: quotas.deletes }).flatMap(
        ([name, quota]) => [
          [`${name}quota_usage`, quota.usageOf(owner)],
          [`${name}config`, quota.config()],
        ],
      )
      return { data: [pick({ id: '', ...Object.fromEntries(shown) }, fields ?? 'quota_usage')] }
    }
    const [container, post] = [containers.get(id), posts.get(id)]
    if (method === 'GET' && container?.owner === owner) return pick(shownContainer(container), fields)
    if (post?.owner !== owner || post.deleted) throw unknownObject(method, id)
    if (method === 'GET') return pick(shownPost(post, person), fields)
    use(quotas.deletes, owner)
    post.deleted = true
    return { success: true, deleted_id: id }
  }

  const stored = (): StoredPost[] =>
    [...posts.values()].map(({ id, text, files, replyTo, deleted }) => ({
      ...{ id, text, replyTo, deleted },
      media: files.map(({ type, alt }) => ({ type, alt: alt || null })),
    }))

  const server = await metaAccounts(state, {
    ...{ version: VERSION, requests, respond, restricted: RESTRICTED, stored },
    signIn: {
      ...{ prefix: 'th', tokenIn: 'header' },
      shape: ({ access_token }) => ({ access_token, user_id: 26_000_000_000 }),
    },
    isPost: (path) => path.endsWith('/threads_publish'),
    isUpload: (path) => path.endsWith('/threads'),
  })

  return {
    ...server,
    posts,
    containers,
    rename: (person: string, name: string) => names.set(person, name),
    quotas,
  }
}
