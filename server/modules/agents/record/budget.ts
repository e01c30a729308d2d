import { type RawBuilder, sql } from 'kysely'
import { limitExceeded, notFound, Problem, problem } from '../../../errors.ts'
import type { Tx } from '../../../lib/db/database.ts'
import { toUsd } from '../../../lib/money.ts'
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

const sumOfCosts =
  (condition: RawBuilder<unknown>) => (agent_id: RawBuilder<string>, workspace_id: RawBuilder<string>, now: Date) =>
    sql<number>`(select coalesce(sum(g.cost), 0)::float8 from ai_generation g
    where g.agent_id = ${agent_id} and g.agent_month = ${monthOf(workspace_id, now)}::date and ${condition})`

/**
 * Cost of the calls of an agent that have ended this month, in millionths of a US dollar. Calls of models without a price
 * count as 0.
 */
export const spentMicros = sumOfCosts(sql`g.state <> 'running'`)
/** The same with calls in progress, each with the most that it may cost. */
const reservedMicros = sumOfCosts(sql`true`)

const agentId = sql<string>`agent.id`
const workspaceId = sql<string>`agent.workspace_id`

/**
 * The budget of an agent and what it has used of it. `spent_amount` is the cost of generations that have ended;
 * `reserved_amount` has those that run too, with the most that they may cost.
 */
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
      sql<number | null>`agent.monthly_spend_limit::float8`.as('monthly_spend_limit'),
      spentCredits(agentId, workspaceId, now).as('spent_credits'),
      reservedMicros(agentId, workspaceId, now).as('reserved_amount'),
      spentMicros(agentId, workspaceId, now).as('spent_amount'),
    ])
    .where('id', '=', agent_id)
    .executeTakeFirstOrThrow(notFound)

type Budget = Awaited<ReturnType<typeof readBudget>>

type Numbers = Pick<Budget, 'monthly_credits' | 'spent_credits' | 'monthly_spend_limit' | 'spent_amount'>

/** The limits of a budget. */
export type BudgetLimit = 'credits' | 'spend'

/** The limit of which nothing is left, not even for one text. What is reserved may come back. */
export function usedUpLimit(budget: Numbers): BudgetLimit | undefined {
  const { monthly_credits, spent_credits, monthly_spend_limit, spent_amount } = budget
  if (monthly_credits !== null && spent_credits >= monthly_credits) return 'credits'
  if (monthly_spend_limit !== null && spent_amount >= monthly_spend_limit) return 'spend'
}

/** Meters that `limit_exceeded` names when the budget of an agent does not allow a call. */
const METERS = { agent_credits: 'credits', agent_spend: 'spend' } as const
const isMeter = (meter: unknown): meter is keyof typeof METERS => typeof meter === 'string' && meter in METERS

/** The limit that refused a call. undefined: another one did, or none. */
export const refusedBy = (error: unknown): BudgetLimit | undefined =>
  error instanceof Problem && error.code === 'limit_exceeded' && isMeter(error.options.extra?.meter)
    ? METERS[error.options.extra.meter]
    : undefined

/** Seconds after which to repeat a call that only calls in progress do not allow. */
const RETRY_S = 10

/** An amount in millionths of a US dollar, as errors show it: with cents at least. */
const dollars = (amount: number) =>
  `$${toUsd(amount).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })}`

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
    const budget = await readBudget(tx, agent_id, now)
    const { monthly_credits, spent_credits, monthly_spend_limit, spent_amount, reserved_amount, month } = budget
    if (monthly_credits !== null && spent_credits + credits > monthly_credits)
      throw limitExceeded(
        'agent_credits' satisfies keyof typeof METERS,
        monthly_credits,
        spent_credits,
        `The agent may use ${monthly_credits} AI credits a month; ${spent_credits} were used, and this request needs ${credits}. Raise its budget (monthly_credits), or wait until the next month begins.`,
      )
    if (monthly_spend_limit === null || cost === null || reserved_amount + cost <= monthly_spend_limit)
      return { agent_id, agent_month: month }
    // Calls in progress reserve more than they will cost.
    if (spent_amount + cost <= monthly_spend_limit)
      throw problem('too_many_requests', {
        detail:
          'Other calls of the agent are in progress, and reserve what is left of its budget. Try again in a moment.',
        retryAfter: RETRY_S,
      })
    throw limitExceeded(
      'agent_spend' satisfies keyof typeof METERS,
      toUsd(monthly_spend_limit),
      toUsd(spent_amount),
      `The models of the agent may cost ${dollars(monthly_spend_limit)} a month; ${dollars(spent_amount)} was spent, and this request may cost up to ${dollars(cost)}. Raise its budget (monthly_spend_limit_usd), or wait until the next month begins.`,
    )
  }
