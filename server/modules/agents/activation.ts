import { problem } from '../../errors.ts'
import { type Actor, audit } from '../../lib/db/audit.ts'
import { inTransaction, nextUpdatedAt, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import { type AgentRow, lockAgent } from './agents.ts'
import { nextTime } from './schedule.ts'

/** Lists what an agent lacks before it can run, as sentences. */
async function missing(tx: Tx, agent: AgentRow) {
  const models = await tx
    .selectFrom('ai_model')
    .select('category')
    .distinct()
    .where('is_active', '=', true)
    .where('api_type', '=', 'chat')
    .execute()
  const hasModel = (category: string) => models.some((model) => model.category === category)
  const connected = await tx
    .selectFrom('account')
    .select('id')
    .where('id', 'in', agent.account_ids.length ? agent.account_ids : [null])
    .where('status', '=', 'connected')
    .limit(1)
    .executeTakeFirst()
  return [
    !connected && 'Choose a connected account.',
    agent.system_prompt.trim() === '' && 'Write its instructions (system_prompt).',
    !agent.model_id && !hasModel('text') && 'An instance admin must set up a chat model first.',
    agent.generate_image &&
      !hasModel('image') &&
      'An instance admin must set up an image model, or turn generate_image off.',
    agent.design && 'Cards with text are not available yet. Turn design off.',
    agent.video && 'Videos are not available for agents yet. Turn video off.',
  ].filter((text) => text !== false)
}

/** Starts the schedule of an agent. Enabling one that is active changes nothing. */
export const enableAgent = (deps: Deps, caller: Member, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const before = await lockAgent(deps, tx, caller, id)
    if (before.is_active) return before
    const lacks = await missing(tx, before)
    if (lacks.length) throw problem('agent_not_ready', { detail: lacks.join(' ') })
    const now = deps.clock.now()
    const { schedule_cron, timezone } = before
    await tx
      .updateTable('agent')
      .set({
        is_active: true,
        disabled_reason: null,
        failures: 0,
        next_run_at: schedule_cron ? nextTime({ schedule_cron, timezone }, now) : null,
        acts_for_id: caller.user_id,
        updated_at: nextUpdatedAt(now),
      })
      .where('id', '=', id)
      .execute()
    await audit(tx, caller, 'agent.enabled', id, { name: before.name })
    return lockAgent(deps, tx, caller, id)
  })

/** Stops the schedule of agents. `reason` is set when Meydan does it. Returns the ids of those that were active. */
export async function deactivate(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  actor: Actor & { workspace_id: string },
  ids: readonly string[] | 'all',
  reason: AgentRow['disabled_reason'] = null,
) {
  let query = tx
    .updateTable('agent')
    .set({ is_active: false, disabled_reason: reason, next_run_at: null, updated_at: nextUpdatedAt(clock.now()) })
    .where('workspace_id', '=', actor.workspace_id)
    .where('is_active', '=', true)
  if (ids !== 'all') query = query.where('id', 'in', ids)
  const stopped = await query.returning(['id', 'name']).execute()
  for (const { id, name } of stopped) await audit(tx, actor, 'agent.disabled', id, { name, ...(reason && { reason }) })
  return stopped.map(({ id }) => id)
}

export const disableAgent = (deps: Deps, caller: Member, id: string) =>
  inTransaction(deps.db, async (tx) => {
    await lockAgent(deps, tx, caller, id)
    await deactivate(deps, tx, caller, [id])
    return lockAgent(deps, tx, caller, id)
  })

export const disableAllAgents = (deps: Deps, caller: Member) =>
  inTransaction(deps.db, async (tx) => ({ disabled: (await deactivate(deps, tx, caller, 'all')).length }))
