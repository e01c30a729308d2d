import { sql } from 'kysely'
import { type Reading, secondsSince } from './installation-metrics.ts'

/** Jobs that could run now, by name. Jobs of a locked queue, such as that of a busy account, count as well. */
export const jobBacklog: Reading = {
  query: sql`
    select tasks.identifier as job, count(*) as jobs_ready, ${secondsSince(sql`min(run_at)`)} as jobs_oldest_seconds
    from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
    where is_available and run_at <= now() group by 1`,
  labels: ['job'],
  gauges: {
    jobs_ready: 'Jobs that could run now, by name.',
    jobs_oldest_seconds: 'Time for which the oldest job that could run has waited, by name.',
  },
}

export const jobQueueLocks: Reading = {
  query: sql`
    select count(*) as job_queues_locked, ${secondsSince(sql`min(locked_at)`)} as job_queues_oldest_lock_seconds
    from graphile_worker._private_job_queues where locked_at is not null`,
  gauges: {
    job_queues_locked: 'Queues of jobs that a worker holds, such as those of accounts.',
    job_queues_oldest_lock_seconds: 'Age of the oldest lock of a queue of jobs.',
  },
}

export const workerNodes: Reading = {
  query: sql`
    select count(*) as worker_nodes, ${secondsSince(sql`max(seen_at)`)} as worker_nodes_last_seen_seconds
    from worker_node where seen_at > now() - interval '1 minute'`,
  gauges: {
    worker_nodes: 'Processes that ran jobs in the last minute.',
    worker_nodes_last_seen_seconds: 'Time since the last sign of life of a process that runs jobs.',
  },
}
