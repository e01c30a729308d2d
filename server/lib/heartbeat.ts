import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { WorkerEvents } from 'graphile-worker'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { clockFault } from './clock.ts'
import type { Db } from './database.ts'

const BEAT_MS = 5000
/** A node that was not seen for this long is dead, and its jobs are free. */
const SILENCE_S = 30

/**
 * graphile-worker frees the jobs of a killed worker after four hours. So each node says that it lives, and which
 * workers it runs; jobs locked by anybody else are freed.
 */
export async function startHeartbeat(db: Db, { alone, log }: { alone: boolean; log: Logger }) {
  const node = randomUUID()
  const workers = new Set<string>()
  const events: WorkerEvents = new EventEmitter()
  // Jobs are locked in the name of the pool, or of a single worker where there is none.
  events.on('pool:create', ({ workerPool }) => workers.add(workerPool.id))
  events.on('worker:create', ({ worker }) => workers.add(worker.workerId))

  const beat = () =>
    sql`insert into worker_node (id, worker_ids) values (${node}::uuid, ${[...workers]}::text[])
      on conflict (id) do update set worker_ids = excluded.worker_ids, seen_at = now()`.execute(db)

  async function freeJobsOfTheDead(silence: number) {
    await sql`delete from worker_node where id <> ${node}::uuid and seen_at < now() - make_interval(secs => ${silence})`.execute(
      db,
    )
    // Locks are older than the silence too: a worker that has just been made may not have said so yet.
    const { rows } = await sql<{ locked_by: string }>`
      select distinct locked_by from graphile_worker.jobs
      where locked_at < now() - make_interval(secs => ${silence})
        and locked_by not in (select unnest(worker_ids) from worker_node)`.execute(db)
    if (rows.length === 0) return
    const dead = rows.map((row) => row.locked_by)
    await sql`select graphile_worker.force_unlock_workers(${dead}::text[])`.execute(db)
    log.warn({ workers: dead.length }, 'freed the jobs of workers that are gone')
  }

  let inTime = true
  async function compareClocks() {
    const ahead_ms = await clockFault(db)
    if (inTime && ahead_ms !== 0)
      log.error(
        { ahead_ms },
        'the clock of this machine is wrong, by PostgreSQL: it sends no webhooks until it is right',
      )
    if (!inTime && ahead_ms === 0) log.info('the clock of this machine is right again')
    inTime = ahead_ms === 0
  }

  await compareClocks()
  await beat()
  await freeJobsOfTheDead(alone ? 0 : SILENCE_S)

  const timer = setInterval(() => {
    compareClocks()
      .then(beat)
      .then(() => freeJobsOfTheDead(SILENCE_S))
      .catch((err) => log.warn({ err }, 'the heartbeat of this node failed'))
  }, BEAT_MS)

  return {
    /** To be handed to graphile-worker, which tells its workers' names here. */
    events,
    /** Whether the clock of this machine agrees with PostgreSQL's: leases are told by it. */
    isInTime: () => inTime,
    stop: async () => {
      clearInterval(timer)
      await sql`delete from worker_node where id = ${node}::uuid`.execute(db).catch(() => undefined)
    },
  }
}
