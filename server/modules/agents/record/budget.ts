import { type RawBuilder, sql } from 'kysely'
import { limitExceeded, notFound } from '../../../errors.ts'
import type { Tx } from '../../../lib/db/database.ts'

/** First day of the current month on the clocks of the workspace. */
const monthOf = (workspace_id: RawBuilder<string>, now: Date) =>
  sql<string>`(select date_trunc('month', ${now}::timestamptz at time zone w.timezone)::date::text
    from workspace w where w.id = ${workspace_id})`

/**
 * Credits that an agent has used this month. Each generation holds its credits from before the call of the provider
 * until it fails, so the sum is what is used and reserved.
 */
export const spentCredits = (agent_id: RawBuilder<string>, workspace_id: RawBuilder<string>, now: Date) =>
  sql<number>`(select coalesce(sum(g.credits), 0)::int from ai_generation g
    where g.agent_id = ${agent_id} and g.agent_month = ${monthOf(workspace_id, now)}::date)`

const agentId = sql<string>`agent.id`
const workspaceId = sql<string>`agent.workspace_id`

/** The budget of an agent and what it has used of it. */
export const readBudget = (tx: Tx, agent_id: string, now: Date) =>
  tx
    .selectFrom('agent')
    .select(['id', 'name', 'workspace_id', 'monthly_credits'])
    .select([
      sql<string | null>`budget_warned_on::text`.as('budget_warned_on'),
      sql<string | null>`budget_reached_on::text`.as('budget_reached_on'),
      monthOf(workspaceId, now).as('month'),
      spentCredits(agentId, workspaceId, now).as('spent_credits'),
    ])
    .where('id', '=', agent_id)
    .executeTakeFirstOrThrow(notFound)

type Budget = Awaited<ReturnType<typeof readBudget>>

/** Whether nothing is left, not even for one text. */
export const isUsedUp = ({ monthly_credits, spent_credits }: Pick<Budget, 'monthly_credits' | 'spent_credits'>) =>
  monthly_credits !== null && spent_credits >= monthly_credits

/** Meter that `limit_exceeded` names when the budget of an agent does not allow a call. */
export const BUDGET_METER = 'agent_credits'

/**
 * Charges generations to the budget of an agent: returns what `prepareGeneration` runs before it commits one. The lock
 * on the agent makes concurrent calls count each other's credits.
 */
export const chargeTo = (agent_id: string, now: Date) => async (tx: Tx, credits: number) => {
  await tx
    .selectFrom('agent')
    .select('id')
    .where('id', '=', agent_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(notFound)
  const { monthly_credits, spent_credits, month } = await readBudget(tx, agent_id, now)
  if (monthly_credits !== null && spent_credits + credits > monthly_credits)
    throw limitExceeded(
      BUDGET_METER,
      monthly_credits,
      spent_credits,
      `The agent may use ${monthly_credits} AI credits a month; ${spent_credits} were used, and this request needs ${credits}. Raise its budget (monthly_credits), or wait until the next month begins.`,
    )
  return { agent_id, agent_month: month }
}
