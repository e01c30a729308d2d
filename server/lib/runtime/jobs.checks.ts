import { sql } from 'kysely'
import { check, ok, warning } from './checks/check.ts'

const LATE_MIN = 10

const waiting = check({
  name: 'jobs',
  group: 'work',
  outcomes: {
    ok: ok('No job has waited for long. Jobs that could run now: {{count}}.'),
    stopped: ok('Jobs that run when Meydan starts: {{count}}.'),
    late: warning(
      'Jobs that could run now: {{count}}. The oldest, {{job}}, has waited for {{minutes}} min.',
      'See in the log of the workers why it does not run. Add a process with ROLE=worker if they are busy.',
    ),
  },
  find: async ({ database, isServing }) => {
    const { rows } = await sql<{ count: number; job: string | null; minutes: number }>`
      select count(*)::int as count, (array_agg(identifier order by run_at))[1] as job,
        coalesce(extract(epoch from now() - min(run_at)) / 60, 0)::int as minutes
      from graphile_worker._private_jobs as jobs
      join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
      where is_available and run_at <= now()`.execute(database())
    const { count = 0, job, minutes = 0 } = rows[0] ?? {}
    if (!isServing) return { outcome: 'stopped', values: { count } }
    return minutes < LATE_MIN
      ? { outcome: 'ok', values: { count } }
      : { outcome: 'late', values: { count, job: job ?? '–', minutes } }
  },
})

const locked = check({
  name: 'locked_jobs',
  group: 'work',
  outcomes: {
    ok: ok('No worker has held a job for long.'),
    long: warning(
      'Jobs that a worker has held for more than {{limit}} min: {{count}}. The oldest, {{job}}, for {{minutes}} min.',
      'See in the log of the workers what it waits for. After a restart of the workers, it runs again.',
    ),
  },
  find: async ({ database }) => {
    const { rows } = await sql<{ count: number; job: string | null; minutes: number }>`
      select count(*)::int as count, (array_agg(identifier order by locked_at))[1] as job,
        coalesce(extract(epoch from now() - min(locked_at)) / 60, 0)::int as minutes
      from graphile_worker._private_jobs as jobs
      join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
      -- A backup takes as long as it takes, and has a record of its own.
      where locked_at < now() - make_interval(mins => ${LATE_MIN}) and identifier <> 'write-backup'`.execute(database())
    const { count = 0, job, minutes = 0 } = rows[0] ?? {}
    return count === 0
      ? { outcome: 'ok' }
      : { outcome: 'long', values: { count, job: job ?? '–', minutes, limit: LATE_MIN } }
  },
})

export const jobChecks = [waiting, locked]
