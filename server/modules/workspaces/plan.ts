import type { Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'

/** Moves a workspace to a plan; null: to the default one. What depends on the plan changes in the same transaction. */
export async function setPlan(
  deps: Pick<Deps, 'clock' | 'invalidationBus' | 'lifecycle'>,
  tx: Tx,
  workspace_id: string,
  plan_code: string | null,
) {
  const changed = await tx
    .updateTable('workspace')
    .set({ plan_code })
    .where('id', '=', workspace_id)
    .where('plan_code', 'is distinct from', plan_code)
    .returning('id')
    .executeTakeFirst()
  if (!changed) return
  await deps.invalidationBus.invalidate(tx, 'plans')
  for (const step of deps.lifecycle.onPlanChanged) await step(tx, workspace_id, deps.clock.now())
}
