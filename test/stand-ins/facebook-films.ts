import { type Fields, GraphError, missing } from './facebook-graph.ts'
import type { Call } from './server.ts'

/** `polls`: how often it is still asked for before it is ready. */
export type Film = {
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

/** The films of Pages, which are uploaded in three phases. */
export function facebookFilms(now: () => Date, newId: () => string) {
  const films = new Map<string, Film>()
  let nextOutcome: Film['outcome'] = 'ready'
  let polls = 1

  /** Offsets are texts. */
  const rangeOf = ({ bytes, size }: Film) => ({
    start_offset: String(bytes.length),
    end_offset: String(Math.min(bytes.length + PART_BYTES, size)),
  })

  const sessionOf = (page: string, session: unknown) => {
    const film = [...films.values()].find((each) => each.session === session && each.page === page)
    if (film?.state === 'uploading') return film
    throw new GraphError({ code: 6000, subcode: 1_363_037, message: 'There was a problem uploading your video file.' })
  }

  function onVideos(page: string, { fields, files }: Call): Fields {
    switch (fields.upload_phase) {
      case 'start': {
        const size = Number(fields.file_size)
        if (!(size > 0)) throw missing('file_size')
        const film: Film = {
          ...{ id: newId(), page, session: newId(), size, bytes: Buffer.alloc(0), state: 'uploading', polls },
          ...{ outcome: 'ready', description: '', at: now(), deleted: false, kind: 'video' },
        }
        films.set(film.id, film)
        return { upload_session_id: film.session, video_id: film.id, ...rangeOf(film) }
      }
      case 'transfer': {
        const film = sessionOf(page, fields.upload_session_id)
        const [chunk] = files
        if (chunk?.field !== 'video_file_chunk') throw missing('video_file_chunk')
        if (Number(fields.start_offset) !== film.bytes.length || chunk.bytes.length > PART_BYTES)
          throw new GraphError({ code: 6001, subcode: 1_363_030, message: 'Your video upload timed out.' })
        film.bytes = Buffer.concat([film.bytes, chunk.bytes])
        if (nextOutcome !== 'ready') film.outcome = nextOutcome
        nextOutcome = 'ready'
        return rangeOf(film)
      }
      case 'finish': {
        const film = sessionOf(page, fields.upload_session_id)
        if (film.bytes.length !== film.size)
          throw new GraphError({ code: 6000, subcode: 1_363_033, message: 'The video file is not complete.' })
        Object.assign(film, { state: 'processing', description: String(fields.description ?? ''), at: now() })
        return { success: true }
      }
      default:
        throw new GraphError({ code: 389, message: '(#389) Unable to fetch video file from URL.' })
    }
  }

  /** A reel or the story of a film: its bytes go to an address of its own. */
  function onUpright(page: string, kind: 'reel' | 'story', { fields }: Call): Fields {
    if (fields.upload_phase === 'start') {
      const film: Film = {
        ...{ id: newId(), page, session: newId(), size: 0, bytes: Buffer.alloc(0), state: 'uploading', polls },
        ...{ outcome: 'ready', description: '', at: now(), deleted: false, kind },
      }
      films.set(film.id, film)
      return { video_id: film.id, upload_url: `https://rupload.facebook.com/video-upload/v26.0/${film.id}` }
    }
    const film = films.get(String(fields.video_id))
    if (film?.page !== page || film.kind !== kind || film.size === 0 || film.state !== 'uploading')
      throw new GraphError({ code: 6000, subcode: 1_363_130, message: 'The video cannot be published.' })
    if (kind === 'reel' && fields.video_state !== 'PUBLISHED') throw missing('video_state')
    Object.assign(film, { state: 'processing', description: String(fields.description ?? ''), at: now() })
    return { success: true, ...(kind === 'story' && { post_id: storyIdOf(film) }) }
  }

  /** Takes the bytes of a reel or a story, all at once. */
  function onUpload(id: string, { headers, raw }: Call): Fields {
    const film = films.get(id)
    if (film?.state !== 'uploading') throw new GraphError({ code: 6000, message: 'The upload is unknown.' })
    if (headers.offset !== '0' || Number(headers.file_size) !== raw.length || raw.length === 0)
      throw new GraphError({ code: 6000, subcode: 1_363_033, message: 'The video file is not complete.' })
    Object.assign(film, { bytes: raw, size: raw.length, outcome: nextOutcome })
    nextOutcome = 'ready'
    return { success: true }
  }

  /** Each call is a step nearer to the end of processing. */
  function statusOf(film: Film): Fields {
    if (film.state === 'processing' && film.outcome !== 'never' && film.polls-- <= 0)
      film.state = film.outcome === 'fails' ? 'error' : 'ready'
    const { state } = film
    const isFinished = state !== 'uploading'
    return {
      video_status: isFinished ? state : 'upload_complete',
      uploading_phase: { status: isFinished ? 'complete' : 'in_progress' },
      processing_phase:
        state === 'error'
          ? { status: 'error', errors: [{ code: 1_363_026, message: 'The video has no picture.' }] }
          : { status: state === 'ready' ? 'complete' : isFinished ? 'in_progress' : 'not_started' },
      publishing_phase:
        state === 'ready'
          ? { status: 'complete', publish_status: 'published', publish_time: Math.floor(film.at.getTime() / 1000) }
          : { status: 'not_started' },
    }
  }

  return {
    films,
    onVideos,
    onUpright,
    onUpload,
    statusOf,
    failNextFilm: (outcome: Film['outcome']) => {
      nextOutcome = outcome
    },
    /** How often a film is asked for before it is ready. */
    processFor: (times: number) => {
      polls = times
    },
  }
}
