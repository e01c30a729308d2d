import type { Static } from 'typebox'
import { MINUTE } from '../../../shared/time.ts'
import { problem } from '../../errors.ts'
import { inTransaction } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { addJob } from '../../lib/runtime/jobs.ts'
import type { VideoPrompt } from './generate.schema.ts'
import { CREDITS, chooseModel } from './generate.ts'
import { readGeneration, startGeneration, videoKey } from './generations.ts'
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

/** Starts a video. A separate job calls the provider. */
export async function generateVideo(deps: Deps, caller: Member, input: Static<typeof VideoPrompt>) {
  const { prompt, model: wanted, ...params } = input
  const row = await chooseModel(deps, 'video', wanted)
  const model = await modelFor(deps, row)
  if (!model.video) throw problem('model_unusable', { detail: 'Meydan cannot generate videos with this provider.' })
  const leased_until = new Date(deps.clock.now().getTime() + VIDEO_MS + MARGIN_MS)
  const wish = { kind: 'video' as const, prompt, params, model_id: row.id, credits: CREDITS.video, leased_until }
  return inTransaction(deps.db, async (tx) => {
    const id = await startGeneration(deps, tx, caller, wish)
    await addJob(tx, ...videoJob(id, row.id))
    return readGeneration(tx, deps, caller, id)
  })
}
