import type { Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { cancelVideo } from '../../../ai/videos.ts'
import { hasEnded, lockRun } from '../../record/lock-run.ts'
import { giveBackToDay } from '../daily-limit.ts'
import { notWaiting } from '../run-queue.ts'

/** Cancels runs of these agents that are in progress. Posts that they wrote stay. */
export async function cancelRuns(deps: Pick<Deps, 'clock'>, tx: Tx, agent_ids: readonly string[]) {
  if (agent_ids.length === 0) return
  const runs = await tx
    .selectFrom('agent_run')
    .select('id')
    .where('agent_id', 'in', agent_ids)
    .where('status', 'in', ['queued', 'running'])
    .execute()
  for (const { id } of runs) await cancelRun(deps, tx, id)
}

async function cancelRun(deps: Pick<Deps, 'clock'>, tx: Tx, id: string) {
  const now = deps.clock.now()
  const locked = await lockRun(tx, id)
  if (!locked || hasEnded(locked.run)) return
  await cancelVideos(deps, tx, id)
  const stopped = { status: 'blocked', reason: 'canceled', picture: null, updated_at: now } as const
  await tx.updateTable('agent_item').set(stopped).where('run_id', '=', id).where('status', '=', 'writing').execute()
  const { made } = await tx
    .selectFrom('agent_item')
    .select(({ fn }) => fn.countAll<number>().as('made'))
    .where('run_id', '=', id)
    .where('status', '<>', 'blocked')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('agent_run')
    .set({
      status: 'canceled',
      reason: 'canceled',
      made,
      ended_at: now,
      claim_id: null,
      lease_until: null,
      ...notWaiting,
    })
    .where('id', '=', id)
    .execute()
  const left = (locked.run.granted ?? 0) - made
  if (left > 0) await giveBackToDay(tx, locked.run, left)
}

/** Cancels the video for which an open post of a run waits, before its run ends without the post. */
export async function cancelVideos(deps: Pick<Deps, 'clock'>, tx: Tx, run_id: string) {
  const items = await tx
    .selectFrom('agent_item')
    .select('video_id')
    .where('run_id', '=', run_id)
    .where('status', '=', 'writing')
    .execute()
  for (const { video_id } of items) if (video_id !== null) await cancelVideo(deps, tx, video_id)
}
