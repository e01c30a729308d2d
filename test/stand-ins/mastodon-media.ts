import { fileTypeFromBuffer } from 'file-type'
import sharp from 'sharp'
import type { Software } from './mastodon-software.ts'
import type { Call, Reply } from './server.ts'

export type Account = { id: string; username: string; scopes: string[] }

/** `polls`: how often it is still asked for before it is ready. `post`: the post that shows it. */
export type Media = {
  id: string
  account: Account
  kind: string
  type: string
  alt: string | null
  polls: number
  failed: boolean
  post: string | undefined
}

export type MediaState = {
  software: Software
  media: Map<string, Media>
  newId: () => string
  origin: () => string
  processingPolls: number
  nextUpload: 'ready' | 'never' | 'fails'
}

const TYPES =
  /^(image\/(jpeg|png|gif|heic|heif|webp|avif)|video\/(webm|mp4|quicktime|ogg)|audio\/(wav|ogg|vorbis|mpeg|webm|flac|aac|x-m4a|mp4|3gpp))$/
const IMAGE_PIXELS = 33_177_600
const ALT_LENGTH = 1500

const TEXTS: Record<number, string> = {
  400: 'Bad request',
  401: 'The access token is invalid',
  403: 'This action is outside the authorized scopes',
  404: 'Record not found',
  422: "Validation failed: Text can't be blank",
  429: 'Too many requests',
  503: 'There was a temporary problem serving your request, please try again',
}
export const error = (status: number, message: string): Reply => ({ status, body: { error: message } })
export const errorOf = (status: number, message?: string) => error(status, message ?? TEXTS[status] ?? 'Error')

export const mediaLimits = ({ imageBytes, videoBytes }: Software) => ({
  description_limit: ALT_LENGTH,
  supported_mime_types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'video/mp4', 'video/quicktime'],
  image_size_limit: imageBytes,
  image_matrix_limit: IMAGE_PIXELS,
  video_size_limit: videoBytes,
  video_frame_rate_limit: 120,
  video_matrix_limit: 8_294_400,
})

export const showMedia = ({ id, kind, alt, polls, failed }: Media, origin: string) => ({
  id,
  type: kind,
  url: polls > 0 || failed ? null : `${origin}/media/${id}`,
  preview_url: `${origin}/media/${id}/small`,
  remote_url: null,
  meta: {},
  description: alt,
  blurhash: null,
})

/** The reason for which a file is refused. */
async function problemOf(software: Software, bytes: Buffer, type: string) {
  const notMedia = 'Validation failed: File content type is invalid, File is invalid'
  if (!TYPES.test(type)) return notMedia
  const limit = type.startsWith('image/') ? software.imageBytes : software.videoBytes
  if (bytes.length > limit) return `Validation failed: File file size must be less than ${limit} Bytes`
  if (!type.startsWith('image/')) return undefined
  const size = await sharp(bytes)
    .metadata()
    .catch(() => undefined)
  if (!size) return notMedia
  if (size.width * size.height > IMAGE_PIXELS)
    return `Validation failed: ${size.width}x${size.height} images are not supported`
}

const problemOfAlt = (alt: unknown) =>
  typeof alt === 'string' && [...alt].length > ALT_LENGTH
    ? `Validation failed: Description is too long (maximum is ${ALT_LENGTH} characters)`
    : undefined

export async function uploadMedia(state: MediaState, account: Account, { files, fields }: Call): Promise<Reply> {
  const { software, newId, processingPolls, nextUpload } = state
  const file = files.find(({ field }) => field === 'file')
  if (!file) return error(software.invalid, "Validation failed: File can't be blank")
  // Recognises files by their content, as the declared type may be wrong.
  const type = (await fileTypeFromBuffer(file.bytes))?.mime ?? ''
  const problem = (await problemOf(software, file.bytes, type)) ?? problemOfAlt(fields.description)
  if (problem) return error(software.invalid, problem)
  const still = type.startsWith('image/') && type !== 'image/gif'
  const slow = nextUpload !== 'ready' || !still
  const media: Media = {
    id: newId(),
    account,
    kind: still ? 'image' : type === 'image/gif' ? 'gifv' : (type.split('/')[0] ?? ''),
    type,
    alt: typeof fields.description === 'string' && fields.description ? fields.description : null,
    polls: nextUpload === 'never' ? Number.POSITIVE_INFINITY : slow ? processingPolls : 0,
    failed: nextUpload === 'fails',
    post: undefined,
  }
  state.media.set(media.id, media)
  state.nextUpload = 'ready'
  return { status: slow ? 202 : 200, body: { ...showMedia(media, state.origin()), ...(slow ? { url: null } : {}) } }
}

export function oneMedia(state: MediaState, account: Account, { method, fields }: Call, id: string): Reply {
  const found = state.media.get(id)
  if (!found || found.account !== account || found.post) return errorOf(404)
  if (method === 'GET' && found.polls > 0) {
    found.polls--
    return { status: 206, body: { ...showMedia(found, state.origin()), url: null } }
  }
  if (found.failed) return error(422, 'Error processing thumbnail for uploaded media')
  const problem = problemOfAlt(fields.description)
  if (problem) return error(state.software.invalid, problem)
  if (method === 'PUT' && typeof fields.description === 'string') found.alt = fields.description || null
  return { status: found.polls > 0 ? 206 : 200, body: showMedia(found, state.origin()) }
}

/** The files of a post, or the reason for a refusal. `post`: the one that is edited. */
export function mediaToAttach(
  { software, media }: MediaState,
  account: Account,
  ids: string[],
  post?: string,
): Media[] | string {
  const files = ids
    .map((id) => media.get(id))
    .filter((each) => each !== undefined)
    .filter((each) => each.account === account && (!each.post || each.post === post))
  if (ids.length > software.maxMedia) return `Cannot attach more than ${software.maxMedia} files`
  if (files.length < ids.length) return `Media ${ids.join(', ')} not found or already attached to another post`
  if (
    software.name === 'mastodon' &&
    files.length > 1 &&
    files.some(({ kind }) => kind === 'video' || kind === 'audio')
  )
    return 'Cannot attach a video to a post that already contains images'
  if (files.some(({ polls, failed }) => polls > 0 || failed))
    return 'Cannot attach files that have not finished processing. Try again in a moment!'
  return files
}
