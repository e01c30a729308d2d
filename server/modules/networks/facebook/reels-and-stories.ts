import type { Deps } from '../../../lib/deps.ts'
import { call, ifAvailable } from '../calls/call.ts'
import { credentialsOf } from '../calls/credentials.ts'
import { uploadTimeoutMs } from '../calls/multipart.ts'
import { idOf, requireSuccess, rowsOf } from '../meta/graph.ts'
import { freshUpload } from '../meta/uploads.ts'
import { NetworkFault, type OpenAccount, type PartMedia, type Publication } from '../network.ts'
import { askAsPage, type Credentials, uploadPhoto } from './api.ts'
import { requireProcessed, stateOf } from './film.ts'
import type { Post } from './look-up.ts'

const edgeOf = ({ account }: OpenAccount, name: string) => `/${account.external_id}/${name}`

/** Publishes a film as a reel. */
export async function publishReel(
  deps: Deps,
  publication: Publication,
  { text, file }: { text: string; file: PartMedia },
): Promise<Post> {
  const path = edgeOf(publication, 'video_reels')
  const { id } = await freshUpload(deps, publication, 'upload 0.0', () => upload(deps, publication, path, file))
  const { video_id } = await publication.step('post 0', {
    intent: () => ({ video_id: id }),
    run: async ({ video_id }) => {
      const params = { upload_phase: 'finish', video_id, video_state: 'PUBLISHED', description: text }
      await confirmed(askAsPage(deps, publication, { method: 'POST', path, params }))
      return { video_id }
    },
    ifLost: {
      find: async ({ video_id }) => ((await stateOf(deps, publication, video_id)).isFinished ? { video_id } : 'absent'),
      // One upload is one reel, however often it is finished.
      ifAbsent: 'repeat',
    },
  })
  return processed(deps, publication, video_id)
}

/** Publishes a photo or a film as a story. */
export async function publishStory(deps: Deps, publication: Publication, file: PartMedia): Promise<Post> {
  const isFilm = file.kind === 'video'
  const path = edgeOf(publication, isFilm ? 'video_stories' : 'photo_stories')
  const { id } = await freshUpload(deps, publication, 'upload 0.0', () =>
    isFilm ? upload(deps, publication, path, file) : uploadPhoto(deps, publication, file),
  )
  const story = await publication.step('post 0', {
    part: 0,
    intent: () => ({ media_id: id }),
    run: async ({ media_id }) => {
      const params = isFilm ? { upload_phase: 'finish', video_id: media_id } : { photo_id: media_id }
      const { post_id } = await confirmed(askAsPage(deps, publication, { method: 'POST', path, params }))
      return { id: idOf({ id: post_id }) }
    },
    ifLost: { find: ({ media_id }) => findStory(deps, publication, media_id), ifAbsent: 'wait' },
  })
  if (isFilm) await processed(deps, publication, id)
  const found = await ifAvailable(() => findStory(deps, publication, id))
  return { id: story.id, url: found === undefined || found === 'absent' ? null : found.url }
}

const processed = (deps: Deps, publication: Publication, video_id: string) =>
  publication.step('processed 0', {
    part: 0,
    run: async () => requireProcessed(deps, publication, video_id),
    ifLost: 'repeat',
  })

async function confirmed(response: Promise<Record<string, unknown>>) {
  const fields = await response
  if (fields.success === true) return fields
  throw new NetworkFault({ kind: 'unconfirmed', message: 'Facebook did not confirm the post.' })
}

/** Sends a film to an address of its own, where nobody sees it until it is finished. */
async function upload(deps: Deps, account: OpenAccount, path: string, film: PartMedia): Promise<{ id: string }> {
  const begun = await askAsPage(deps, account, { method: 'POST', path, params: { upload_phase: 'start' } })
  const { video_id, upload_url: url } = begun
  if (typeof url !== 'string' || !url.startsWith('https://rupload.facebook.com/'))
    throw new NetworkFault({ kind: 'unavailable', message: 'Facebook gave no address for the film.' })
  const { page_token } = credentialsOf<Credentials>(account)
  const file = await film.open()
  try {
    const reply = await call(deps, {
      ...{ url, method: 'POST', body: file.stream, originKey: 'facebook.upload' },
      timeoutMs: uploadTimeoutMs(file.bytes),
      headers: {
        authorization: `OAuth ${page_token}`,
        'content-type': 'application/octet-stream',
        'content-length': String(file.bytes),
        offset: '0',
        file_size: String(file.bytes),
      },
    })
    requireSuccess(deps, reply, page_token)
  } finally {
    file.stream.destroy()
  }
  return { id: idOf({ id: video_id }) }
}

/** Looks for the story that has a photo or a film. */
async function findStory(deps: Deps, account: OpenAccount, media_id: string): Promise<Post | 'absent'> {
  const stories = rowsOf(await askAsPage(deps, account, { path: edgeOf(account, 'stories'), params: { limit: 50 } }))
  const found = stories.find((story) => String(story.media_id) === media_id)
  if (!found) return 'absent'
  return { id: idOf({ id: found.post_id }), url: typeof found.url === 'string' ? found.url : null }
}
