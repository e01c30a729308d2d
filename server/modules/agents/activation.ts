import { MINUTE } from '../../../shared/time.ts'
import { problem } from '../../errors.ts'
import { audit, system } from '../../lib/db/audit.ts'
import { inTransaction, nextUpdatedAt, type Tx } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import type { Complete } from '../../lib/http/idempotency.ts'
import type { ImportStep } from '../../lib/lifecycle.ts'
import { activeChatModels, activeModels } from '../ai/models/models.ts'
import { type AgentRow, lockAgent } from './record/agent-record.ts'
import { nextTime } from './record/schedule.ts'
import { deactivate } from './runs/finishing/deactivate-agents.ts'
import { holdScheduledPosts, stopScheduledPosts } from './runs/finishing/hold-scheduled-posts.ts'
import { incompleteSources } from './sources/incomplete-sources.ts'

/** Something that an agent lacks before it can run. `name` is for programs. */
type Missing = {
  name: 'account' | 'system_prompt' | 'model' | 'image_model' | 'video_model' | 'source'
  detail: string
}

async function listMissing(tx: Tx, agent: AgentRow): Promise<Missing[]> {
  const model = await activeChatModels(tx).limit(1).executeTakeFirst()
  const connected = await tx
    .selectFrom('account')
    .select('id')
    .where('id', 'in', agent.account_ids.length ? agent.account_ids : [null])
    .where('status', '=', 'connected')
    .limit(1)
    .executeTakeFirst()
  const missing: Missing[] = []
  if (!connected) missing.push({ name: 'account', detail: 'Choose a connected account.' })
  if (agent.system_prompt.trim() === '')
    missing.push({ name: 'system_prompt', detail: 'Write its instructions (system_prompt).' })
  if (!model) missing.push({ name: 'model', detail: 'An instance admin must set up a chat model first.' })
  if (agent.generate_image && !(await activeModels(tx, 'image').limit(1).executeTakeFirst()))
    missing.push({ name: 'image_model', detail: 'An instance admin must set up an image model first.' })
  if (agent.video && !(await activeModels(tx, 'video').limit(1).executeTakeFirst()))
    missing.push({ name: 'video_model', detail: 'An instance admin must set up a video model first.' })
  for (const label of await incompleteSources(tx, agent.id))
    missing.push({ name: 'source', detail: `Give the source ${JSON.stringify(label)} an address or a text.` })
  return missing
}

/** Starts the schedule of an agent. Enabling one that is active changes nothing. */
export const enableAgent = (deps: Deps, caller: Member, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const before = await lockAgent(deps, tx, caller, id)
    if (before.is_active) return before
    const missing = await listMissing(tx, before)
    if (missing.length)
      throw problem('agent_not_ready', {
        detail: missing.map(({ detail }) => detail).join(' '),
        extra: { missing: [...new Set(missing.map(({ name }) => name))] },
      })
    const now = deps.clock.now()
    const { schedule_cron, timezone } = before
    await tx
      .updateTable('agent')
      .set({
        is_active: true,
        disabled_reason: null,
        failures: 0,
        missed_at: null,
        next_run_at: schedule_cron ? nextTime({ schedule_cron, timezone }, now) : null,
        acts_for_id: caller.user_id,
        updated_at: nextUpdatedAt(now),
      })
      .where('id', '=', id)
      .execute()
    await audit(tx, caller, 'agent.enabled', id, { name: before.name })
    return lockAgent(deps, tx, caller, id)
  })

/** `complete`: stores the response for an Idempotency-Key. */
export async function disableAgent(deps: Deps, caller: Member, id: string, complete: Complete) {
  await stop(deps, caller, async (tx) => [(await lockAgent(deps, tx, caller, id)).id])
  return inTransaction(deps.db, async (tx) => {
    const agent = await lockAgent(deps, tx, caller, id)
    await complete(tx, agent)
    return agent
  })
}

/** Disables the agents of a workspace from another installation, and cancels the runs that had not ended there. */
export const disableImported: ImportStep = async (deps, tx, workspace_id) => {
  const agents = await tx.selectFrom('agent').select('id').where('workspace_id', '=', workspace_id).execute()
  const ids = agents.map(({ id }) => id)
  return { disabled_agents: await deactivate(deps, tx, system(workspace_id), ids) }
}

export async function disableAllAgents(deps: Deps, caller: Member, complete: Complete) {
  const stopped = await stop(deps, caller, async (tx) => {
    const agents = await tx
      .selectFrom('agent')
      .select('id')
      .where('workspace_id', '=', caller.workspace_id)
      .orderBy('id')
      .forUpdate()
      .execute()
    return agents.map(({ id }) => id)
  })
  await inTransaction(deps.db, (tx) => complete(tx, stopped))
  return stopped
}

/**
 * Disables agents, and holds what they scheduled by themselves: a person who stops them wants to look at it first. Posts
 * are held in batches, all of them before the response. When the call is interrupted, a job holds the rest a minute later.
 */
async function stop(deps: Deps, caller: Member, lockAgents: (tx: Tx) => Promise<string[]>) {
  const { workspace_id } = caller
  const { ids, disabled } = await inTransaction(deps.db, async (tx) => {
    const ids = await lockAgents(tx)
    const disabled = await deactivate(deps, tx, caller, ids)
    // A job that began at once would hold some of them itself, which this call would neither count nor sign.
    await stopScheduledPosts(tx, { workspace_id, ids, runAt: new Date(deps.clock.now().getTime() + MINUTE) })
    return { ids, disabled }
  })
  return { disabled, held_posts: await holdScheduledPosts(deps, { workspace_id, ids, actor: caller }) }
}

/** Deletes an agent with its runs. Its posts stay. */
export async function deleteAgent(deps: Deps, caller: Member, id: string, complete: Complete) {
  const lock = async (tx: Tx) => [(await lockAgent(deps, tx, caller, id)).id]
  // As when it is disabled. Its posts cannot be found by it after the deletion.
  await stop(deps, caller, lock)
  await inTransaction(deps.db, async (tx) => {
    const { name } = await lockAgent(deps, tx, caller, id)
    // It may have been enabled since then.
    await stop({ ...deps, db: tx }, caller, lock)
    await tx.deleteFrom('agent').where('id', '=', id).execute()
    await audit(tx, caller, 'agent.deleted', id, { name })
    await complete(tx, undefined)
  })
}

/** Disables the agents that act for a former member, who has no rights any more, and holds what they scheduled. */
export async function disableAgentsOfMember(deps: Pick<Deps, 'clock'>, tx: Tx, caller: Member, user_id: string) {
  const agents = await tx
    .selectFrom('agent')
    .select('id')
    .where('workspace_id', '=', caller.workspace_id)
    .where('acts_for_id', '=', user_id)
    .execute()
  const ids = agents.map(({ id }) => id)
  await deactivate(deps, tx, caller, ids, 'owner_gone')
  await stopScheduledPosts(tx, { workspace_id: caller.workspace_id, ids })
}
