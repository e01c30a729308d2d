import { Problem, problem } from '../../errors.ts'
import { inTransaction } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import { addJob } from '../../lib/runtime/jobs.ts'
import type { NewFields } from '../media/upload/upload.ts'
import { keepFiles, sniff, storeGenerated } from './files.ts'
import { generationProblem, settleFailure } from './generate.ts'
import { completeGeneration, failGeneration } from './generations.ts'
import { callableModels } from './models/models.ts'
import { videoCost } from './models/prices.ts'
import { modelFor, type ReadyModel } from './providers/providers.ts'
import { VIDEO_MS, videoJob } from './videos.ts'

/** Time limits of a provider: for start and status calls, and for the download. */
const STEP_MS = 20_000
const DOWNLOAD_MS = 90_000
/** Time between status calls, and after a failed one. */
const ASK_MS = 5000
const ASK_AGAIN_MS = 20_000
const VIDEO_BYTES = 100_000_000
const REDIRECTS = 3
/** Estimates progress when a provider reports none: after this time it shows about two thirds. */
const USUAL_MS = 90_000

/** Stored state of a video between steps: first that its start was requested, then the provider's operation. */
type Operation = { step: 'starting' } | { step: 'started'; of: unknown }
type Video = NonNullable<Awaited<ReturnType<typeof findVideo>>>

const findVideo = ({ db }: Deps, id: string) =>
  db
    .selectFrom('ai_generation')
    .leftJoin('workspace', 'workspace.id', 'ai_generation.workspace_id')
    .leftJoin('ai_model', 'ai_model.id', 'ai_generation.model_id')
    .select([
      'ai_generation.id',
      'ai_generation.workspace_id',
      'ai_generation.user_id',
      'ai_generation.model_id',
      'ai_generation.prompt',
      'ai_generation.params',
      'ai_generation.operation',
      'ai_generation.created_at',
      'workspace.deleted_at as workspace_deleted_at',
      'ai_model.video_second_price',
    ])
    .where('ai_generation.id', '=', id)
    .where('ai_generation.state', '=', 'running')
    .executeTakeFirst()

/**
 * Takes one step of a video: starts it, or checks its progress. The provider's operation is stored, so any worker can
 * go on. If a worker dies while it starts a video, the provider may have started it. A second start would be paid
 * twice, so it fails.
 */
export async function takeVideoStep(deps: Deps, { generation_id }: { generation_id: string }) {
  const video = await findVideo(deps, generation_id)
  if (!video) return
  const operation = video.operation as Operation | null
  try {
    if (video.workspace_deleted_at) throw problem('not_found')
    if (deps.clock.now().getTime() - video.created_at.getTime() > VIDEO_MS)
      throw problem('ai_unavailable', { detail: 'The AI provider took too long.' })
    if (operation?.step === 'starting') return await failInterrupted(deps, video)
    if (operation) await checkProgress(deps, video, operation.of)
    else await requestVideo(deps, video, await modelOf(deps, video))
  } catch (error) {
    await settleFailure(deps, generation_id, error, { isMade: operation !== null })
  }
}

const failInterrupted = (deps: Deps, { id }: Video) =>
  inTransaction(deps.db, async (tx) => {
    await failGeneration(deps, tx, id, { state: 'failed', error_code: 'interrupted', isBilled: true })
  })

type VideoModel = ReadyModel & { video: NonNullable<ReadyModel['video']> }

async function modelOf(deps: Parameters<typeof modelFor>[0], { model_id }: Video): Promise<VideoModel> {
  const row =
    model_id === null ? undefined : await callableModels(deps.db).where('ai_model.id', '=', model_id).executeTakeFirst()
  const model = row && (await modelFor(deps, row))
  if (!model?.video) throw problem('model_unusable')
  return { ...model, video: model.video }
}

type Params = { aspect_ratio?: `${number}:${number}`; duration_s?: number; file?: NewFields }

async function requestVideo(deps: Deps, video: Video, model: VideoModel) {
  const { id, prompt } = video
  const { aspect_ratio, duration_s } = video.params as Params
  if (!(await saveOperation(deps, video, { step: 'starting' }))) return
  const { experimental_startVideo: start } = await import('ai')
  const { operation } = await start({
    model: model.video,
    ...model.mediaSettings,
    prompt: prompt ?? '',
    ...(aspect_ratio && { aspectRatio: aspect_ratio }),
    ...(duration_s !== undefined && { duration: duration_s }),
    abortSignal: AbortSignal.timeout(STEP_MS),
  })
  await saveOperation(deps, video, { step: 'started', of: operation })
  deps.log.debug({ id }, 'started a video')
}

/** Stores the state of a video and queues the next step. false: it has already ended. */
const saveOperation = (
  deps: Deps,
  { id, model_id }: Video,
  operation: Operation,
  { progress = 0, wait = ASK_MS } = {},
) =>
  inTransaction(deps.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('ai_generation')
      .set({ operation: JSON.stringify(operation), progress })
      .where('id', '=', id)
      .where('state', '=', 'running')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    // During the start call, this step is the job: it runs again by itself if it breaks off.
    if (operation.step === 'started')
      await addJob(tx, ...videoJob(id, model_id, new Date(deps.clock.now().getTime() + wait)))
    return true
  })

/** The provider finished, but its output is unusable. Another download would not help. */
class NoVideo extends Problem {
  constructor(detail: string) {
    super('ai_unavailable', { detail })
  }
}

/** Temporary errors. The video is still being made, so the step is repeated. */
const passing = ['ai_unavailable', 'ai_rate_limited', 'unavailable']

async function checkProgress(deps: Deps, video: Video, of: unknown) {
  const reported: ReportedProgress = {}
  const model = await modelOf({ ...deps, aiFetch: captureProgress(deps.aiFetch, reported) }, video)
  const again = (progress: number, wait: number) =>
    saveOperation(deps, video, { step: 'started', of }, { progress, wait })
  const elapsed = deps.clock.now().getTime() - video.created_at.getTime()
  const guess = 1 - Math.exp(-elapsed / USUAL_MS)
  let made: { bytes: Uint8Array; mime: string }
  try {
    const { experimental_getVideoStatus: statusOf } = await import('ai')
    const status = await statusOf(model.video, {
      operation: of as never,
      maxRetries: 0,
      abortSignal: AbortSignal.timeout(STEP_MS),
    })
    if (status.status === 'pending') {
      return void (await again(Math.min(reported.progress ?? guess, 0.99), ASK_MS))
    }
    if (status.status === 'error') {
      // Responses and logs leave the message out, because it may repeat the prompt.
      const refused = problem('ai_refused', { detail: 'The AI provider could not generate this video.' })
      return void (await settleFailure(deps, video.id, refused))
    }
    made = await fetchVideo(deps, model, status.videos[0])
  } catch (error) {
    const { code, options } = generationProblem(error, deps.clock.now())
    if (error instanceof NoVideo || !passing.includes(code)) throw error
    return void (await again(Math.min(guess, 0.99), Math.max((options.retryAfter ?? 0) * 1000, ASK_AGAIN_MS)))
  }
  const files = await storeGenerated(deps, video.workspace_id, [made])
  await inTransaction(deps.db, async (tx) => {
    const { file: fields = {} } = video.params as Params
    await keepFiles(deps, tx, { owner: video, generation_id: video.id, fields }, files)
    await completeGeneration(deps, tx, video.id, costOf(video, files[0]?.stored?.facts.duration_s ?? undefined))
  })
}

/** Providers bill the seconds that they made. Where these cannot be measured, the cost stays what it was at the start. */
function costOf({ video_second_price }: Video, seconds: number | undefined) {
  if (video_second_price === null) return {}
  return seconds === undefined ? { is_cost_estimated: true } : { cost: videoCost({ video_second_price }, seconds) }
}

type ReportedProgress = { progress?: number }

/** Captures the progress a provider reports, in per cent. The packages do not return it. */
const captureProgress =
  (fetch: Deps['aiFetch'], reported: ReportedProgress): typeof globalThis.fetch =>
  async (...call) => {
    const response = await fetch(...call)
    if (!/json/.test(response.headers.get('content-type') ?? '')) return response
    const text = await response.text()
    const percent = /"progress(?:Percent)?"\s*:\s*(\d{1,3}(?:\.\d+)?)\b/.exec(text)?.[1]
    if (percent !== undefined && Number(percent) <= 100) reported.progress = Number(percent) / 100
    return new Response(text, { status: response.status, headers: response.headers })
  }

type Handed = { type: string; url?: string; data?: string | Uint8Array } | undefined

async function fetchVideo(deps: Deps, model: VideoModel, handed: Handed) {
  const bytes = await bytesOf(deps, model, handed)
  const mime = sniff(bytes)
  if (!mime?.startsWith('video/') || bytes.length > VIDEO_BYTES)
    throw new NoVideo('The AI provider did not return a video.')
  return { bytes, mime }
}

async function bytesOf({ aiFetch }: Deps, { endpoint }: VideoModel, handed: Handed): Promise<Uint8Array> {
  if (typeof handed?.data === 'string') return Buffer.from(handed.data, 'base64')
  if (handed?.data) return handed.data
  let url = handed?.url ?? ''
  const signal = AbortSignal.timeout(DOWNLOAD_MS)
  // Each redirect passes the guard. The key is sent only to the provider's origin.
  for (let turn = 0; turn <= REDIRECTS; turn++) {
    const isProvider = new URL(url).origin === new URL(endpoint.base_url).origin
    const response = await aiFetch(url, { signal, ...(isProvider && { headers: endpoint.headers }) })
    const next = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && next) {
      await response.body?.cancel()
      url = new URL(next, url).href
      continue
    }
    if (!response.ok) {
      await response.body?.cancel()
      throw problem('ai_unavailable', {
        detail: `The AI provider refused the download of the video (HTTP ${response.status}).`,
      })
    }
    const pieces: Uint8Array[] = []
    let size = 0
    for await (const piece of response.body ?? []) {
      size += piece.length
      if (size > VIDEO_BYTES) throw new NoVideo('The video is too large.')
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  }
  throw new NoVideo('The AI provider redirected the download too often.')
}
