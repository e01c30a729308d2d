import { Logger, type TaskList } from 'graphile-worker'
import { type RawBuilder, sql } from 'kysely'
import type { Logger as PinoLogger } from 'pino'
import { prepared, type Tx } from '../db/database.ts'

/**
 * All jobs with their payloads, each declared by the file of the job. A payload names rows, never times or texts: a job
 * reads its work from the rows when it runs. The exception is an address that somebody named and that may have no row.
 */
// biome-ignore lint/suspicious/noEmptyInterface: each x.jobs.ts adds its names to it
export interface Jobs {}

/** A declared job. `Needs` is the part of the dependencies that it uses. */
export type Attempt = {
  /** Id of the job: the same when it runs again, because it failed or its worker died. */
  id: string
  isLast: boolean
  /** Aborted when the worker stops and the job has not ended in time. */
  stopped: AbortSignal
}

type Job<Needs, Name extends keyof Jobs> = {
  name: Name
  /** Five fields, in UTC. The job is queued once for all nodes. */
  cron?: string
  /** Makes up for runs that were missed within this time while no node was up, such as `1h`. */
  fill?: string
  /** Attempts for a run that `cron` queued. */
  maxAttempts?: number
  /** Also queues it when a worker starts, and replaces a waiting one. */
  atStart?: boolean
  /** Runs in a pool of its own, so that many slow calls leave the workers of all other jobs free. */
  pool?: 'publishing' | 'agents'
  /** Names under which the previous release queued the job. */
  formerNames?: string[]
  run: (deps: Needs, payload: Jobs[Name], attempt: Attempt) => Promise<unknown>
}

type AnyJob<Needs> = { [Name in keyof Jobs]: Job<Needs, Name> }[keyof Jobs]

export const job = <Needs, Name extends keyof Jobs>(declaration: Job<Needs, Name>) => declaration

/** Converts jobs to the form that graphile-worker calls. `begin`: a job waits for it before it begins. */
export const taskListOf = <Needs>(jobs: readonly AnyJob<Needs>[], deps: Needs, begin?: () => Promise<void>): TaskList =>
  Object.fromEntries(
    jobs.flatMap(({ name, formerNames = [], run }) =>
      [name, ...formerNames].map((queued) => [
        queued,
        // addJob checked the type of the payload for this name.
        async (payload, { job: { id, attempts, max_attempts }, abortSignal }) => {
          await begin?.()
          await run(deps, payload as never, { id, isLast: attempts >= max_attempts, stopped: abortSignal })
        },
      ]),
    ),
  )

/** The lines of graphile-worker's crontab. */
export const crontabOf = (jobs: readonly AnyJob<never>[]) =>
  jobs
    .filter(({ cron }) => cron !== undefined)
    .map(({ name, cron, fill, maxAttempts }) => {
      const options = [...(fill ? [`fill=${fill}`] : []), ...(maxAttempts ? [`max=${maxAttempts}`] : [])].join('&')
      return `${cron} ${name}${options && ` ?${options}`}`
    })
    .join('\n')

type JobOptions = {
  /** Earliest time of the run. */
  runAt?: Date
  /** Key with at most one waiting job: adding another replaces it. */
  key?: string
  /** Keeps the time of a waiting job with this key, so that repeated calls do not put it off. */
  keepsRunAt?: boolean
  maxAttempts?: number
  /** Jobs of one queue run one after the other, so that a hanging job blocks no other queue. */
  queue?: string
}

/** Arguments of the function `add_job` of the database. */
const toRow = <Name extends keyof Jobs>(name: Name, payload: Jobs[Name], options: JobOptions) => {
  const { runAt = null, key = null, maxAttempts = 10, queue = null, keepsRunAt = false } = options
  const mode = keepsRunAt ? 'preserve_run_at' : 'replace'
  return { name, payload: JSON.stringify(payload), queue, runAt, maxAttempts, key, mode }
}
type JobRow = ReturnType<typeof toRow>

const insertJob = prepared(
  (_, { name, payload, queue, runAt, maxAttempts, key, mode }: JobRow) =>
    sql`select add_job(${name}, ${payload}::json, ${queue}::text, ${runAt}::timestamptz, ${maxAttempts}::int, ${key}::text,
      ${mode}::text)`,
)

type JobSource = { rows: RawBuilder<unknown>; payload: RawBuilder<unknown>; maxAttempts: number }

/**
 * A query that adds a job for each of `rows`, for a statement that adds them together with what it writes. `payload`: an
 * expression over a row, of type `json`.
 */
export const jobForEach = (name: keyof Jobs, { rows, payload, maxAttempts }: JobSource) =>
  sql`select count(*) from (
    select array_agg(
      (${name}::text, ${payload}, null, null, ${maxAttempts}::smallint, null, null, null)::graphile_worker.job_spec
    ) as specs from ${rows} having count(*) > 0
  ) as listed, graphile_worker.add_jobs(specs)`

/** Adds a job in the caller's transaction: the job exists only if that commits. */
export async function addJob<Name extends keyof Jobs>(
  tx: Tx,
  name: Name,
  payload: Jobs[Name],
  options: JobOptions = {},
) {
  await insertJob(tx, toRow(name, payload, options))
}

/** The same for many jobs of one kind, in one statement. */
export async function addJobs<Name extends keyof Jobs>(
  tx: Tx,
  name: Name,
  jobs: readonly { payload: Jobs[Name]; options: Omit<JobOptions, 'keepsRunAt'> }[],
) {
  const [first] = jobs
  if (!first) return
  // Quicker than a list of one.
  if (jobs.length === 1) return addJob(tx, name, first.payload, first.options)
  const rows = jobs.map(({ payload, options }) => toRow(name, payload, options))
  await sql`select count(*) from graphile_worker.add_jobs(array(
    select (${name}::text, payload, queue, "runAt", "maxAttempts", key, null, null)::graphile_worker.job_spec
    from json_to_recordset(${JSON.stringify(rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) })))}::json)
      as job (payload json, queue text, "runAt" timestamptz, "maxAttempts" smallint, key text)
  ))`.execute(tx)
}

/** Number of jobs of this name that no worker has fetched and that will still be tried. */
export async function countWaitingJobs(tx: Tx, name: keyof Jobs) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
    where tasks.identifier = ${name} and is_available`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Removes a waiting job. A running one finds its row changed. */
export async function removeJob(tx: Tx, key: string) {
  await sql`select graphile_worker.remove_job(${key})`.execute(tx)
}

/** The same for many jobs, in one statement. */
export async function removeJobs(tx: Tx, keys: string[]) {
  if (keys.length === 0) return
  await sql`select graphile_worker.remove_job(key) from unnest(${keys}::text[]) as key`.execute(tx)
}

/**
 * Logs graphile-worker's info messages as debug: each of its steps is debug output for us. Errors of an outage are
 * logged elsewhere.
 */
export const graphileLogger = (log: PinoLogger, isOutage: (error: unknown, ofJob: boolean) => boolean = () => false) =>
  new Logger((scope) => (level, message, meta) => {
    if (level === 'error' && isOutage(meta?.error, meta?.job !== undefined)) return
    if (level === 'error') log.error({ ...scope, ...meta }, message)
    // More jobs than connections are meant: jobs that publish wait for networks, and hold none then.
    else if (level === 'warning' && meta?.concurrency === undefined) log.warn({ ...scope }, message)
    else log.debug({ ...scope }, message)
  })
