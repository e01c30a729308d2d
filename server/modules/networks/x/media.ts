import { Readable } from 'node:stream'
import { HOUR } from '../../../../shared/time.ts'
import type { Deps } from '../../../lib/deps.ts'
import { fieldsOf, jsonOf } from '../calls/call.ts'
import { callWithForm } from '../calls/multipart.ts'
import { slicesOf } from '../calls/slices.ts'
import { NetworkFault, type PartMedia, type Publication } from '../network.ts'
import { API, ask, askData, originKey, requireSuccess } from './api.ts'
import { type Authorize, asAccount } from './authorization.ts'

/** X takes segments of up to 5 MB. */
const SEGMENT_BYTES = 4_000_000
/** Seconds between two questions whether a video is processed, where X names none. */
const POLL_S = 5

const categories = { image: 'tweet_image', gif: 'tweet_gif', video: 'tweet_video' } as const

/** Media that no post has end after a day. */
const KEPT_MS = 12 * HOUR

/** Uploads a file with its alternative text, which cannot be taken back, and waits until it is processed. Returns its id. */
export const upload = (deps: Deps, publication: Publication, file: PartMedia, name: string): Promise<string> =>
  publication.prepare(`upload ${name}`, {
    from: { file: file.version, alt: file.alt },
    make: () => asAccount(deps, publication, (authorize) => send(deps, authorize, file)),
    ready: ({ id, is_ready }) =>
      asAccount(deps, publication, async (authorize) => {
        if (!is_ready) await assertProcessed(deps, authorize, id)
        const json = { id, metadata: { alt_text: { text: file.alt } } }
        if (file.alt !== '') await ask(deps, authorize, { method: 'POST', path: '/2/media/metadata', json })
        return id
      }),
    keptMs: KEPT_MS,
  })

type Uploaded = { id: string; is_ready: boolean }

async function send(deps: Deps, authorize: Authorize, file: PartMedia): Promise<Uploaded> {
  const { kind } = file
  if (kind === 'document')
    throw new NetworkFault({ kind: 'failed', code: 'rejected_by_network', message: 'X takes no documents.' })
  const source = await file.open()
  try {
    const { id } = await askData(deps, authorize, {
      method: 'POST',
      path: '/2/media/upload/initialize',
      json: { media_type: source.mime, total_bytes: source.bytes, media_category: categories[kind] },
    })
    if (typeof id !== 'string')
      throw new NetworkFault({ kind: 'unavailable', message: 'X returned no id of the upload.' })
    const take = slicesOf(source.stream)
    for (let index = 0; index * SEGMENT_BYTES < source.bytes; index++) {
      const bytes = Math.min(SEGMENT_BYTES, source.bytes - index * SEGMENT_BYTES)
      const open = async () => ({ ...source, stream: Readable.from(take(bytes)), bytes })
      const url = `${API}/2/media/upload/${id}/append`
      const reply = await callWithForm(
        deps,
        { url, headers: { authorization: authorize({ method: 'POST', url }) }, originKey },
        [
          { name: 'segment_index', value: String(index) },
          { name: 'media', file: { open } },
        ],
      )
      requireSuccess(deps, reply)
    }
    const { processing_info } = await askData(deps, authorize, {
      method: 'POST',
      path: `/2/media/upload/${id}/finalize`,
    })
    return { id, is_ready: processing_info === undefined }
  } finally {
    source.stream.destroy()
  }
}

async function assertProcessed(deps: Deps, authorize: Authorize, id: string) {
  const query = new URLSearchParams({ command: 'STATUS', media_id: id })
  const reply = await ask(deps, authorize, { path: `/2/media/upload?${query}` })
  const { state, check_after_secs, error } = fieldsOf(fieldsOf(fieldsOf(jsonOf(reply)).data).processing_info)
  if (state === 'succeeded') return
  if (state === 'failed') {
    const { message } = fieldsOf(error)
    const reason = typeof message === 'string' ? message : 'X could not process the video.'
    throw new NetworkFault({ kind: 'failed', code: 'rejected_by_network', message: reason })
  }
  throw new NetworkFault({
    kind: 'processing',
    message: 'X is still processing the video.',
    retry_after_s: Number(check_after_secs) || POLL_S,
  })
}
