import { sql, type Updateable } from 'kysely'
import type { Tx } from '../../../../lib/db/database.ts'
import type { AgentItem } from '../../../../lib/db/database-types.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { notifyOfBudget } from '../finishing/notify-of-budget.ts'
import { enqueueStep } from '../run-queue.ts'
import type { Step } from './begin-step.ts'

/**
 * Stores the result of a step for its item, and enqueues the next step, for which waiting for the provider starts anew.
 * `credits`: those that the step took.
 */
export async function settleItem(deps: Deps, tx: Tx, step: Step, values: Updateable<AgentItem>, credits: number) {
  await tx
    .updateTable('agent_item')
    .set({ ...values, updated_at: deps.clock.now() })
    .where('run_id', '=', step.run_id)
    .where('position', '=', step.item.position)
    .execute()
  await tx
    .updateTable('agent_run')
    .set({ credits: sql`credits + ${credits}::int`, attempts: 0 })
    .where('id', '=', step.run_id)
    .execute()
  await notifyOfBudget(deps, tx, step.agent_id)
  await enqueueStep(tx, { id: step.run_id }, { now: deps.clock.now() })
}
