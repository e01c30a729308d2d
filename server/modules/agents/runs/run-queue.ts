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

const nextOrder = sql<string>`nextval('agent_step_order')`

/** What a run has that waits for a step, at the end of the line of its workspace. */
export const waiting = (at: Date) => ({ step_at: at, step_order: nextOrder, step_job: null })

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

/** Has a run wait for its next step, in the transaction of the one before. `at`: when it may be taken; `now` at once. */
export async function enqueueStep(tx: Tx, { id }: { id: string }, { now, at = now }: { now: Date; at?: Date }) {
  await tx.updateTable('agent_run').set(waiting(at)).where('id', '=', id).execute()
  await addJob(tx, 'take-next-agent-step', {}, at > now ? { runAt: at } : {})
}

/** Adds the jobs of runs that were inserted as waiting. */
export const addStepJobs = (tx: Tx, count: number) =>
  addJobs(
    tx,
    'take-next-agent-step',
    Array.from({ length: count }, () => ({ payload: {}, options: {} })),
  )

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
    const now = clock.now()
    const { rows: candidates } = await sql<{ workspace_id: string }>`
      with waiting as (
        select workspace_id from agent_run where step_at <= ${now} group by workspace_id
      ), busy as (
        select workspace_id, count(*) as steps from agent_run
        where step_at is null and status in ('queued', 'running') and lease_until > ${now} group by workspace_id
      )
      select waiting.workspace_id from waiting
      left join busy using (workspace_id) left join agent_turn using (workspace_id)
      order by coalesce(busy.steps, 0), agent_turn.turn nulls first, workspace_id limit ${CANDIDATES}`.execute(tx)
    for (const { workspace_id } of candidates) {
      const { rows } = await sql<{ id: string }>`
        update agent_run set step_at = null, step_order = null, step_job = ${job}::bigint,
          lease_until = ${new Date(now.getTime() + timings.runLease)}
        where id = (
          select id from agent_run where workspace_id = ${workspace_id} and step_at <= ${now}
          order by step_order limit 1 for no key update skip locked
        ) returning id`.execute(tx)
      const [run] = rows
      if (!run) continue
      await sql`insert into agent_turn (workspace_id, turn) values (${workspace_id}, ${nextOrder})
        on conflict (workspace_id) do update set turn = excluded.turn`.execute(tx)
      return run.id
    }
    if (candidates.length > 0)
      await addJob(tx, 'take-next-agent-step', {}, { runAt: new Date(now.getTime() + AGAIN_MS) })
  })

/** Runs that one call queues again. */
const BATCH = 500

/** Has runs wait again whose worker died, and adds the jobs that are missing for waiting runs. */
export const requeueLost = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    await tx
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
      .execute()
    const { count } = await tx
      .selectFrom('agent_run')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('step_at', 'is not', null)
      .executeTakeFirstOrThrow()
    await addStepJobs(tx, Math.min(BATCH, Math.max(0, count - (await countWaitingJobs(tx, 'take-next-agent-step')))))
  })
