import { Readable } from 'node:stream'
import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf } from '../calls/call.ts'
import { slicesOf } from '../calls/slices.ts'
import { idOf, isGraphError, KEPT_MS, rowsOf } from '../meta/graph.ts'
import { NetworkFault, type OpenFile, type PartMedia, type Publication } from '../network.ts'
import type { OpenAccount } from '../network-account.ts'
import { addressOf, askAsPage, videoHostOf } from './api.ts'
import type { Post } from './look-up.ts'

/** A video is made before its bytes are sent, and published when its session is finished. */
type Upload = { video_id: string; session: string }

/** Time between two questions whether a video is processed, in seconds. */
const POLL_S = 15

export async function publishVideo(
  deps: Deps,
  publication: Publication,
  { text, file }: { text: string; file: PartMedia },
): Promise<Post> {
  const videos = `/${publication.account.external_id}/videos`
  const { video_id } = await publication.step('post 0', {
    part: 0,
    intent: async (): Promise<Upload & { text?: string }> => ({
      ...(await prepareVideo(publication, { kind: 'video', text, file }, () =>
        uploadVideo(deps, publication, videos, file),
      )),
      text,
    }),
    run: async ({ video_id, session, text: description }) => {
      const params = { upload_phase: 'finish', upload_session_id: session, description, published: true }
      const { success } = await askAsPage(deps, publication, { method: 'POST', path: videos, params }, videoHostOf)
      if (success === true) return { video_id }
      throw new NetworkFault({ kind: 'unconfirmed', message: 'Facebook did not confirm the video.' })
    },
    ifLost: {
      find: async ({ video_id }) => ((await stateOf(deps, publication, video_id)).isFinished ? { video_id } : 'absent'),
      // A session has one video, however often it is finished.
      ifAbsent: 'repeat',
    },
    discards: ['upload 0.0'],
  })
  return requireShown(deps, publication, video_id)
}

/** The text belongs to the upload: what an upload was finished with once cannot be changed. */
export const prepareVideo = <Made>(
  { prepare }: Publication,
  { kind, text, file }: { kind: 'video' | 'reel' | 'story'; text: string; file: PartMedia },
  make: () => Promise<Made>,
) => prepare('upload 0.0', { from: { kind, text, video: file.version }, make, keptMs: KEPT_MS })

/** Waits until readers see a video. A retry sends one anew that Facebook could not process. */
export const requireShown = (deps: Deps, publication: Publication, video_id: string): Promise<Post> =>
  publication.step('processed 0', {
    run: async () => requireProcessed(deps, publication, video_id),
    ifLost: 'repeat',
    discards: ['post 0', 'upload 0.0'],
  })

async function uploadVideo(deps: Deps, account: OpenAccount, path: string, video: PartMedia): Promise<Upload> {
  const file = await video.open()
  const take = slicesOf(file.stream)
  try {
    const params = { upload_phase: 'start', file_size: file.bytes }
    const begun = await askAsPage(deps, account, { method: 'POST', path, params }, videoHostOf)
    const { video_id, upload_session_id: session } = begun
    if (typeof session !== 'string') throw new NetworkFault({ kind: 'unavailable', message: NO_SESSION })
    let [start, end] = rangeOf(begun)
    let sent = 0
    while (start < end) {
      if (start !== sent || end > file.bytes) throw new NetworkFault({ kind: 'unavailable', message: WRONG_RANGE })
      const part: OpenFile = { ...file, stream: Readable.from(take(end - start)), bytes: end - start }
      const form = [
        { name: 'upload_phase', value: 'transfer' },
        { name: 'upload_session_id', value: session },
        { name: 'start_offset', value: String(start) },
        { name: 'video_file_chunk', file: { open: async () => part } },
      ]
      sent = end
      const next = rangeOf(await askAsPage(deps, account, { path, form }, videoHostOf))
      start = next[0]
      end = next[1]
    }
    if (sent !== file.bytes) throw new NetworkFault({ kind: 'unavailable', message: WRONG_RANGE })
    return { video_id: idOf({ id: video_id }), session }
  } catch (thrown) {
    throw asLostSession(thrown)
  } finally {
    file.stream.destroy()
  }
}

/** The session is lost, for example because it took too long. The next one starts at the first byte. */
const LOST_SESSION = [1363030, 1363033, 1363037]

function asLostSession(thrown: unknown) {
  const isLost = LOST_SESSION.some((subcode) => isGraphError(thrown, { subcode }))
  if (!isLost || !(thrown instanceof NetworkFault)) return thrown
  return new NetworkFault({ kind: 'unavailable', message: thrown.message }, { cause: thrown })
}

const NO_SESSION = 'Facebook gave no session for the video.'
const WRONG_RANGE = 'Facebook asked for another part of the video.'

/** The bytes that Facebook asks for next, up to `end`. Equal when it has all. They are texts. */
function rangeOf({ start_offset, end_offset }: Record<string, unknown>): [number, number] {
  const [start, end] = [Number(start_offset), Number(end_offset)]
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0) return [start, end]
  throw new NetworkFault({ kind: 'unavailable', message: WRONG_RANGE })
}

/** Facebook shows a video to readers when it has processed and published it. */
export async function stateOf(deps: Deps, account: OpenAccount, id: string) {
  const video = await askAsPage(deps, account, { path: `/${id}`, params: { fields: 'id,permalink_url,status' } })
  const { video_status, processing_phase, publishing_phase } = fieldsOf(video.status)
  const processing = fieldsOf(processing_phase)
  const { status: publishing } = fieldsOf(publishing_phase)
  const error = fieldsOf(processing.error ?? rowsOf({ data: processing.errors })[0])
  const isReady = video_status === 'ready' && (publishing === undefined || publishing === 'complete')
  return {
    video,
    isReady,
    isFinished: isReady || video_status === 'ready' || video_status === 'processing' || publishing === 'complete',
    problem:
      video_status === 'error' || processing.status === 'error'
        ? String(error.message ?? 'Facebook could not process the video.').slice(0, 500)
        : undefined,
  }
}

async function requireProcessed(deps: Deps, account: OpenAccount, id: string): Promise<Post> {
  const { video, isReady, problem } = await stateOf(deps, account, id).catch((thrown) => {
    if (!(thrown instanceof NetworkFault) || thrown.failure.kind !== 'failed') throw thrown
    // A question that Facebook refuses says nothing about the video.
    throw new NetworkFault({ kind: 'unavailable', message: thrown.message }, { cause: thrown })
  })
  if (problem !== undefined) throw new NetworkFault({ kind: 'failed', code: 'rejected_by_network', message: problem })
  if (isReady) return { id, url: addressOf({ ...video, id }) }
  const message = 'Facebook is still processing the video.'
  throw new NetworkFault({ kind: 'processing', message, retry_after_s: POLL_S })
}
