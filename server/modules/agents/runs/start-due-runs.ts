import { sql } from 'kysely'
import { HOUR } from '../../../../shared/time.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { HeldWork } from '../../../lib/lifecycle.ts'
import { lastDue, nextTime, slotOf } from '../record/schedule.ts'
import { insertRuns, missedRuns, noteMissedSlots, type ScheduledRun } from './missed-slots.ts'
import { enqueueFirstSteps, requeueLost } from './run-queue.ts'

type Needs = Pick<Deps, 'db' | 'clock'>

/** Agents started in one transaction. */
const BATCH = 50
/** Time after which a run is not caught up. Shorter where nobody looks at the posts first. */
const LATEST_MS = { draft: 6 * HOUR, approve: 6 * HOUR, auto: HOUR }

const dueAgents = (tx: Tx, now: Date) =>
  tx
    .selectFrom('agent')
    .select(['id', 'workspace_id', 'schedule_cron', 'timezone', 'next_run_at', 'posts_per_run', 'autonomy_level'])
    .select(
      sql<boolean>`exists (select from agent_run r where r.agent_id = agent.id and r.status in ('queued', 'running'))`.as(
        'is_running',
      ),
    )
    .where('is_active', '=', true)
    .where('next_run_at', '<=', now)
    .orderBy('next_run_at')
    .limit(BATCH)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()

type Due = Awaited<ReturnType<typeof dueAgents>>[number]

type Batch = { now: Date; skips?: boolean }

/**
 * The run of an agent that is due, queued or skipped with the reason, after those that it missed before. `skips`: skipped in
 * any case.
 */
function runsOf({ schedule_cron, ...agent }: Due, { now, skips = false }: Batch): ScheduledRun[] {
  if (schedule_cron === null || agent.next_run_at === null) return []
  const due = lastDue({ ...agent, schedule_cron }, agent.next_run_at, now)
  if (!due) return []
  const isLate = skips || now.getTime() - due.time.getTime() > LATEST_MS[agent.autonomy_level]
  const reason = isLate ? 'late' : agent.is_running ? 'still_running' : null
  const slot = slotOf(agent, due.time)
  const missed = missedRuns({ ...agent, schedule_cron }, { from: agent.next_run_at, until: due.time }, 'late')
  const run: ScheduledRun = {
    workspace_id: agent.workspace_id,
    agent_id: agent.id,
    ...{ slot, due_at: due.time, wanted: agent.posts_per_run, missed: due.missed, reason, created_at: now },
    ...(reason
      ? { status: 'skipped', ended_at: now, step_at: null }
      : { status: 'queued', ended_at: null, step_at: now }),
  }
  return [...missed, run]
}

/** Starts a batch. Each agent moves to its next time in the same transaction, so it runs once on any number of nodes. */
const startBatch = (deps: Needs, batch: Batch) =>
  inTransaction(deps.db, async (tx) => {
    const { now } = batch
    const agents = await dueAgents(tx, now)
    const added = await insertRuns(
      tx,
      agents.flatMap((agent) => runsOf(agent, batch)),
    )
    const queued = added.filter(({ status }) => status === 'queued')
    await enqueueFirstSteps(tx, queued, now)
    const next = agents.map(({ id, schedule_cron, timezone }) => ({
      id,
      next_run_at: schedule_cron === null ? null : nextTime({ schedule_cron, timezone }, now),
    }))
    await sql`update agent set next_run_at = next.next_run_at
      from json_to_recordset(${JSON.stringify(next)}::json) as next(id uuid, next_run_at timestamptz)
      where agent.id = next.id`.execute(tx)
    return { agents: agents.length, runs: added.filter(({ wanted }) => wanted > 0).length }
  })

/** `pause`: between two batches. */
async function startBatches(deps: Needs, batch: () => Batch, pause?: () => Promise<void>) {
  let count = 0
  for (;;) {
    const { agents, runs } = await startBatch(deps, batch())
    count += runs
    if (agents < BATCH) return count
    await pause?.()
  }
}

/**
 * Starts the runs of all agents that are due, and notes the times that others missed. Returns how many runs there are now
 * more, skipped ones included, without those that were missed. `pause`: between the batches of many agents.
 */
export async function startDueRuns(deps: Needs, pause?: () => Promise<void>) {
  const count = await startBatches(deps, () => ({ now: deps.clock.now() }), pause)
  await requeueLost(deps)
  await noteMissedSlots(deps)
  return count
}

/** Agents that a restored installation would run. Those that are too late are skipped in any case. */
export const heldAgents: HeldWork = {
  count: async (db, { now }) => {
    const { count } = await db
      .selectFrom('agent')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('is_active', '=', true)
      .where('next_run_at', '<=', now)
      .executeTakeFirstOrThrow()
    return count
  },
  drop: (deps, { now }) => startBatches(deps, () => ({ now, skips: true })),
}
