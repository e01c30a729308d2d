import type { Deps } from '../../../lib/deps.ts'
import { call, ifAvailable } from '../calls/call.ts'
import { credentialsOf } from '../calls/credentials.ts'
import { uploadTimeoutMs } from '../calls/multipart.ts'
import { idOf, requireSuccess, rowsOf } from '../meta/graph.ts'
import { NetworkFault, type PartMedia, type Publication } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'
import { askAsPage, type Credentials, preparePhoto } from './api.ts'
import type { Post } from './look-up.ts'
import { prepareVideo, requireShown, stateOf } from './video.ts'

const edgeOf = ({ account }: OpenAccount, name: string) => `/${account.external_id}/${name}`

export async function publishReel(
  deps: Deps,
  publication: Publication,
  { text, file }: { text: string; file: PartMedia },
): Promise<Post> {
  const path = edgeOf(publication, 'video_reels')
  const { video_id } = await publication.step('post 0', {
    part: 0,
    intent: async (): Promise<{ video_id: string; text?: string }> => ({
      video_id: await prepareVideo(publication, { kind: 'reel', text, file }, () =>
        upload(deps, publication, path, file),
      ),
      text,
    }),
    run: async ({ video_id, text: description }) => {
      const params = { upload_phase: 'finish', video_id, video_state: 'PUBLISHED', description }
      await confirmed(askAsPage(deps, publication, { method: 'POST', path, params }))
      return { video_id }
    },
    ifLost: {
      find: async ({ video_id }) => ((await stateOf(deps, publication, video_id)).isFinished ? { video_id } : 'absent'),
      // One upload is one reel, however often it is finished.
      ifAbsent: 'repeat',
    },
    discards: ['upload 0.0'],
  })
  return requireShown(deps, publication, video_id)
}

export async function publishStory(deps: Deps, publication: Publication, file: PartMedia): Promise<Post> {
  const isVideo = file.kind === 'video'
  const path = edgeOf(publication, isVideo ? 'video_stories' : 'photo_stories')
  const story = await publication.step('post 0', {
    part: 0,
    intent: async () => ({
      media_id: isVideo
        ? await prepareVideo(publication, { kind: 'story', text: '', file }, () =>
            upload(deps, publication, path, file),
          )
        : await preparePhoto(deps, publication, file, 'upload 0.0'),
    }),
    run: async ({ media_id }) => {
      const params = isVideo ? { upload_phase: 'finish', video_id: media_id } : { photo_id: media_id }
      const { post_id } = await confirmed(askAsPage(deps, publication, { method: 'POST', path, params }))
      return { id: idOf({ id: post_id }), media_id }
    },
    ifLost: { find: ({ media_id }) => findStory(deps, publication, media_id), ifAbsent: 'wait' },
    discards: ['upload 0.0'],
  })
  const { media_id } = story
  if (isVideo) await requireShown(deps, publication, media_id)
  const match = await ifAvailable(() => findStory(deps, publication, media_id))
  return { id: story.id, url: match === undefined || match === 'absent' ? null : match.url }
}

async function confirmed(response: Promise<Record<string, unknown>>) {
  const fields = await response
  if (fields.success === true) return fields
  throw new NetworkFault({ kind: 'unconfirmed', message: 'Facebook did not confirm the post.' })
}

/** Sends a video to an address of its own, where nobody sees it until it is finished. */
async function upload(deps: Deps, account: OpenAccount, path: string, video: PartMedia): Promise<string> {
  const begun = await askAsPage(deps, account, { method: 'POST', path, params: { upload_phase: 'start' } })
  const { video_id, upload_url: url } = begun
  if (typeof url !== 'string' || !url.startsWith('https://rupload.facebook.com/'))
    throw new NetworkFault({ kind: 'unavailable', message: 'Facebook gave no address for the video.' })
  const { page_token } = credentialsOf<Credentials>(account)
  const file = await video.open()
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
  return idOf({ id: video_id })
}

type Story = Post & { media_id: string }

/** Looks for the story that has a photo or a video. */
async function findStory(deps: Deps, account: OpenAccount, media_id: string): Promise<Story | 'absent'> {
  const stories = rowsOf(await askAsPage(deps, account, { path: edgeOf(account, 'stories'), params: { limit: 50 } }))
  const match = stories.find((story) => String(story.media_id) === media_id)
  if (!match) return 'absent'
  return { id: idOf({ id: match.post_id }), media_id, url: typeof match.url === 'string' ? match.url : null }
}
