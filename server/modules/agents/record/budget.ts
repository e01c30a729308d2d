import { type RawBuilder, sql } from 'kysely'
import { limitExceeded, notFound } from '../../../errors.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Charge } from '../../ai/generations.ts'

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

/** What its models have cost this month, in millionths of a US dollar. Models without prices count as nothing. */
export const spentAmount = (agent_id: RawBuilder<string>, workspace_id: RawBuilder<string>, now: Date) =>
  sql<number>`(select coalesce(sum(g.cost), 0)::float8 from ai_generation g
    where g.agent_id = ${agent_id} and g.agent_month = ${monthOf(workspace_id, now)}::date)`

export const spendLimit = sql<number | null>`agent.monthly_spend_limit::float8`

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
      sql<string | null>`spend_warned_on::text`.as('spend_warned_on'),
      sql<string | null>`spend_reached_on::text`.as('spend_reached_on'),
      spendLimit.as('monthly_spend_limit'),
      spentCredits(agentId, workspaceId, now).as('spent_credits'),
      spentAmount(agentId, workspaceId, now).as('spent_amount'),
    ])
    .where('id', '=', agent_id)
    .executeTakeFirstOrThrow(notFound)

type Budget = Awaited<ReturnType<typeof readBudget>>

type Numbers = Pick<Budget, 'monthly_credits' | 'spent_credits' | 'monthly_spend_limit' | 'spent_amount'>

/** Whether nothing is left, not even for one text. */
export const isUsedUp = ({ monthly_credits, spent_credits, monthly_spend_limit, spent_amount }: Numbers) =>
  (monthly_credits !== null && spent_credits >= monthly_credits) ||
  (monthly_spend_limit !== null && spent_amount >= monthly_spend_limit)

/** Meters that `limit_exceeded` names when the budget of an agent does not allow a call. */
const METERS = { credits: 'agent_credits', spend: 'agent_spend' }
export const isBudgetMeter = (meter: unknown) => Object.values(METERS).some((each) => each === meter)

/** An amount in millionths of a US dollar, as errors show it: with cents at least. */
const dollars = (amount: number) =>
  `$${(amount / 1_000_000).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`

type Spent = Parameters<Charge>[1]

/**
 * Charges generations to the budget of an agent: returns what `prepareGeneration` runs before it commits one. The lock
 * on the agent makes concurrent calls count each other's credits and cost.
 */
export const chargeTo =
  (agent_id: string, now: Date) =>
  async (tx: Tx, { credits, cost }: Spent) => {
    await tx
      .selectFrom('agent')
      .select('id')
      .where('id', '=', agent_id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(notFound)
    const { monthly_credits, spent_credits, monthly_spend_limit, spent_amount, month } = await readBudget(
      tx,
      agent_id,
      now,
    )
    if (monthly_credits !== null && spent_credits + credits > monthly_credits)
      throw limitExceeded(
        METERS.credits,
        monthly_credits,
        spent_credits,
        `The agent may use ${monthly_credits} AI credits a month; ${spent_credits} were used, and this request needs ${credits}. Raise its budget (monthly_credits), or wait until the next month begins.`,
      )
    if (monthly_spend_limit !== null && cost !== null && spent_amount + cost > monthly_spend_limit)
      throw limitExceeded(
        METERS.spend,
        monthly_spend_limit,
        spent_amount,
        `The models of the agent may cost ${dollars(monthly_spend_limit)} a month; ${dollars(spent_amount)} were spent, and this request may cost up to ${dollars(cost)}. Raise its budget (monthly_spend_limit), or wait until the next month begins.`,
      )
    return { agent_id, agent_month: month }
  }
