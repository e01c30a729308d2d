import { type RawBuilder, sql } from 'kysely'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { type RunReason, runReasons } from '../record/run-status.ts'
import { MAX_MISSED, nextTime, type Schedule, slotOf } from '../record/schedule.ts'
import { nextOrder } from './run-queue.ts'

/** The id of a run that begins. Whole hours between the two clocks keep the order in which runs were made. */
export const idOfRun = (now: Date | RawBuilder<unknown>) =>
  sql<string>`uuidv7(date_trunc('hour', ${now}::timestamptz - clock_timestamp()))`

type Missing = Schedule & { id: string; workspace_id: string }

/** A time of the schedule for which there was no run, as a run that was skipped. */
const missedRun = (agent: Missing, due_at: Date, reason: RunReason): ScheduledRun => {
  const slot = slotOf(agent, due_at)
  return {
    workspace_id: agent.workspace_id,
    agent_id: agent.id,
    ...{ slot, due_at, wanted: 0, missed: 0, status: 'skipped' as const, reason },
    ...{ created_at: due_at, ended_at: due_at, step_at: null },
  }
}

/** A run of a schedule. `step_at`: when its first step may be taken. `wanted` is 0 for one that was missed. */
export type ScheduledRun = {
  workspace_id: string
  agent_id: string
  slot: string
  due_at: Date
  wanted: number
  missed: number
  status: 'queued' | 'skipped'
  reason: RunReason | null
  created_at: Date
  ended_at: Date | null
  step_at: Date | null
}

/**
 * Adds runs, in one statement for any number of them. A slot exists already in the hour that clocks repeat. Runs are
 * listed by their ids, so one that was missed stands at the time that it was for.
 */
export async function insertRuns(tx: Tx, runs: readonly ScheduledRun[]) {
  if (runs.length === 0) return []
  const { rows } = await sql<Pick<ScheduledRun, 'status' | 'wanted' | 'workspace_id'>>`
    insert into agent_run (id, workspace_id, agent_id, trigger, slot, day, due_at, wanted, missed, status, reason,
      created_at, ended_at, step_at, step_order)
    select case when wanted = 0 then uuidv7(due_at - clock_timestamp()) else ${idOfRun(sql`created_at`)} end,
      workspace_id, agent_id, 'schedule', slot, left(slot, 10)::date, due_at, wanted, missed, status, reason,
      created_at, ended_at, step_at, case when step_at is not null then ${nextOrder} end
    from json_to_recordset(${JSON.stringify(runs)}::json) as run (workspace_id uuid, agent_id uuid, slot text,
      due_at timestamptz, wanted smallint, missed smallint, status agent_run_status, reason text,
      created_at timestamptz, ended_at timestamptz, step_at timestamptz)
    on conflict on constraint agent_run_slot do nothing
    returning status, wanted, workspace_id`.execute(tx)
  return rows
}

/** Times of a schedule from `from` until before `until`, the first `max` of them. */
function timesBetween(schedule: Schedule, from: Date, until: Date, max: number) {
  const times: Date[] = []
  for (let time: Date | null = from; time && time < until && times.length < max; time = nextTime(schedule, time))
    times.push(time)
  return times
}

/** The runs that an agent missed from `from` until before `until`, such as while no node was running. */
export const missedRuns = (agent: Missing, { from, until }: { from: Date; until: Date }, reason: RunReason) =>
  timesBetween(agent, from, until, MAX_MISSED).map((time) => missedRun(agent, time, reason))

/** Agents whose missed times one transaction notes. */
const BATCH = 50

const missingAgents = (tx: Tx, now: Date) =>
  tx
    .selectFrom('agent')
    .select(['id', 'workspace_id', 'schedule_cron', 'timezone', 'missed_at', 'missed_slots', 'disabled_reason'])
    .where('is_active', '=', false)
    .where('missed_at', '<=', now)
    .orderBy('missed_at')
    .limit(BATCH)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()

type Missed = Awaited<ReturnType<typeof missingAgents>>[number]

/** The runs that a disabled agent has missed until now, and its next time to miss. */
function missedUntil({ schedule_cron, missed_at, missed_slots, ...agent }: Missed, now: Date) {
  const none = { runs: [], next: { id: agent.id, missed_at: null, missed_slots } }
  if (schedule_cron === null || missed_at === null) return none
  const missing = { ...agent, schedule_cron }
  const times = timesBetween(missing, missed_at, new Date(now.getTime() + 1), MAX_MISSED - missed_slots)
  const count = missed_slots + times.length
  const reason = runReasons.find((each) => each === agent.disabled_reason) ?? 'disabled'
  return {
    runs: times.map((time) => missedRun(missing, time, reason)),
    next: { id: agent.id, missed_at: count < MAX_MISSED ? nextTime(missing, now) : null, missed_slots: count },
  }
}

const noteBatch = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const agents = (await missingAgents(tx, now)).map((agent) => missedUntil(agent, now))
    await insertRuns(
      tx,
      agents.flatMap(({ runs }) => runs),
    )
    await sql`update agent set missed_at = next.missed_at, missed_slots = next.missed_slots
      from json_to_recordset(${JSON.stringify(agents.map(({ next }) => next))}::json)
        as next(id uuid, missed_at timestamptz, missed_slots smallint)
      where agent.id = next.id`.execute(tx)
    return agents.length
  })

/** Notes the times that disabled agents miss, the first hundred of each pause. */
export async function noteMissedSlots(deps: Pick<Deps, 'db' | 'clock'>) {
  while ((await noteBatch(deps)) === BATCH);
}

/** Begins to note the times that these agents miss, which were disabled now. */
export async function beginMissing(tx: Tx, ids: readonly string[], now: Date) {
  if (ids.length === 0) return
  const agents = await tx
    .selectFrom('agent')
    .select(['id', 'schedule_cron', 'timezone'])
    .where('id', 'in', [...ids])
    .where('schedule_cron', 'is not', null)
    .execute()
  const next = agents.map(({ id, schedule_cron, timezone }) => ({
    id,
    missed_at: schedule_cron === null ? null : nextTime({ schedule_cron, timezone }, now),
  }))
  await sql`update agent set missed_at = next.missed_at, missed_slots = 0
    from json_to_recordset(${JSON.stringify(next)}::json) as next(id uuid, missed_at timestamptz)
    where agent.id = next.id`.execute(tx)
}
