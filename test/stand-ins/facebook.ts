import { fileTypeFromBuffer } from 'file-type'
import {
  errorReply,
  type Fields,
  GraphError,
  invalidToken,
  limitReply,
  listReply,
  missing,
  noPermission,
  pick,
  timeOf,
  unknownObject,
} from './facebook-graph.ts'
import { facebookPages, type Page, type PageToken } from './facebook-pages.ts'
import { requests } from './facebook-requests.ts'
import { facebookSignIn } from './facebook-sign-in.ts'
import { facebookVideos, storyIdOf, type Video } from './facebook-videos.ts'
import type { StoredPost } from './faults.ts'
import { instagramMedia, isInstagramPost, isInstagramUpload } from './instagram-media.ts'
import { requestsOf } from './instagram-requests.ts'
import { metaState } from './meta-accounts.ts'
import { requireRule } from './meta-requests.ts'
import { postNumbers } from './numbers.ts'
import { type Call, networkServer, processingFailures, type Reply } from './server.ts'

type Photo = { id: string; page: string; type: string; alt: string; post: string | undefined }
type Post = { id: string; page: string; message: string; link: string; photos: Photo[]; at: Date; deleted: boolean }
type Comment = { id: string; object: string; page: string; message: string; at: Date; deleted: boolean }

const VERSION = '/v26.0'
const instagramRequests = requestsOf('facebook')
const PHOTO_BYTES = 4_000_000
const DUPLICATE_MS = 600_000

/** Lists of which a call asks for the totals alone. */
const reactions = {
  reactions: { data: [], summary: { total_count: postNumbers.likes } },
  comments: { data: [], summary: { total_count: postNumbers.comments } },
}

/**
 * Facebook with an app, and the Pages of the person who signs in, with the accounts of Instagram that are linked to them.
 * Files of these are fetched as `fetchFrom` says.
 */
export async function facebookServer() {
  const now = () => new Date()
  const state = metaState(1_000_000)
  const { newId } = state
  const signIn = facebookSignIn(VERSION)
  const { tokenOf, shownPage, shownInstagram, onUser, controls } = facebookPages({
    ...{ signIn, newId },
    url: () => server.url,
  })
  const instagram = instagramMedia(state)
  const { videos, onVideos, onUpright, onUpload, statusOf, ...videoControls } = facebookVideos(now, newId)
  const photos = new Map<string, Photo>()
  const posts = new Map<string, Post>()
  const comments: Comment[] = []
  /** Photos that are stories, by id. */
  const photoStories = new Map<string, Photo>()

  function shownPost({ id, page, message, link, photos: files, at }: Post): Fields {
    const shown = files.map((photo) => ({ media_type: 'photo', target: { id: photo.id } }))
    const album = { media_type: 'album', target: { id: newId() }, subattachments: { data: shown } }
    const card = link === '' ? [] : [{ media_type: link.includes('video') ? 'video' : 'link', target: {} }]
    const data = shown.length > 1 ? [album] : [...shown, ...card]
    return {
      id,
      message,
      created_time: timeOf(at),
      permalink_url: `https://www.facebook.com/${page}/posts/${id.split('_')[1]}`,
      attachments: data.length === 0 ? '' : { data },
    }
  }

  /** A video is among the posts of its Page too. */
  const shownVideo = ({ id, page, description, at }: Video): Fields => ({
    id: `${page}_${id}`,
    message: description,
    created_time: timeOf(at),
    permalink_url: `https://www.facebook.com/${page}/videos/${id}`,
    attachments: { data: [{ media_type: 'video', target: { id } }] },
  })

  async function addPhoto(page: Page, { fields, files }: Call): Promise<Fields> {
    const [file] = files
    const type = (file && (await fileTypeFromBuffer(file.bytes))?.mime) ?? ''
    if (!file || !['image/jpeg', 'image/png'].includes(type) || file.bytes.length > PHOTO_BYTES)
      throw new GraphError({
        ...{ code: 1, subcode: 1_366_046, message: 'Invalid parameter' },
        user: ["Can't Read Files", 'Your photos couldn’t be uploaded. Photos should be less than 4 MB.'],
      })
    if (fields.published !== 'false') throw new Error('A published photo is a post of its own.')
    const id = newId()
    photos.set(id, { id, page: page.id, type, alt: String(fields.alt_text_custom ?? ''), post: undefined })
    return { id }
  }

  function addPost(page: Page, { fields, query }: Call): Fields {
    const [message, link] = [String(fields.message ?? ''), String(fields.link ?? '')]
    const media = Array.isArray(fields.attached_media) ? fields.attached_media : []
    const attached = media.map(({ media_fbid }) => photos.get(String(media_fbid)))
    if (message === '' && link === '' && attached.length === 0) throw missing('message')
    if (link.includes('unreachable'))
      throw new GraphError({ code: 100, subcode: 1_609_005, message: '(#100) The link could not be read' })
    const files = attached.map((photo) => {
      if (photo?.page === page.id && photo.post === undefined) return photo
      throw new GraphError({ code: 100, message: '(#100) Param attached_media contains a photo that is not available' })
    })
    const same = [...posts.values()].find(
      (post) => !post.deleted && post.page === page.id && post.message === message && files.length === 0,
    )
    if (same && now().getTime() - same.at.getTime() < DUPLICATE_MS)
      throw new GraphError({
        ...{ code: 506, subcode: 1_455_006, message: '(#506) Duplicate status message' },
        user: ['Duplicate Status Update', 'This status update is identical to the last one you posted.'],
      })
    const post = { id: `${page.id}_${newId()}`, page: page.id, message, link, photos: files, at: now(), deleted: false }
    for (const photo of files) photo.post = post.id
    posts.set(post.id, post)
    return pick(shownPost(post), query.get('fields') ?? undefined)
  }

  function addPhotoStory(page: Page, { fields }: Call): Fields {
    const photo = photos.get(String(fields.photo_id))
    if (photo?.page !== page.id || photo.post !== undefined || photoStories.has(photo.id))
      throw new GraphError({ code: 100, message: '(#100) The photo is not available' })
    photoStories.set(photo.id, photo)
    return { success: true, post_id: storyIdOf(photo) }
  }

  const storiesOf = (page: Page) =>
    [
      ...[...photoStories.values()].map((photo) => ({ ...photo, media_type: 'photo' })),
      ...[...videos.values()]
        .filter(({ kind, state }) => kind === 'story' && state !== 'uploading')
        .map((video) => ({ ...video, media_type: 'video' })),
    ]
      .filter((story) => story.page === page.id)
      .map((story) => ({
        ...{ post_id: storyIdOf(story), status: 'PUBLISHED', media_type: story.media_type, media_id: story.id },
        url: `https://www.facebook.com/stories/${storyIdOf(story)}`,
      }))

  function addComment(page: Page, object: string, { fields }: Call): Fields {
    const id = `${object.split('_').at(-1)}_${newId()}`
    comments.push({ id, object, page: page.id, message: String(fields.message), at: now(), deleted: false })
    return { id }
  }

  const newestFirst = (rows: Fields[]) =>
    rows.toSorted((a, b) => Date.parse(String(b.created_time)) - Date.parse(String(a.created_time)))

  function postsOf(page: Page) {
    const live = [...posts.values()].filter((post) => post.page === page.id && !post.deleted)
    const ready = [...videos.values()].filter(
      (video) => video.page === page.id && video.state === 'ready' && !video.deleted,
    )
    return newestFirst([...live.toReversed().map(shownPost), ...ready.map(shownVideo)])
  }

  const commentsOf = (object: string, args: Fields) => {
    const rows = comments
      .filter((comment) => comment.object === object && !comment.deleted)
      .map(({ id, message, at, page }) => ({ id, message, created_time: timeOf(at), from: { id: page } }))
    return args.order === 'reverse_chronological' ? rows.toReversed() : rows
  }

  function onObject(token: PageToken, id: string, call: Call, args: Fields): Fields {
    const { page } = token
    const [post, video] = [posts.get(id), videos.get(id)]
    const object = post ?? video
    if (!object || object.deleted || object.page !== page.id) throw unknownObject(call.method, id)
    if (call.method === 'GET') {
      if (post) return pick({ ...shownPost(post), ...reactions, shares: { count: postNumbers.shares } }, args.fields)
      if (!video) throw unknownObject(call.method, id)
      // The address of a video is relative.
      const permalink_url = `/${page.username || page.id}/videos/${id}/`
      return pick({ ...shownVideo(video), ...reactions, id, permalink_url, status: statusOf(video) }, args.fields)
    }
    if (call.method === 'DELETE') object.deleted = true
    else if (video && call.fields.description !== undefined) video.description = String(call.fields.description)
    else if (post && call.fields.message !== undefined) post.message = String(call.fields.message)
    else throw missing(video ? 'description' : 'message')
    return { success: true }
  }

  function onPage(pageToken: PageToken, token: string, path: string, call: Call): Fields | Promise<Fields> {
    const { page, grant } = pageToken
    const args = Object.fromEntries(call.query)
    const [, id = '', edge] = path.split('/')
    const owner = page.instagram?.id
    const isInstagram = owner !== undefined && (id === owner || instagram.has(id))
    requireRule(isInstagram ? instagramRequests : requests.page, { ...call, path }, grant.scopes)
    if ((isInstagram || call.method !== 'GET') && !page.tasks.includes('CREATE_CONTENT'))
      throw noPermission('CREATE_CONTENT')
    if (isInstagram && id === owner && edge === undefined && call.method === 'GET')
      return pick(shownInstagram(page) ?? {}, args.fields)
    if (isInstagram) return instagram.respond({ call, token, owner, id, edge, fields: args.fields })
    if (id === 'me' && edge === undefined) return pick(shownPage(pageToken), args.fields)
    if (id === page.id && edge === undefined && call.method === 'GET') return pick(shownPage(pageToken), args.fields)
    if (edge === undefined) return onObject(pageToken, id, call, args)
    if (edge === 'comments') {
      const object = posts.get(id) ?? videos.get(id)
      if (!object || object.deleted) throw unknownObject(call.method, id)
      if (call.method === 'GET') return listReply(commentsOf(id, args), args, token)
      return addComment(page, id, call)
    }
    if (id !== page.id) throw unknownObject(call.method, id)
    if (call.method === 'GET' && edge === 'stories') return { data: storiesOf(page) }
    if (edge === 'published_posts') return listReply(postsOf(page), args, token)
    if (call.method === 'POST' && edge === 'photos') return addPhoto(page, call)
    if (call.method === 'POST' && edge === 'feed') return addPost(page, call)
    if (call.method === 'POST' && edge === 'videos') return onVideos(page.id, call)
    if (call.method === 'POST' && edge === 'video_reels') return onUpright(page.id, 'reel', call)
    if (call.method === 'POST' && edge === 'video_stories') return onUpright(page.id, 'story', call)
    if (call.method === 'POST' && edge === 'photo_stories') return addPhotoStory(page, call)
    throw unknownObject(call.method, path)
  }

  async function response(call: Call): Promise<Fields> {
    const path = call.path.slice(VERSION.length)
    const upload = /^\/video-upload\/v26\.0\/(\w+)$/.exec(call.path)?.[1]
    const scheme = upload === undefined ? 'Bearer ' : 'OAuth '
    const { authorization = '' } = call.headers
    const token = authorization.startsWith(scheme) ? authorization.slice(scheme.length) : undefined
    if (token === undefined)
      throw new GraphError({ code: 104, message: 'An access token is required to request this resource.' })
    const pageToken = tokenOf(token)
    if (!pageToken) return onUser(call, token, path)
    if (pageToken.grant.ended) throw invalidToken()
    if (upload !== undefined) return onUpload(upload, call)
    return onPage(pageToken, token, path, call)
  }

  async function handle(call: Call): Promise<Reply> {
    if (!call.path.startsWith(`${VERSION}/`) && !call.path.startsWith('/video-upload/'))
      return { status: 404, body: Buffer.from('<h1>Not found</h1>') }
    const signedIn = signIn.handle(call)
    if (signedIn) return signedIn
    try {
      return { status: 200, body: await response(call) }
    } catch (error) {
      if (!(error instanceof GraphError)) throw error
      return errorReply(error.details)
    }
  }

  const stored = (): StoredPost[] => {
    const ready = [...videos.values()].filter(({ state }) => state === 'ready')
    return [
      ...[...posts.values()].map(({ id, message, photos: files, deleted }) => ({
        ...{ id, text: message, replyTo: null, deleted },
        media: files.map(({ type, alt }) => ({ type, alt: alt || null })),
      })),
      ...[...photoStories.values()].map(({ id, type, alt }) => ({
        ...{ id, text: '', replyTo: null, deleted: false },
        media: [{ type, alt: alt || null }],
      })),
      ...ready.map(({ id, description, deleted }) => ({
        ...{ id, text: description, replyTo: null, deleted },
        media: [{ type: 'video/mp4', alt: null }],
      })),
      ...comments.map(({ id, message, object, deleted }) => ({
        ...{ id, text: message, replyTo: object, deleted, media: [] },
      })),
      ...instagram.stored(),
    ]
  }

  const server = await networkServer({
    handle,
    errorOf: (status, message = 'An unexpected error has occurred. Please retry your request later.') =>
      errorReply({ code: status >= 500 ? 2 : 100, message, status }),
    isPost: ({ method, path, fields }) =>
      method === 'POST' &&
      (/\/(feed|photo_stories)$/.test(path) || isInstagramPost(path) || fields.upload_phase === 'finish'),
    isUpload: ({ method, headers, path }) =>
      (headers['content-type'] ?? '').startsWith('multipart/') ||
      path.startsWith('/video-upload/') ||
      (method === 'POST' && isInstagramUpload(path)),
    failures: {
      refused: {
        kind: 'reply',
        of: () =>
          errorReply({
            ...{ code: 200, subcode: 1_404_078, message: '(#200) Permissions error', status: 403 },
            user: ['Page Publishing Authorization', 'You need to complete Page Publishing Authorization.'],
          }),
      },
      rate_limited: { kind: 'reply', of: ({ path }) => limitReply(path.split('/')[2] ?? '') },
      false_success: { kind: 'reply', of: () => ({ status: 200, body: { success: false } }) },
      ...processingFailures((outcome) => {
        videoControls.failNextVideo(outcome)
        state.setOutcome(outcome)
      }),
    },
    endTokens: signIn.oauth.endGrants,
    stored,
  })

  return {
    ...server,
    ...videoControls,
    ...controls,
    oauth: signIn.oauth,
    idOf: signIn.idOf,
    posts,
    videos,
    instagram,
    fetchFrom: state.fetchFrom,
  }
}
