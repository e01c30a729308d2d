import { type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { notFound } from '../../../errors.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { usdOf } from '../../../lib/money.ts'
import { publishingStatus } from '../../accounts/accounts.ts'
import { usualPrices } from '../../ai/models/prices.ts'
import type { AccountLimits } from '../../networks/capabilities.ts'
import type { Agent } from './agents.schema.ts'
import { spentCredits, spentMicros } from './budget.ts'
import { estimateMonth, type PricesByKind, type TextModel } from './estimate.ts'

/** Decisions of members in a row, all approvals, after which an agent may publish alone. */
const APPROVALS = 10

type AgentRecord = Static<typeof Agent>

const timeOfDay = (column: 'quiet_from' | 'quiet_until') =>
  sql<string | null>`to_char(${sql.ref(`agent.${column}`)}, 'HH24:MI')`

/** Whether members approved the last posts of the agent, without a rejection between. */
const isTrusted = sql<boolean>`(select count(*) = ${sql.lit(APPROVALS)} and bool_and(decided.status = 'approved')
  from (select i.status from agent_item i join agent_run r on r.id = i.run_id
    where r.agent_id = agent.id and i.status in ('approved', 'rejected')
    order by i.updated_at desc limit ${sql.lit(APPROVALS)}) as decided)`

/** Condition: others can install a recipe. */
export const isRecipeListed = sql<SqlBool>`recipe.published and recipe.taken_down_at is null
  and not exists (select from workspace as w where w.id = recipe.workspace_id and w.deleted_at is not null)`

/** `autoFromStart`: the option `ai.agents_auto_from_start`. */
type AgentReading = { autoFromStart: boolean; prices: PricesByKind; now: Date }

export const readingOf = async (
  { options, clock }: Pick<Deps, 'options' | 'clock'>,
  db: Db,
): Promise<AgentReading> => ({
  autoFromStart: await options.get('ai.agents_auto_from_start', db),
  prices: await usualPrices({ options }, db),
  now: clock.now(),
})

/** Agents of all workspaces: `pageOfWorkspace` selects those of one. */
export const selectAgents = (db: Db, { autoFromStart, now }: AgentReading) =>
  db
    .selectFrom('agent')
    .leftJoin('ai_model', 'ai_model.id', 'agent.text_model_id')
    .select(['agent.id', 'agent.workspace_id', 'agent.name', 'agent.description', 'agent.category', 'agent.tags'])
    .select(['agent.role', 'agent.persona', 'agent.system_prompt', 'agent.image_style', 'agent.voice'])
    .select(['agent.language', 'agent.schedule_cron', 'agent.timezone', 'agent.posts_per_run', 'agent.daily_limit'])
    .select(['agent.autonomy_level', 'agent.generate_image', 'agent.design', 'agent.video', 'agent.link_domains'])
    .select(['agent.forbidden_words', 'agent.is_active', 'agent.next_run_at', 'agent.created_at', 'agent.updated_at'])
    .select(['agent.version', 'agent.monthly_credits', 'ai_model.id_secure as model_id'])
    .select([
      sql<AgentRecord['category']>`agent.category`.as('category'),
      sql<AgentRecord['disabled_reason']>`agent.disabled_reason`.as('disabled_reason'),
      spentCredits(sql`agent.id`, sql`agent.workspace_id`, now).as('spent_credits'),
      usdOf<number>(spentMicros(sql`agent.id`, sql`agent.workspace_id`, now)).as('spent_usd'),
      usdOf<number | null>(sql`agent.monthly_spend_limit`).as('monthly_spend_limit_usd'),
      // A model that was deactivated writes nothing.
      sql<TextModel | null>`case when ai_model.id is not null then json_build_object(
        'input_price', case when ai_model.is_active then ai_model.input_price end,
        'output_price', case when ai_model.is_active then ai_model.output_price end,
        'image_price', null, 'video_second_price', null,
        'provider', ai_model.provider, 'api_params', ai_model.api_params) end`.as('text_model'),
      timeOfDay('quiet_from').as('quiet_from'),
      timeOfDay('quiet_until').as('quiet_until'),
      (autoFromStart ? sql<boolean>`true` : isTrusted).as('auto_available'),
      sql<string[]>`array(select a.account_id from agent_account a join account on account.id = a.account_id
        where a.agent_id = agent.id and account.deleted_at is null order by a.account_id)`.as('account_ids'),
      sql<AgentRecord['acts_for']>`(select json_build_object('id', u.id, 'name', u.name) from "user" u
        where u.id = agent.acts_for_id)`.as('acts_for'),
      sql<AgentRecord['recipe']>`(select json_build_object('id', recipe.id, 'version', agent.recipe_version,
        'latest_version', case when ${isRecipeListed} then recipe.version else agent.recipe_version end)
        from recipe where recipe.id = agent.recipe_id)`.as('recipe'),
      sql<AgentRecord['last_run']>`(select json_build_object('id', r.id, 'status', r.status, 'reason', r.reason,
        'created_at', to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        from agent_run r where r.agent_id = agent.id and r.wanted > 0 order by r.id desc limit 1)`.as('last_run'),
    ])

/** Adds what a month of an agent costs. */
export const withEstimate = <Row extends Parameters<typeof estimateMonth>[0] & { text_model: TextModel | null }>(
  { text_model, ...row }: Row,
  { prices, now }: AgentReading,
) => ({ ...row, estimate: estimateMonth(row, { ...prices, text: text_model ?? prices.text }, now) })

export async function readAgent(db: Db, reading: AgentReading, workspace_id: string, id: string) {
  const row = await selectAgents(db, reading)
    .where('agent.id', '=', id)
    .where('agent.workspace_id', '=', workspace_id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return withEstimate(row, reading)
}

export async function lockAgent(
  deps: Pick<Deps, 'options' | 'clock'>,
  tx: Tx,
  { workspace_id }: Pick<Member, 'workspace_id'>,
  id: string,
) {
  const locked = await tx
    .selectFrom('agent')
    .select('id')
    .where('id', '=', id)
    .where('workspace_id', '=', workspace_id)
    .forUpdate()
    .executeTakeFirst()
  if (!locked) throw notFound()
  return readAgent(tx, await readingOf(deps, tx), workspace_id, id)
}

export type AgentRow = Awaited<ReturnType<typeof lockAgent>>

/** Accounts on which an agent can publish now. */
const publishingAccounts = (tx: Tx) =>
  tx
    .selectFrom('account')
    .select(['account.id', 'account.network', sql<AccountLimits>`account.limits`.as('limits')])
    .where('account.deleted_at', 'is', null)
    .where(publishingStatus, '=', 'connected')
    .orderBy('account.id')

/** Those of an agent. */
export const accountsOf = (tx: Tx, agent_id: string) =>
  publishingAccounts(tx)
    .innerJoin('agent_account', 'agent_account.account_id', 'account.id')
    .innerJoin('agent', (join) =>
      join.onRef('agent.id', '=', 'agent_account.agent_id').onRef('agent.workspace_id', '=', 'account.workspace_id'),
    )
    .where('agent_id', '=', agent_id)
    .execute()

/** Those of a workspace with these ids. */
export const accountsWithIds = (tx: Tx, workspace_id: string, ids: readonly string[]) =>
  publishingAccounts(tx)
    .where('workspace_id', '=', workspace_id)
    .where('account.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()

export type AgentAccount = Awaited<ReturnType<typeof accountsOf>>[number]
