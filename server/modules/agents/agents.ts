import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, limitExceeded, notFound, problem } from '../../errors.ts'
import { audit, changedFields } from '../../lib/db/audit.ts'
import { type Db, inTransaction, nextUpdatedAt, type Tx } from '../../lib/db/database.ts'
import { type PageInput, pageOfWorkspace } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import type { IfMatch } from '../../lib/http/etag.ts'
import { toMicros } from '../../lib/money.ts'
import { distinctLabels } from '../../lib/text.ts'
import { lockAccounts } from '../accounts/accounts.ts'
import { activeChatModels, callableModels } from '../ai/models/models.ts'
import { checkTimeZone } from '../auth/locale.ts'
import { type AgentRow, lockAgent, readAgent, readingOf, selectAgents, withEstimate } from './record/agent-record.ts'
import type { AgentQuery, ChangeAgent, NewAgent, PlannedAgent } from './record/agents.schema.ts'
import { estimateMonth } from './record/estimate.ts'
import { checkSchedule, nextTime } from './record/schedule.ts'

const MAX_AGENTS = 100

export const defaults = {
  description: '',
  category: 'other',
  tags: [] as string[],
  role: '',
  persona: '',
  system_prompt: '',
  image_style: '',
  voice: '',
  language: null,
  schedule_cron: null,
  posts_per_run: 1,
  daily_limit: 3,
  autonomy_level: 'approve',
  generate_image: false,
  design: false,
  video: false,
  link_domains: [] as string[],
  forbidden_words: [] as string[],
  quiet_from: null,
  quiet_until: null,
  monthly_credits: null,
  monthly_spend_limit_usd: null,
} as const

const audited = [
  'name',
  'schedule_cron',
  'timezone',
  'posts_per_run',
  'daily_limit',
  'autonomy_level',
  'monthly_credits',
  'monthly_spend_limit_usd',
] as const

type Fields = Static<typeof ChangeAgent>
/** `recipe_version`: the version of its recipe that the change comes from. */
type Change = Fields & { recipe_version?: number }

/** Reads an agent of the workspace by the present options. */
export const readOwnAgent = async (deps: Pick<Deps, 'db' | 'options' | 'clock'>, caller: Member, id: string) =>
  readAgent(deps.db, await readingOf(deps, deps.db), caller.workspace_id, id)

export async function listAgents(
  deps: Pick<Deps, 'db' | 'options' | 'clock'>,
  { workspace_id }: Member,
  { is_active, ...cut }: Static<typeof AgentQuery> & PageInput,
) {
  const reading = await readingOf(deps, deps.db)
  let query = selectAgents(deps.db, reading)
  if (is_active !== undefined) query = query.where('agent.is_active', '=', is_active)
  const { data, ...rest } = await pageOfWorkspace(query, 'agent', workspace_id, cut)
  return { ...rest, data: data.map((row) => withEstimate(row, reading)) }
}

/** Estimates what a month of an agent costs that may not exist yet. */
export async function estimateAgent(
  { db, ...deps }: Pick<Deps, 'db' | 'options' | 'clock'>,
  { workspace_id }: Member,
  { model_id, ...planned }: Static<typeof PlannedAgent>,
) {
  const { timezone } = await db
    .selectFrom('workspace')
    .select('timezone')
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow(notFound)
  const agent = { timezone, ...defaults, ...planned }
  if (planned.timezone !== undefined) checkTimeZone(planned.timezone)
  const { prices, now } = await readingOf(deps, db)
  if (agent.schedule_cron !== null) checkSchedule(agent.schedule_cron, now)
  const text = model_id ? await textModelOf(db, model_id) : prices.text
  return estimateMonth(agent, { ...prices, text }, now)
}

type Installed = { recipe_id: string; recipe_version: number }

/** `installed`: the version of a recipe that it is made from. */
export const createAgent = (deps: Deps, caller: Member, input: Static<typeof NewAgent>, installed?: Installed) =>
  inTransaction(deps.db, async (tx) => {
    const { workspace_id, user_id: acts_for_id } = caller
    // The lock keeps concurrent calls from exceeding the limit.
    const workspace = await tx
      .selectFrom('workspace')
      .select('timezone')
      .where('id', '=', workspace_id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(notFound)
    const { count } = await tx
      .selectFrom('agent')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('workspace_id', '=', workspace_id)
      .executeTakeFirstOrThrow()
    if (count >= MAX_AGENTS)
      throw limitExceeded('agents', MAX_AGENTS, count, `A workspace can have at most ${MAX_AGENTS} agents.`)
    const reading = await readingOf(deps, tx)
    const { account_ids = [], model_id, name, ...fields } = input
    const given = { timezone: workspace.timezone, ...defaults, ...fields }
    checkFields(deps, given, { auto_available: reading.autoFromStart })
    const { monthly_spend_limit_usd, ...values } = given
    const { id } = await tx
      .insertInto('agent')
      .values({
        ...values,
        monthly_spend_limit: limitOf(monthly_spend_limit_usd),
        tags: distinctLabels(values.tags),
        ...installed,
        workspace_id,
        acts_for_id,
        name,
        text_model_id: await findModel(tx, model_id),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAccounts(tx, workspace_id, id, account_ids)
    const agent = await readAgent(tx, reading, workspace_id, id)
    await audit(tx, caller, 'agent.created', id, { name, autonomy_level: agent.autonomy_level })
    return agent
  })

/** Changes an agent. Its runs have the rights of who changed it last. */
export const changeAgent = (deps: Deps, caller: Member, id: string, input: Change, ifMatch: IfMatch) =>
  inTransaction(deps.db, async (tx) => {
    const before = await lockAgent(deps, tx, caller, id)
    ifMatch(before.version)
    const { account_ids, model_id, monthly_spend_limit_usd, ...fields } = input
    const { schedule_cron, timezone } = checkFields(deps, { ...before, ...fields }, before, input)
    const now = deps.clock.now()
    const isMoved = schedule_cron !== before.schedule_cron || timezone !== before.timezone
    await tx
      .updateTable('agent')
      .set({
        ...fields,
        ...(fields.tags && { tags: distinctLabels(fields.tags) }),
        ...(model_id !== undefined && { text_model_id: await findModel(tx, model_id) }),
        ...(isMoved &&
          before.is_active && { next_run_at: schedule_cron ? nextTime({ schedule_cron, timezone }, now) : null }),
        ...(isMoved &&
          !before.is_active && {
            missed_at: sql<Date | null>`case when missed_at is not null then
              ${schedule_cron ? nextTime({ schedule_cron, timezone }, now) : null}::timestamptz end`,
          }),
        // Editors are notified again when another budget ends.
        ...(fields.monthly_credits !== undefined &&
          fields.monthly_credits !== before.monthly_credits && { budget_reached_on: null }),
        ...(monthly_spend_limit_usd !== undefined && {
          monthly_spend_limit: limitOf(monthly_spend_limit_usd),
          ...(monthly_spend_limit_usd !== before.monthly_spend_limit_usd && { spend_reached_on: null }),
        }),
        acts_for_id: caller.user_id,
        updated_at: nextUpdatedAt(now),
      })
      .where('id', '=', id)
      .execute()
    if (account_ids) await writeAccounts(tx, caller.workspace_id, id, account_ids)
    const after = await lockAgent(deps, tx, caller, id)
    const changed = audited.filter((field) => before[field] !== after[field])
    await audit(tx, caller, 'agent.updated', id, {
      ...changedFields(before, after, changed),
      fields: Object.keys(input),
    })
    return after
  })

type Checked = Pick<AgentRow, 'timezone' | 'schedule_cron' | 'autonomy_level' | 'quiet_from' | 'quiet_until'>

/** Checks the fields that depend on each other or on the time; of a change those that it names. */
export function checkFields(
  { clock }: Pick<Deps, 'clock'>,
  agent: Checked,
  { auto_available }: Pick<AgentRow, 'auto_available'>,
  changed: Fields = agent,
) {
  if (changed.timezone !== undefined) checkTimeZone(changed.timezone)
  if (changed.schedule_cron) checkSchedule(changed.schedule_cron, clock.now())
  limitOf(changed.monthly_spend_limit_usd ?? null)
  if ((agent.quiet_from === null) !== (agent.quiet_until === null))
    throw invalid(agent.quiet_from === null ? '/quiet_from' : '/quiet_until', 'Set both times or neither.')
  if (changed.autonomy_level === 'auto' && !auto_available)
    throw problem('agent_not_trusted', {
      detail: 'Approve ten of its posts in a row first, or have an instance admin set ai.agents_auto_from_start.',
    })
  return agent
}

const limitOf = (usd: number | null) => (usd === null ? null : toMicros(usd, '/monthly_spend_limit_usd'))

/** The number of an active chat model, from its public id. */
export async function findModel(tx: Tx, model_id: string | null | undefined) {
  if (!model_id) return null
  return (await chatModel(tx, model_id)).id
}

/** The model of an estimate. undefined: it was deactivated, and writes nothing. */
async function textModelOf(db: Db, model_id: string) {
  const model = await callableModels(db).where('id_secure', '=', model_id).executeTakeFirst()
  const isChat = model?.category === 'text' && model.api_type === 'chat'
  return isChat && !model.is_active ? undefined : chatModel(db, model_id)
}

async function chatModel(db: Db, model_id: string) {
  const model = await activeChatModels(db).where('id_secure', '=', model_id).executeTakeFirst()
  if (!model) throw invalid('/model_id', 'There is no active chat model with this id.')
  return model
}

async function writeAccounts(tx: Tx, workspace_id: string, agent_id: string, listed: readonly string[]) {
  const ids = [...new Set(listed.map((id) => id.toLowerCase()))]
  await lockAccounts(tx, workspace_id, listed)
  await tx.deleteFrom('agent_account').where('agent_id', '=', agent_id).execute()
  if (ids.length)
    await tx
      .insertInto('agent_account')
      .values(ids.map((account_id) => ({ agent_id, account_id })))
      .execute()
}
