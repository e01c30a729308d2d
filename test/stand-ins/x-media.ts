import type { RequestProblem } from './request-rules.ts'
import type { Call, Reply } from './server.ts'

type Media = {
  id: string
  owner: string
  total: number
  /** Sizes of the received segments by their index. */
  segments: Map<number, number>
  category: string
  type: string
  alt: string | null
  state: 'open' | 'processing' | 'ready' | 'failed'
  outcome: 'ready' | 'never' | 'fails'
}

/** Files of a category: their types, and how many bytes one may have. */
const categories: Record<string, { types: RegExp; max: number }> = {
  tweet_image: { types: /^image\/(jpeg|pjpeg|png|webp|gif|bmp|tiff)$/, max: 5_242_880 },
  tweet_gif: { types: /^image\/gif$/, max: 15_728_640 },
  tweet_video: { types: /^video\//, max: 536_870_912 },
  amplify_video: { types: /^video\//, max: 536_870_912 },
}

/** Files of X: a session for each, its segments, and a video that is processed before a post can have it. */
export function xMedia(newId: () => string, invalid: (problem: RequestProblem) => Reply) {
  const media = new Map<string, Media>()
  let nextVideo: Media['outcome'] = 'ready'

  function initialize({ fields }: Call, owner: string): Reply {
    const [category, type, total] = [
      String(fields.media_category),
      String(fields.media_type),
      Number(fields.total_bytes),
    ]
    const known = categories[category]
    if (!known?.types.test(type)) return invalid({ name: 'media_type', message: `is not one of ${category}` })
    if (total > known.max) return invalid({ name: 'total_bytes', message: `exceeds the maximum of ${category}` })
    const id = newId()
    media.set(id, {
      ...{ id, owner, total, segments: new Map(), category, type },
      ...{ alt: null, state: 'open', outcome: 'ready' },
    })
    return { status: 200, body: { data: { id, media_key: `3_${id}`, expires_after_secs: 86_400 } } }
  }

  /** A segment that comes again replaces the first one. */
  function append({ fields, files: [segment] }: Call, file: Media): Reply {
    if (file.state !== 'open') return invalid({ name: 'id', message: 'is finalized' })
    file.segments.set(Number(fields.segment_index), segment?.bytes.length ?? 0)
    return { status: 200, body: { data: { expires_at: Math.floor(Date.now() / 1000) + 86_400 } } }
  }

  function finalize(file: Media): Reply {
    const received = [...file.segments.values()].reduce((sum, size) => sum + size, 0)
    const hasGap = [...file.segments.keys()].some((index) => index >= file.segments.size)
    if (file.state !== 'open') return invalid({ name: 'id', message: 'is finalized' })
    if (hasGap || received !== file.total) return invalid({ name: 'id', message: 'lacks segments' })
    const isVideo = file.type.startsWith('video/')
    Object.assign(file, { state: isVideo ? 'processing' : 'ready', outcome: nextVideo })
    nextVideo = 'ready'
    const processing_info = { state: 'pending', check_after_secs: 1 }
    return {
      status: 200,
      body: { data: { id: file.id, media_key: `3_${file.id}`, size: received, ...(isVideo && { processing_info }) } },
    }
  }

  function status(file: Media): Reply {
    const { state: before, outcome } = file
    if (before === 'open') return invalid({ name: 'media_id', message: 'is not finalized' })
    if (before === 'processing' && outcome !== 'never') file.state = outcome === 'fails' ? 'failed' : 'ready'
    const state =
      before === 'processing' && outcome !== 'fails' ? 'in_progress' : file.state === 'ready' ? 'succeeded' : 'failed'
    const error = { code: 1, name: 'InvalidMedia', message: 'The video could not be read' }
    const info = {
      state,
      ...(state === 'in_progress' && { check_after_secs: 1 }),
      ...(state === 'failed' && { error }),
    }
    return { status: 200, body: { data: { id: file.id, processing_info: info } } }
  }

  function describe(metadata: unknown, file: Media): Reply {
    const { alt_text }: { alt_text?: { text: string } } = Object(metadata)
    file.alt = alt_text?.text ?? null
    return { status: 200, body: { data: { id: file.id } } }
  }

  /** Responds to a call that the rules of requests allow. */
  function respond(call: Call, owner: string): Reply {
    const { path, query, fields } = call
    if (path === '/2/media/upload/initialize') return initialize(call, owner)
    const file = media.get(String(query.get('media_id') ?? fields.id ?? path.split('/')[4]))
    if (file?.owner !== owner) return invalid({ name: 'id', message: 'is not a file of this account' })
    if (path === '/2/media/upload') return status(file)
    if (path === '/2/media/metadata') return describe(fields.metadata, file)
    return path.endsWith('/append') ? append(call, file) : finalize(file)
  }

  return {
    respond,
    setOutcome: (outcome: Media['outcome']) => {
      nextVideo = outcome
    },
    /** Whether a post may have these files: four images, one GIF or one video, all ready. */
    isUsable: (ids: string[], owner: string) => {
      const files = ids.map((id) => media.get(id))
      const isAlone = files.some((file) => file?.category !== 'tweet_image')
      const isReady = files.every((file) => file?.owner === owner && file.state === 'ready')
      return isReady && new Set(ids).size === ids.length && (files.length < 2 || !isAlone)
    },
    shown: (id: string) => ({ type: media.get(id)?.type ?? '', alt: media.get(id)?.alt ?? null }),
  }
}
