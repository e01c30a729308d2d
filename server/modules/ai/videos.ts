import type { Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import { problem } from '../../errors.ts'
import type { Member } from '../../lib/access.ts'
import { inTransaction } from '../../lib/database.ts'
import { addJob } from '../../lib/jobs.ts'
import type { VideoPrompt } from './generate.schema.ts'
import { CREDITS, chooseModel } from './generate.ts'
import { begin, readGeneration, videoKey } from './generations.ts'
import { modelFor } from './vendors.ts'

/** How long a video may take altogether. */
export const VIDEO_MS = 20 * 60_000
/** After that what is left running is ended by the sweep. */
const MARGIN_MS = 5 * 60_000

/** Videos of one model are looked after one at a time, so that a vendor that hangs holds up none but its own. */
export const videoJob = (generation_id: string, model_id: number | null, runAt?: Date) =>
  [
    'generate-video',
    { generation_id },
    { key: videoKey(generation_id), queue: `video:${model_id}`, ...(runAt && { runAt }) },
  ] as const

/** Takes a video on. A job of its own calls the vendor. */
export async function generateVideo(deps: Deps, caller: Member, input: Static<typeof VideoPrompt>) {
  const { prompt, model: wanted, ...params } = input
  const row = await chooseModel(deps, 'video', wanted)
  const model = await modelFor(deps, row)
  if (!model.video)
    throw problem('model_unusable', { detail: 'Meydan does not know how to make videos with this vendor.' })
  const leased_until = new Date(deps.clock.now().getTime() + VIDEO_MS + MARGIN_MS)
  const wish = { kind: 'video' as const, prompt, params, model_id: row.id, credits: CREDITS.video, leased_until }
  return inTransaction(deps.db, async (tx) => {
    const id = await begin(deps, tx, caller, wish)
    await addJob(tx, ...videoJob(id, row.id))
    return readGeneration({ ...deps, db: tx }, caller, id)
  })
}
