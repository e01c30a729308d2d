/**
 * The queue of steps. A run that waits for its next step has `step_at`; for each there is one job, which names no run: when a
 * worker is free for it, it takes the step whose turn it is. So the order is decided when a step begins, and a workspace
 * with many runs holds up nobody who comes later.
 *
 * The job of a worker that died runs again, and goes on with the same run. A claimed run whose job is gone waits again when
 * its lease has ended (`requeueLost`).
 */
import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import { locks } from '../../../lib/db/locks.ts'
import type { Deps } from '../../../lib/deps.ts'
import { addJob, addJobs, countWaitingJobs } from '../../../lib/runtime/jobs.ts'

/** The end of the line of a workspace. */
export const nextOrder = sql<string>`nextval('agent_step_order')`

/** What a run has that waits for a step, at the end of the line of its workspace. */
const waiting = (at: Date) => ({ step_at: at, step_order: nextOrder, step_job: null })

/** What a run has that waits for none. */
export const notWaiting = { step_at: null, step_order: null } as const

/** The run whose step this job began and did not end: its worker died. */
const interruptedBy = (db: Db, job: string) =>
  db
    .selectFrom('agent_run')
    .select('id')
    .where('step_job', '=', job)
    .where('step_at', 'is', null)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst()

/**
 * Notes that steps of these workspaces wait from `at` on. In the order of their ids, so that two batches never wait for
 * each other. A search that takes one of these steps waits for the commit.
 */
async function noteWaiting(tx: Tx, workspace_ids: readonly string[], at: Date) {
  await sql`insert into agent_turn (workspace_id, turn, next_step_at)
    select id, 0, ${at} from unnest(${[...new Set(workspace_ids)]}::uuid[]) as id order by id
    on conflict (workspace_id) do update set next_step_at = least(agent_turn.next_step_at, excluded.next_step_at)`.execute(
    tx,
  )
}

/** Has a run wait for its next step, in the transaction of the one before. `at`: when it may be taken; `now` at once. */
export async function enqueueStep(tx: Tx, { id }: { id: string }, { now, at = now }: { now: Date; at?: Date }) {
  const { workspace_id } = await tx
    .updateTable('agent_run')
    .set(waiting(at))
    .where('id', '=', id)
    .returning('workspace_id')
    .executeTakeFirstOrThrow()
  await noteWaiting(tx, [workspace_id], at)
  await addJob(tx, 'take-next-agent-step', {}, at > now ? { runAt: at } : {})
}

const addStepJobs = (tx: Tx, count: number) =>
  addJobs(
    tx,
    'take-next-agent-step',
    Array.from({ length: count }, () => ({ payload: {}, options: {} })),
  )

/** Enqueues the first steps of runs that were inserted as waiting. */
export async function enqueueFirstSteps(tx: Tx, runs: readonly { workspace_id: string }[], now: Date) {
  if (runs.length === 0) return
  await noteWaiting(
    tx,
    runs.map(({ workspace_id }) => workspace_id),
    now,
  )
  await addStepJobs(tx, runs.length)
}

/**
 * The time by which the job was woken, if the clock of this node is behind it: a job that runs finds the step that it was
 * added for.
 */
async function laterNow(tx: Tx, clockNow: Date) {
  const { rows } = await sql<{ now: Date }>`select greatest(now(), ${clockNow}::timestamptz) as now`.execute(tx)
  return rows[0]?.now ?? clockNow
}

/** Workspaces that one search for a step looks at: the steps of others are of runs that are being changed. */
const CANDIDATES = 20
/** Time until a step is looked for again when all of these were being changed. */
const AGAIN_MS = 1000

/**
 * Takes the step whose turn it is: of the workspace with the fewest steps under way, then of the one whose last turn is
 * the longest ago; within it, of the agent that waits the longest. One search at a time counts what the one before took.
 * `job`: the job that takes it.
 */
export const claimNextStep = ({ db, clock, timings }: Pick<Deps, 'db' | 'clock' | 'timings'>, job: string) =>
  inTransaction(db, async (tx) => {
    const interrupted = await interruptedBy(tx, job)
    if (interrupted) return interrupted.id
    await sql`select pg_advisory_xact_lock(${locks.agentSteps})`.execute(tx)
    const now = await laterNow(tx, clock.now())
    for (;;) {
      const candidates = await nextWorkspaces(tx, now)
      let left = candidates.length
      for (const { workspace_id } of candidates) {
        // Waits for those who enqueue steps here, so that the time of the next step counts theirs.
        await tx.selectFrom('agent_turn').select('turn').where('workspace_id', '=', workspace_id).forUpdate().execute()
        const { rows } = await sql<{ id: string }>`
          update agent_run set step_at = null, step_order = null, step_job = ${job}::bigint,
            lease_until = ${new Date(now.getTime() + timings.runLease)}
          where id = (
            select id from agent_run where workspace_id = ${workspace_id} and step_at <= ${now}
            order by step_order limit 1 for no key update skip locked
          ) returning id`.execute(tx)
        const [run] = rows
        const isOver = !(await noteTurn(tx, workspace_id, { now, hasTurn: run !== undefined }))
        if (run) return run.id
        if (isOver) left--
      }
      // Runs that were canceled leave a workspace behind in which no step waits.
      if (candidates.length > 0 && left < candidates.length) continue
      if (left > 0) await addJob(tx, 'take-next-agent-step', {}, { runAt: new Date(now.getTime() + AGAIN_MS) })
      return
    }
  })

/**
 * The workspaces whose turn is next: those with the fewest steps under way, and of these the one whose last turn is the
 * longest ago. Few have steps under way; of the others, the index of turns has the first ones.
 */
async function nextWorkspaces(tx: Tx, now: Date) {
  const { rows } = await sql<{ workspace_id: string }>`
    with busy as (
      select workspace_id, count(*) as steps from agent_run
      where step_at is null and status in ('queued', 'running') and lease_until > ${now} group by workspace_id
    )
    (select workspace_id, 0 as steps, turn from agent_turn
      where next_step_at <= ${now} and workspace_id not in (select workspace_id from busy)
      order by turn, workspace_id limit ${CANDIDATES})
    union all
    (select workspace_id, steps, turn from busy join agent_turn using (workspace_id) where next_step_at <= ${now})
    order by steps, turn, workspace_id limit ${CANDIDATES}`.execute(tx)
  return rows
}

/** Notes when the next step of a workspace may be taken, and its turn if it had one. Returns whether a step waits now. */
async function noteTurn(tx: Tx, workspace_id: string, { now, hasTurn }: { now: Date; hasTurn: boolean }) {
  const { rows } = await sql<{ waits: boolean }>`
    update agent_turn set turn = case when ${hasTurn} then ${nextOrder} else turn end,
      next_step_at = (select min(step_at) from agent_run where workspace_id = ${workspace_id} and step_at is not null)
    where workspace_id = ${workspace_id}
    returning coalesce(next_step_at <= ${now}, false) as waits`.execute(tx)
  return rows[0]?.waits ?? false
}

/** Runs that one call queues again. */
const BATCH = 500

/** Has runs wait again whose worker died, and adds the jobs that are missing for waiting runs. */
export const requeueLost = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const lost = await tx
      .updateTable('agent_run')
      .set(waiting(now))
      .where('id', 'in', (query) =>
        query
          .selectFrom('agent_run')
          .select('id')
          .where('status', 'in', ['queued', 'running'])
          .where('step_at', 'is', null)
          .where('lease_until', '<', now)
          .limit(BATCH)
          .forNoKeyUpdate()
          .skipLocked(),
      )
      .returning('workspace_id')
      .execute()
    // Those that a node of a former version enqueued, which notes none.
    const { rows: unnoted } = await sql<{ workspace_id: string }>`
      select workspace_id from agent_run as run where step_at is not null group by workspace_id
      having not exists (select from agent_turn
        where agent_turn.workspace_id = run.workspace_id and next_step_at <= min(run.step_at))`.execute(tx)
    const missing = [...lost, ...unnoted].map(({ workspace_id }) => workspace_id)
    if (missing.length > 0) await noteWaiting(tx, missing, now)
    const { count } = await tx
      .selectFrom('agent_run')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('step_at', 'is not', null)
      .executeTakeFirstOrThrow()
    await addStepJobs(tx, Math.min(BATCH, Math.max(0, count - (await countWaitingJobs(tx, 'take-next-agent-step')))))
  })
