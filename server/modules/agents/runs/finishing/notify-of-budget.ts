import { sql } from 'kysely'
import { audit, system } from '../../../../lib/db/audit.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { emit } from '../../../../lib/events/emit.ts'
import { toUsd } from '../../../../lib/money.ts'
import { notify } from '../../../notifications/notify.ts'
import { type BudgetLimit, readBudget } from '../../record/budget.ts'
import { agentEvents } from '../runs.events.ts'

/** Part of a budget at which members are warned. */
const WARNING = 0.8

const roles = ['editor', 'admin', 'owner'] as const

/**
 * Notifies editors once a month that most of a limit of an agent is used, and once that nothing is left. Money counts once
 * its generation has ended. `stoppedBy`: the limit that did not allow another text, which money can do before all of it is
 * spent.
 */
export async function notifyOfBudget(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  agent_id: string,
  stoppedBy?: BudgetLimit,
) {
  const now = clock.now()
  const { id, name, workspace_id, month, ...budget } = await readBudget(tx, agent_id, now)
  const { monthly_credits, spent_credits, monthly_spend_limit, spent_amount } = budget
  const limits = [
    {
      limit: 'credits',
      max: monthly_credits,
      spent: spent_credits,
      warned: 'budget_warned_on',
      reached: 'budget_reached_on',
    },
    {
      limit: 'spend',
      max: monthly_spend_limit,
      spent: spent_amount,
      warned: 'spend_warned_on',
      reached: 'spend_reached_on',
    },
  ] as const
  for (const { limit, max, spent, warned, reached } of limits) {
    if (max === null) continue
    const isReached = stoppedBy === limit || spent >= max
    if (!isReached && spent < WARNING * max) continue
    const [column, kind] = isReached
      ? ([reached, 'agent.budget_reached'] as const)
      : ([warned, 'agent.budget_warning'] as const)
    if (budget[column] === month) continue
    await tx
      .updateTable('agent')
      .set({ [column]: sql`${month}::date` })
      .where('id', '=', id)
      .execute()
    const numbers = {
      limit,
      monthly_credits,
      spent_credits,
      monthly_spend_limit_usd: monthly_spend_limit === null ? null : toUsd(monthly_spend_limit),
      spent_usd: toUsd(spent_amount),
    }
    const event = isReached ? agentEvents['agent.budget_reached'] : agentEvents['agent.budget_warning']
    await emit(tx, event, workspace_id, { agent: { id, name }, month: month.slice(0, 7), ...numbers }, now)
    await audit(tx, system(workspace_id), kind, id, { name, ...numbers })
    const cause = `${limit === 'spend' ? 'spend ' : ''}${isReached ? `${month} ${max}` : month}`
    await notify(tx, { kind, workspace_id, subject: { id, name }, cause, to: { roles } }, now)
  }
}
