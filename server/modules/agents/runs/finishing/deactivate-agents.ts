import { type Actor, audit } from '../../../../lib/db/audit.ts'
import { nextUpdatedAt, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { AgentRow } from '../../record/agent-record.ts'
import { beginMissing } from '../missed-slots.ts'
import { cancelRuns } from './cancel-runs.ts'

/** Stops the schedule of agents, and cancels their runs. `reason`: set when Meydan does it. Returns how many were active. */
export async function deactivate(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  actor: Actor,
  ids: readonly string[],
  reason: AgentRow['disabled_reason'] = null,
) {
  if (ids.length === 0) return 0
  const stopped = await tx
    .updateTable('agent')
    .set({ is_active: false, disabled_reason: reason, next_run_at: null, updated_at: nextUpdatedAt(clock.now()) })
    .where('id', 'in', ids)
    .where('is_active', '=', true)
    .returning(['id', 'name'])
    .execute()
  const disabled = stopped.map(({ id }) => id)
  await beginMissing(tx, disabled, clock.now())
  await cancelRuns({ clock }, tx, ids)
  for (const { id, name } of stopped) await audit(tx, actor, 'agent.disabled', id, { name, ...(reason && { reason }) })
  return stopped.length
}
