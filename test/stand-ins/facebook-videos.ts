import { type Fields, GraphError } from './facebook-graph.ts'
import type { Call } from './server.ts'

/** `polls`: how often it is still asked for before it is ready. */
export type Video = {
  id: string
  page: string
  session: string
  size: number
  bytes: Buffer
  state: 'uploading' | 'processing' | 'ready' | 'error'
  polls: number
  outcome: 'ready' | 'never' | 'fails'
  description: string
  at: Date
  deleted: boolean
  kind: 'video' | 'reel' | 'story'
}

/** Bytes of a part that the server asks for. Small, so that tests send several. */
const PART_BYTES = 8000

/** The post of a story. */
export const storyIdOf = ({ page, id }: { page: string; id: string }) => `${page}${id}`

/** The videos of Pages, which are uploaded in three phases. */
export function facebookVideos(now: () => Date, newId: () => string) {
  const videos = new Map<string, Video>()
  let nextOutcome: Video['outcome'] = 'ready'
  let polls = 1

  /** Offsets are texts. */
  const rangeOf = ({ bytes, size }: Video) => ({
    start_offset: String(bytes.length),
    end_offset: String(Math.min(bytes.length + PART_BYTES, size)),
  })

  const sessionOf = (page: string, session: unknown) => {
    const video = [...videos.values()].find((each) => each.session === session && each.page === page)
    if (video?.state === 'uploading') return video
    throw new GraphError({ code: 6000, subcode: 1_363_037, message: 'There was a problem uploading your video file.' })
  }

  function onVideos(page: string, { fields, files }: Call): Fields {
    switch (fields.upload_phase) {
      case 'start': {
        const size = Number(fields.file_size)
        const video: Video = {
          ...{ id: newId(), page, session: newId(), size, bytes: Buffer.alloc(0), state: 'uploading', polls },
          ...{ outcome: 'ready', description: '', at: now(), deleted: false, kind: 'video' },
        }
        videos.set(video.id, video)
        return { upload_session_id: video.session, video_id: video.id, ...rangeOf(video) }
      }
      case 'transfer': {
        const video = sessionOf(page, fields.upload_session_id)
        const bytes = files[0]?.bytes ?? Buffer.alloc(0)
        if (Number(fields.start_offset) !== video.bytes.length || bytes.length > PART_BYTES)
          throw new GraphError({ code: 6001, subcode: 1_363_030, message: 'Your video upload timed out.' })
        video.bytes = Buffer.concat([video.bytes, bytes])
        if (nextOutcome !== 'ready') video.outcome = nextOutcome
        nextOutcome = 'ready'
        return rangeOf(video)
      }
      default: {
        const video = sessionOf(page, fields.upload_session_id)
        if (video.bytes.length !== video.size)
          throw new GraphError({ code: 6000, subcode: 1_363_033, message: 'The video file is not complete.' })
        Object.assign(video, { state: 'processing', description: String(fields.description ?? ''), at: now() })
        return { success: true }
      }
    }
  }

  /** A reel or the story of a video: its bytes go to an address of its own. */
  function onUpright(page: string, kind: 'reel' | 'story', { fields }: Call): Fields {
    if (fields.upload_phase === 'start') {
      const video: Video = {
        ...{ id: newId(), page, session: newId(), size: 0, bytes: Buffer.alloc(0), state: 'uploading', polls },
        ...{ outcome: 'ready', description: '', at: now(), deleted: false, kind },
      }
      videos.set(video.id, video)
      return { video_id: video.id, upload_url: `https://rupload.facebook.com/video-upload/v26.0/${video.id}` }
    }
    const video = videos.get(String(fields.video_id))
    if (video?.page !== page || video.kind !== kind || video.size === 0 || video.state !== 'uploading')
      throw new GraphError({ code: 6000, subcode: 1_363_130, message: 'The video cannot be published.' })
    Object.assign(video, { state: 'processing', description: String(fields.description ?? ''), at: now() })
    return { success: true, ...(kind === 'story' && { post_id: storyIdOf(video) }) }
  }

  /** Takes the bytes of a reel or a story, all at once. */
  function onUpload(id: string, { headers, raw }: Call): Fields {
    const video = videos.get(id)
    if (video?.state !== 'uploading') throw new GraphError({ code: 6000, message: 'The upload is unknown.' })
    if (headers.offset !== '0' || Number(headers.file_size) !== raw.length || raw.length === 0)
      throw new GraphError({ code: 6000, subcode: 1_363_033, message: 'The video file is not complete.' })
    Object.assign(video, { bytes: raw, size: raw.length, outcome: nextOutcome })
    nextOutcome = 'ready'
    return { success: true }
  }

  /** Each call is a step nearer to the end of processing. */
  function statusOf(video: Video): Fields {
    if (video.state === 'processing' && video.outcome !== 'never' && video.polls-- <= 0)
      video.state = video.outcome === 'fails' ? 'error' : 'ready'
    const { state } = video
    const isFinished = state !== 'uploading'
    return {
      video_status: isFinished ? state : 'upload_complete',
      uploading_phase: { status: isFinished ? 'complete' : 'in_progress' },
      processing_phase:
        state === 'error'
          ? { status: 'error', errors: [{ code: 1_363_026, message: 'The video has no image.' }] }
          : { status: state === 'ready' ? 'complete' : isFinished ? 'in_progress' : 'not_started' },
      publishing_phase:
        state === 'ready'
          ? { status: 'complete', publish_status: 'published', publish_time: Math.floor(video.at.getTime() / 1000) }
          : { status: 'not_started' },
    }
  }

  return {
    videos,
    onVideos,
    onUpright,
    onUpload,
    statusOf,
    failNextVideo: (outcome: Video['outcome']) => {
      nextOutcome = outcome
    },
    /** Calls that ask for a video before it is ready. */
    processFor: (times: number) => {
      polls = times
    },
  }
}
