import type { Static } from 'typebox'
import { MINUTE } from '../../../shared/time.ts'
import { problem } from '../../errors.ts'
import { type Db, inTransaction, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { addJob, removeJob } from '../../lib/runtime/jobs.ts'
import type { NewFields } from '../media/upload/upload.ts'
import type { VideoPrompt } from './generate.schema.ts'
import { CREDITS, chooseModel } from './generate.ts'
import { type Charge, failGeneration, readGeneration, startGeneration, videoKey } from './generations.ts'
import { videoCost } from './models/prices.ts'
import { modelFor } from './providers/providers.ts'

/** Time limit of a video. */
export const VIDEO_MS = 20 * MINUTE
/** Time until the sweep ends it after that. */
const MARGIN_MS = 5 * MINUTE

/** Steps of one model's videos run one at a time, so a slow provider delays only its own. */
export const videoJob = (generation_id: string, model_id: number | null, runAt?: Date) =>
  [
    'generate-video',
    { generation_id },
    { key: videoKey(generation_id), queue: `video:${model_id}`, ...(runAt && { runAt }) },
  ] as const

/** Input of a video. `file`: the alternative text and the name that it gets in the library. */
type VideoInput = Static<typeof VideoPrompt> & { file?: NewFields }

/** Chooses the model of a video, before the transaction that starts it. */
export async function prepareVideo(deps: Deps, { prompt, model: wanted, ...params }: VideoInput) {
  const row = await chooseModel(deps, 'video', wanted)
  const model = await modelFor(deps, row)
  if (!model.video) throw problem('model_unusable', { detail: 'Meydan cannot generate videos with this provider.' })
  const cost = videoCost(row, params.duration_s)
  return { kind: 'video' as const, prompt, params, model_id: row.id, credits: CREDITS.video, cost }
}

type PreparedVideo = Awaited<ReturnType<typeof prepareVideo>>

/** Starts a video and returns its id. A separate job calls the provider. */
export async function startVideo(deps: Deps, tx: Tx, caller: Member, video: PreparedVideo, charge?: Charge) {
  const leased_until = new Date(deps.clock.now().getTime() + VIDEO_MS + MARGIN_MS)
  const id = await startGeneration(deps, tx, caller, { ...video, leased_until, ...(charge && { charge }) })
  await addJob(tx, ...videoJob(id, video.model_id))
  return id
}

export async function generateVideo(deps: Deps, caller: Member, input: Static<typeof VideoPrompt>) {
  const video = await prepareVideo(deps, input)
  return inTransaction(deps.db, async (tx) =>
    readGeneration(tx, deps, caller, await startVideo(deps, tx, caller, video)),
  )
}

/** Reads how far a video is. `media_id`: its file, once it has succeeded and if it could be kept. */
export const readVideo = (db: Db, id: string) =>
  db
    .selectFrom('ai_generation')
    .leftJoin('ai_file', 'ai_file.generation_id', 'ai_generation.id')
    .select(['ai_generation.state', 'ai_generation.error_code', 'ai_file.media_id'])
    .where('ai_generation.id', '=', id)
    .executeTakeFirst()

/** Cancels a video whose result nobody waits for any more. It stays paid for if its provider was called. */
export async function cancelVideo(deps: Pick<Deps, 'clock'>, tx: Tx, id: string) {
  if (await failGeneration(deps, tx, id, { state: 'canceled' })) await removeJob(tx, videoKey(id))
}
