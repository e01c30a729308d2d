import { sql, type Updateable } from 'kysely'
import type { Tx } from '../../../../lib/db/database.ts'
import type { AgentItem } from '../../../../lib/db/database-types.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { notifyOfBudget } from '../finishing/notify-of-budget.ts'
import { enqueueStep } from '../run-queue.ts'
import type { Step } from './begin-step.ts'

/**
 * Stores the result of a step for its item, and enqueues the next step, for which waiting for the provider starts anew.
 * `generation_id`: the generation of the step, which has ended; null if it called no model.
 */
export async function settleItem(
  deps: Deps,
  tx: Tx,
  step: Step,
  values: Updateable<AgentItem>,
  generation_id: string | null,
) {
  await tx
    .updateTable('agent_item')
    .set({ ...values, updated_at: deps.clock.now() })
    .where('run_id', '=', step.run_id)
    .where('position', '=', step.item.position)
    .execute()
  await sql`
    update agent_run r set attempts = 0, credits = r.credits + coalesce(g.credits, 0), cost = r.cost + coalesce(g.cost, 0),
      is_cost_estimated = r.is_cost_estimated or coalesce(g.is_cost_estimated, false)
    from (select) as one left join ai_generation g on g.id = ${generation_id}::uuid
    where r.id = ${step.run_id}`.execute(tx)
  await notifyOfBudget(deps, tx, step.agent_id)
  await enqueueStep(tx, { id: step.run_id }, { now: deps.clock.now() })
}
