import { experimental_startVideo as start, experimental_getVideoStatus as statusOf } from 'ai'
import type { Deps } from '../../deps.ts'
import { Problem, problem } from '../../errors.ts'
import { inTransaction } from '../../lib/database.ts'
import { addJob } from '../../lib/jobs.ts'
import { keepFiles, sniff } from './files.ts'
import { fail, generationProblem } from './generate.ts'
import { giveUp, succeed } from './generations.ts'
import { callableModels } from './models.ts'
import { modelFor, type ReadyModel } from './vendors.ts'
import { VIDEO_MS, videoJob } from './videos.ts'

/** How long the vendor may take to begin, to say how far it is, and to hand the video out. */
const STEP_MS = 20_000
const DOWNLOAD_MS = 90_000
/** How often it is asked, and after a trouble of its own. */
const ASK_MS = 5000
const ASK_AGAIN_MS = 20_000
const VIDEO_BYTES = 100_000_000
const REDIRECTS = 3
/** Where a vendor does not say how far it is: of a video that takes this long, two thirds are done. */
const USUAL_MS = 90_000

/** What is kept of a video between its steps: that the vendor is being called to begin, then what it calls its job. */
type Operation = { step: 'starting' } | { step: 'started'; of: unknown }
type Video = NonNullable<Awaited<ReturnType<typeof findVideo>>>

const findVideo = ({ db }: Deps, id: string) =>
  db
    .selectFrom('ai_generation')
    .leftJoin('workspace', 'workspace.id', 'ai_generation.workspace_id')
    .select([
      'ai_generation.id',
      'ai_generation.workspace_id',
      'ai_generation.model_id',
      'ai_generation.prompt',
      'ai_generation.params',
      'ai_generation.operation',
      'ai_generation.created_at',
      'workspace.deleted_at as workspace_deleted_at',
    ])
    .where('ai_generation.id', '=', id)
    .where('ai_generation.state', '=', 'running')
    .executeTakeFirst()

/**
 * One step of a video: to begin, or to ask how far it is. What the vendor calls its job is kept, so that any worker goes
 * on with it. A worker that died while it asked for a video leaves open whether the vendor makes one: it is not asked
 * for another, which would be paid for twice.
 */
export async function takeVideoStep(deps: Deps, { generation_id }: { generation_id: string }) {
  const video = await findVideo(deps, generation_id)
  if (!video) return
  const operation = video.operation as Operation | null
  try {
    if (video.workspace_deleted_at) throw problem('not_found')
    if (deps.clock.now().getTime() - video.created_at.getTime() > VIDEO_MS)
      throw problem('ai_unavailable', { detail: 'The vendor took too long.' })
    if (operation?.step === 'starting') return await interrupted(deps, video)
    if (operation) await look(deps, video, operation.of)
    else await begin(deps, video, await modelOf(deps, video))
  } catch (error) {
    await fail(deps, generation_id, error)
  }
}

const interrupted = (deps: Deps, { id }: Video) =>
  inTransaction(deps.db, async (tx) => {
    await giveUp(deps, tx, id, { state: 'failed', error_code: 'interrupted' })
  })

type VideoModel = ReadyModel & { video: NonNullable<ReadyModel['video']> }

async function modelOf(deps: Parameters<typeof modelFor>[0], { model_id }: Video): Promise<VideoModel> {
  const row =
    model_id === null ? undefined : await callableModels(deps.db).where('ai_model.id', '=', model_id).executeTakeFirst()
  const model = row && (await modelFor(deps, row))
  if (!model?.video) throw problem('model_unusable')
  return { ...model, video: model.video }
}

type Params = { aspect_ratio?: `${number}:${number}`; duration_s?: number }

async function begin(deps: Deps, video: Video, model: VideoModel) {
  const { id, prompt } = video
  const { aspect_ratio, duration_s } = video.params as Params
  if (!(await note(deps, video, { step: 'starting' }))) return
  const { operation } = await start({
    model: model.video,
    ...model.mediaSettings,
    prompt: prompt ?? '',
    ...(aspect_ratio && { aspectRatio: aspect_ratio }),
    ...(duration_s !== undefined && { duration: duration_s }),
    abortSignal: AbortSignal.timeout(STEP_MS),
  })
  await note(deps, video, { step: 'started', of: operation })
  deps.log.debug({ id }, 'a video was begun')
}

/** Keeps where a video stands, and asks for the next step. false: it has ended meanwhile. */
const note = (deps: Deps, { id, model_id }: Video, operation: Operation, { progress = 0, wait = ASK_MS } = {}) =>
  inTransaction(deps.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('ai_generation')
      .set({ operation: JSON.stringify(operation), progress })
      .where('id', '=', id)
      .where('state', '=', 'running')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    // While the vendor is called for the first time, this step is the job: it comes again by itself if it breaks off.
    if (operation.step === 'started')
      await addJob(tx, ...videoJob(id, model_id, new Date(deps.clock.now().getTime() + wait)))
    return true
  })

/** What the vendor hands out is there, and will never be a video that can be kept: to fetch it again would be in vain. */
class NoVideo extends Problem {
  constructor(detail: string) {
    super('ai_unavailable', { detail })
  }
}

/** Troubles that pass: the video is still being made, and is asked for again. */
const passing = ['ai_unavailable', 'ai_rate_limited', 'unavailable']

async function look(deps: Deps, video: Video, of: unknown) {
  const told: Told = {}
  const model = await modelOf({ ...deps, aiFetch: listening(deps.aiFetch, told) }, video)
  const again = (progress: number, wait: number) => note(deps, video, { step: 'started', of }, { progress, wait })
  const elapsed = deps.clock.now().getTime() - video.created_at.getTime()
  const guess = 1 - Math.exp(-elapsed / USUAL_MS)
  let made: { bytes: Uint8Array; mime: string }
  try {
    const status = await statusOf(model.video, {
      operation: of as never,
      maxRetries: 0,
      abortSignal: AbortSignal.timeout(STEP_MS),
    })
    if (status.status === 'pending') {
      return void (await again(Math.min(told.progress ?? guess, 0.99), ASK_MS))
    }
    if (status.status === 'error') {
      // What it says goes into no answer and no log: it may repeat the prompt.
      throw problem('ai_refused', { detail: 'The vendor could not make this video.' })
    }
    made = await fetchVideo(deps, model, status.videos[0])
  } catch (error) {
    const { code, options } = generationProblem(error, deps.clock.now())
    if (error instanceof NoVideo || !passing.includes(code)) throw error
    return void (await again(Math.min(guess, 0.99), Math.max((options.retryAfter ?? 0) * 1000, ASK_AGAIN_MS)))
  }
  await inTransaction(deps.db, async (tx) => {
    await keepFiles(deps, tx, { workspace_id: video.workspace_id, generation_id: video.id }, [made])
    await succeed(deps, tx, video.id)
  })
}

type Told = { progress?: number }

/** Notes how far a vendor says it is, in per cent. The packages leave it out of what they answer. */
const listening =
  (fetch: Deps['aiFetch'], told: Told): typeof globalThis.fetch =>
  async (...call) => {
    const answer = await fetch(...call)
    if (!/json/.test(answer.headers.get('content-type') ?? '')) return answer
    const text = await answer.text()
    const percent = /"progress(?:Percent)?"\s*:\s*(\d{1,3}(?:\.\d+)?)\b/.exec(text)?.[1]
    if (percent !== undefined && Number(percent) <= 100) told.progress = Number(percent) / 100
    return new Response(text, { status: answer.status, headers: answer.headers })
  }

type Handed = { type: string; url?: string; data?: string | Uint8Array } | undefined

async function fetchVideo(deps: Deps, model: VideoModel, handed: Handed) {
  const bytes = await bytesOf(deps, model, handed)
  const mime = sniff(bytes)
  if (!mime?.startsWith('video/') || bytes.length > VIDEO_BYTES)
    throw new NoVideo('The vendor answered with something that is no video.')
  return { bytes, mime }
}

async function bytesOf({ aiFetch }: Deps, { endpoint }: VideoModel, handed: Handed): Promise<Uint8Array> {
  if (typeof handed?.data === 'string') return Buffer.from(handed.data, 'base64')
  if (handed?.data) return handed.data
  let url = handed?.url ?? ''
  const signal = AbortSignal.timeout(DOWNLOAD_MS)
  // Through the guard at every turn. The key goes to where the vendor is, and nowhere else.
  for (let turn = 0; turn <= REDIRECTS; turn++) {
    const isVendor = new URL(url).origin === new URL(endpoint.base_url).origin
    const answer = await aiFetch(url, { signal, ...(isVendor && { headers: endpoint.headers }) })
    const next = answer.headers.get('location')
    if (answer.status >= 300 && answer.status < 400 && next) {
      await answer.body?.cancel()
      url = new URL(next, url).href
      continue
    }
    if (!answer.ok) {
      await answer.body?.cancel()
      throw problem('ai_unavailable', { detail: `The vendor does not hand the video out (HTTP ${answer.status}).` })
    }
    const pieces: Uint8Array[] = []
    let size = 0
    for await (const piece of answer.body ?? []) {
      size += piece.length
      if (size > VIDEO_BYTES) throw new NoVideo('The video is too large.')
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  }
  throw new NoVideo('The vendor sends from one place to the next.')
}
