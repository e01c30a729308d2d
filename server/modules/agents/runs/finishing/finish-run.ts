import { system } from '../../../../lib/db/audit.ts'
import type { Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import { emit } from '../../../../lib/events/emit.ts'
import type { BudgetLimit } from '../../record/budget.ts'
import type { LockedRun } from '../../record/lock-run.ts'
import { isSkip, type RunReason } from '../../record/run-status.ts'
import { giveBackToDay } from '../daily-limit.ts'
import { notWaiting } from '../run-queue.ts'
import { agentEvents } from '../runs.events.ts'
import { readRunRow } from '../runs.ts'
import { cancelVideos } from './cancel-runs.ts'
import { deactivate } from './deactivate-agents.ts'
import { mailDisabled } from './disabled-mail.ts'
import { stopScheduledPosts } from './hold-scheduled-posts.ts'
import { notifyOfBudget } from './notify-of-budget.ts'

/** Failed runs in a row after which an agent is disabled. */
const MAX_FAILURES = 5

type Item = { status: string; reason: string | null; post_id: string | null }

const reasonWithoutPosts = (items: readonly Item[]): RunReason =>
  items.every(({ reason }) => reason === 'nothing_new') ? 'nothing_new' : 'checks_failed'

function outcomeOf(items: readonly Item[], given: RunReason | undefined) {
  const made = items.filter(({ status }) => status === 'created' || status === 'pending').length
  if (made > 0) {
    const status = items.some((item) => item.status === 'pending')
      ? ('awaiting_review' as const)
      : ('completed' as const)
    return { made, status, reason: given ?? null }
  }
  const reason = given ?? reasonWithoutPosts(items)
  return { made, status: isSkip(reason) ? ('skipped' as const) : ('failed' as const), reason }
}

/**
 * Ends a run: with `reason` when something stopped it, or else because all of its posts are decided. `limit`: that of the
 * budget which stopped it.
 */
export async function finishRun(deps: Deps, tx: Tx, { agent, run }: LockedRun, given?: RunReason, limit?: BudgetLimit) {
  const now = deps.clock.now()
  const items = await tx
    .selectFrom('agent_item')
    .select(['status', 'reason', 'post_id'])
    .where('run_id', '=', run.id)
    .execute()
  const { made, status, reason } = outcomeOf(items, given)
  await cancelVideos(deps, tx, run.id)
  await tx
    .updateTable('agent_item')
    .set({ status: 'blocked', reason: reason ?? 'canceled', picture: null, updated_at: now })
    .where('run_id', '=', run.id)
    .where('status', '=', 'writing')
    .execute()
  await tx
    .updateTable('agent_run')
    .set({ status, reason, made, ended_at: now, claim_id: null, lease_until: null, ...notWaiting })
    .where('id', '=', run.id)
    .execute()
  if (run.granted !== null && run.granted > made) await giveBackToDay(tx, run, run.granted - made)
  // A preview or a lower budget can have used up what was left.
  if (reason === 'agent_budget') await notifyOfBudget(deps, tx, agent.id, limit)
  if (status === 'skipped') return
  const failures = status === 'failed' ? agent.failures + (await failureOf(tx, run.id, reason)) : 0
  await tx.updateTable('agent').set({ failures }).where('id', '=', agent.id).execute()
  const data = { agent: { id: agent.id, name: agent.name }, run: await readRunRow(tx, run.id) }
  if (status === 'failed') await emit(tx, agentEvents['agent.run.failed'], agent.workspace_id, data, now)
  else await emit(tx, agentEvents['agent.run.completed'], agent.workspace_id, data, now)
  if (failures >= MAX_FAILURES && agent.is_active) await disableFailing(deps, tx, agent, reason ?? 'error')
}

/**
 * Counts a failed run: as 0 if it refused entries of a feed, else as 1. Refused entries are used up, so they cost a
 * bounded number of texts, and the author of a feed cannot disable the agent.
 */
async function failureOf(tx: Tx, run_id: string, reason: RunReason | null) {
  if (reason !== 'checks_failed') return 1
  const entry = await tx
    .selectFrom('agent_source_item')
    .select('id')
    .where('refused_in_run', '=', run_id)
    .limit(1)
    .executeTakeFirst()
  return entry ? 0 : 1
}

async function disableFailing(deps: Deps, tx: Tx, { id, workspace_id, name }: LockedRun['agent'], reason: RunReason) {
  const now = deps.clock.now()
  const actor = system(workspace_id)
  await deactivate(deps, tx, actor, [id], 'failures')
  await stopScheduledPosts(tx, { workspace_id, ids: [id] })
  await emit(tx, agentEvents['agent.disabled'], workspace_id, { agent: { id, name }, reason }, now)
  await mailDisabled(deps, tx, { id, workspace_id, name, reason })
}
