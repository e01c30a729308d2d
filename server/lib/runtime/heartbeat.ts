import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Worker, WorkerEvents } from 'graphile-worker'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../db/database.ts'
import type { OutageLog } from './logging/outage-log.ts'
import { deleteOldOutages, recordActivity } from './outages.ts'
import type { Timings } from './timings.ts'

/**
 * Consecutive heartbeats of this node before it counts others as dead. After an outage of the database all nodes seem
 * silent; those that live have sent a heartbeat by then.
 */
const STEADY_BEATS = 3

/** Attempts of one job that are given back at most: a job can also be what breaks the database. */
const MOST_GIVEN_BACK = 10

type Options = {
  /** No other process works on this database. */
  alone: boolean
  log: Logger
  timings: Pick<Timings, 'heartbeat' | 'nodeSilence' | 'lostLock' | 'heartbeatEnd'>
  /** Whether a job failed because its connection to the database was lost. */
  isOutage?: (error: unknown) => boolean
  report?: OutageLog['report']
}

const ago = (ms: number) => sql<Date>`now() - make_interval(secs => ${ms / 1000})`

/**
 * graphile-worker frees the lock of a job after four hours, even if the worker was killed or the connection broke that
 * took the job or reported its end. So each node records that it is alive and which workers it runs, and frees two kinds
 * of locks: those of workers on no living node, and its own on jobs that it does not run. A freed job runs again and
 * reads from its rows what is already done. Attempts that an outage of the database ended are given back: each would
 * make the job wait longer after the outage, and the last would end it.
 *
 * A heartbeat comes before the first job, so that a job knows of the outage before it.
 */
export async function startHeartbeat(
  db: Db,
  { alone, log, timings, isOutage = () => false, report = (err, message) => log.error({ err }, message) }: Options,
) {
  const { heartbeat, nodeSilence, lostLock, heartbeatEnd } = timings
  const node = randomUUID()
  const workers = new Set<string>()
  const events: WorkerEvents = new EventEmitter()
  // Jobs are locked in the name of the pool, or of a single worker without a pool.
  events.on('pool:create', ({ workerPool }) => workers.add(workerPool.id))
  events.on('worker:create', ({ worker }) => workers.add(worker.workerId))
  const running = new Set<Worker>()
  events.on('worker:create', ({ worker }) => running.add(worker))
  events.on('worker:stop', ({ worker }) => running.delete(worker))
  /** Jobs that are locked and wait for a worker of this node, by id. */
  const waiting = new Set<string>()
  events.on('localQueue:getJobs:complete', ({ jobs }) => {
    for (const { id } of jobs) waiting.add(id)
  })
  events.on('job:start', ({ job }) => waiting.delete(job.id))
  events.on('localQueue:returnJobs', ({ jobs }) => {
    for (const { id } of jobs) waiting.delete(id)
  })
  /** Jobs that ended, by id, with the time. graphile-worker still has `lostLock` to record their end. */
  const ended = new Map<string, number>()
  events.on('job:complete', ({ job }) => ended.set(job.id, performance.now()))
  /** Jobs that failed, by id: `pending` of their `interrupted` attempts are to be given back. */
  const failed = new Map<string, { key: string | null; interrupted: number; pending: number }>()
  const noteFailure = ({ id, key }: { id: string; key: string | null }, isInterrupted: boolean) => {
    const { interrupted, pending } = failed.get(id) ?? { interrupted: 0, pending: 0 }
    const more = isInterrupted && interrupted < MOST_GIVEN_BACK ? 1 : 0
    failed.set(id, { key, interrupted: interrupted + more, pending: pending + more })
  }
  events.on('job:error', ({ job, error }) => noteFailure(job, isOutage(error)))
  events.on('job:success', ({ job }) => failed.delete(job.id))

  let beats = 0
  let lastBeat = Number.NEGATIVE_INFINITY
  const beat = async () => {
    await recordActivity(db, nodeSilence)
    await sql`insert into worker_node (id, worker_ids) values (${node}::uuid, ${[...workers]}::text[])
      on conflict (id) do update set worker_ids = excluded.worker_ids, seen_at = now()`.execute(db)
    const now = performance.now()
    beats = now - lastBeat > 2 * heartbeat ? 1 : beats + 1
    lastBeat = now
  }

  async function freeJobsOfTheDead(silence: number) {
    await sql`delete from worker_node where id <> ${node}::uuid and seen_at < ${ago(silence)}`.execute(db)
    // Locks must be older than the silence too: a new worker may not be recorded yet. A queue can be locked without a
    // job, when another worker has completed the job meanwhile.
    const { rows } = await sql<{ locked_by: string }>`
      select locked_by from (
        select locked_by, locked_at from graphile_worker._private_jobs
        union select locked_by, locked_at from graphile_worker._private_job_queues
      ) as locks
      where locked_at < ${ago(silence)}
        and locked_by not in (select unnest(worker_ids) from worker_node)
      group by locked_by`.execute(db)
    if (rows.length === 0) return
    const dead = rows.map((row) => row.locked_by)
    await sql`select graphile_worker.force_unlock_workers(${dead}::text[])`.execute(db)
    log.warn({ workers: dead.length }, 'freed the locks of workers that are gone')
  }

  async function freeLostLocks() {
    const own = [...workers]
    for (const [id, at] of ended) if (performance.now() - at > lostLock) ended.delete(id)
    const active = [...running].flatMap((worker) => worker.getActiveJob()?.id ?? [])
    const held = [...active, ...waiting, ...ended.keys()]
    // A queue has its own lock, and a lost response can leave either lock behind.
    const { rows } = await sql<{ id: string; key: string | null; is_job: boolean }>`
      with jobs as (
        update graphile_worker._private_jobs set locked_by = null, locked_at = null
        where locked_by = any(${own}::text[]) and locked_at < ${ago(lostLock)}
          and id <> all(${held}::bigint[])
        returning id, key
      ), queues as (
        update graphile_worker._private_job_queues as queue set locked_by = null, locked_at = null
        where locked_by = any(${own}::text[]) and locked_at < ${ago(lostLock)}
          and not exists (
            select from graphile_worker._private_jobs as job
            where job.job_queue_id = queue.id and job.id = any(${held}::bigint[]))
        returning id
      )
      select id, key, true as is_job from jobs union all select id, null, false from queues`.execute(db)
    // A job without a failure was given to this node in a response that was lost.
    for (const { is_job, ...job } of rows) if (is_job && !failed.has(job.id)) noteFailure(job, true)
    if (rows.length > 0) log.warn({ locks: rows.length }, 'freed locks of jobs that no worker of this node runs')
  }

  /** Sets jobs back as if their interrupted attempts had not been made. Those that are locked follow later. */
  async function giveBackAttempts() {
    if (failed.size === 0) return
    const jobs = [...failed].map(([id, { key, pending }]) => ({ id, key, pending }))
    // A job that was removed or replaced while it ran has lost its key.
    const { rows } = await sql<{ id: string; is_over: boolean }>`
      with failed as (
        select * from jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb) as failed (id bigint, key text, pending smallint)
      ), given as (
        update graphile_worker._private_jobs as job
        set attempts = greatest(attempts - pending, 0),
          run_at = least(run_at, now() + (exp(least(greatest(attempts - pending, 0), 10)) - 1) * interval '1 second')
        from failed
        where job.id = failed.id and job.key is not distinct from failed.key and pending > 0 and locked_at is null
        returning job.id
      )
      select id, false as is_over from given
      union all
      select id, true from failed where not exists (
        select from graphile_worker._private_jobs as job
        where job.id = failed.id and job.key is not distinct from failed.key
          and (attempts < max_attempts or pending > 0)
      )`.execute(db)
    const given = new Map(jobs.map(({ id, pending }) => [id, pending]))
    for (const { id, is_over } of rows) {
      const job = failed.get(id)
      if (is_over) failed.delete(id)
      else if (job) job.pending -= given.get(id) ?? 0
    }
  }

  /** After a clock that was ahead, graphile-worker would queue no cron job until the time of its last run has come. */
  const resetFutureCrons = () =>
    sql`update graphile_worker._private_known_crontabs set last_execution = now()
      where last_execution > now() + interval '2 minutes'`.execute(db)

  await beat()
  await deleteOldOutages(db)
  await resetFutureCrons()
  if (alone) await freeJobsOfTheDead(0)

  // One at a time: beats that hung together during an outage would otherwise end together and count as steady.
  let beating: Promise<unknown> | undefined
  const timer = setInterval(() => {
    beating ??= beat()
      .then(() => (beats >= STEADY_BEATS ? freeJobsOfTheDead(nodeSilence) : undefined))
      .then(freeLostLocks)
      .then(giveBackAttempts)
      .then(resetFutureCrons)
      .catch((err) => report(err, 'the heartbeat of this node failed'))
      .finally(() => {
        beating = undefined
      })
  }, heartbeat)

  return {
    /** Pass these to graphile-worker, which reports its workers through them. */
    events,
    stop: async () => {
      clearInterval(timer)
      await Promise.race([beating, setTimeout(heartbeatEnd)])
      await sql`delete from worker_node where id = ${node}::uuid`.execute(db).catch(() => undefined)
    },
  }
}
