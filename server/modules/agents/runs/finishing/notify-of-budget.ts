import { sql } from 'kysely'
import { audit, system } from '../../../../lib/db/audit.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { emit } from '../../../../lib/events/emit.ts'
import { notify } from '../../../notifications/notify.ts'
import { isUsedUp, readBudget } from '../../record/budget.ts'
import { agentEvents } from '../runs.events.ts'

/** Part of a budget at which members are warned. */
const WARNING = 0.8

const roles = ['editor', 'admin', 'owner'] as const

/** Notifies editors once a month that most of the budget of an agent is used, and once that nothing is left. */
export async function notifyOfBudget({ clock }: Pick<Deps, 'clock'>, tx: Tx, agent_id: string) {
  const now = clock.now()
  const budget = await readBudget(tx, agent_id, now)
  const { id, name, workspace_id, month, monthly_credits, spent_credits } = budget
  if (monthly_credits === null || spent_credits < WARNING * monthly_credits) return
  const isReached = isUsedUp(budget)
  const [column, kind] = isReached
    ? (['budget_reached_on', 'agent.budget_reached'] as const)
    : (['budget_warned_on', 'agent.budget_warning'] as const)
  if (budget[column] === month) return
  await tx
    .updateTable('agent')
    .set({ [column]: sql`${month}::date` })
    .where('id', '=', id)
    .execute()
  const data = { agent: { id, name }, month: month.slice(0, 7), monthly_credits, spent_credits }
  const event = isReached ? agentEvents['agent.budget_reached'] : agentEvents['agent.budget_warning']
  await emit(tx, event, workspace_id, data, now)
  await audit(tx, system(workspace_id), kind, id, { name, monthly_credits, spent_credits })
  const cause = isReached ? `${month} ${monthly_credits}` : month
  await notify(tx, { kind, workspace_id, subject: { id, name }, cause, to: { roles } }, now)
}
