import type { Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { hasEnded, lockRun } from '../../record/lock-run.ts'
import { giveBackToDay } from '../daily-limit.ts'
import { notWaiting } from '../run-queue.ts'

/** Cancels runs of these agents that are in progress. Posts that they wrote stay. */
export async function cancelRuns({ clock }: Pick<Deps, 'clock'>, tx: Tx, agent_ids: readonly string[]) {
  if (agent_ids.length === 0) return
  const runs = await tx
    .selectFrom('agent_run')
    .select('id')
    .where('agent_id', 'in', agent_ids)
    .where('status', 'in', ['queued', 'running'])
    .execute()
  for (const { id } of runs) await cancelRun(tx, id, clock.now())
}

async function cancelRun(tx: Tx, id: string, now: Date) {
  const locked = await lockRun(tx, id)
  if (!locked || hasEnded(locked.run)) return
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
