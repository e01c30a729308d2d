import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'

/** Time after which nobody asks about an outage any more. */
const KEPT_DAYS = 90

/** Divides in SQL, because the number may be a placeholder of a prepared query. */
const interval = (ms: number) => sql`make_interval(secs => ${ms}::float8 / 1000)`

/**
 * Records that a node lives and does jobs, and the outage before it if no node did for longer than `silence`. The clock
 * of PostgreSQL is that of all nodes: what it recorded while it was ahead is forgotten once it is right again.
 */
export const recordActivity = (db: Db, silence: number) =>
  sql`
    with ahead as (
      delete from worker_outage where ended_at > now() + interval '2 minutes'
    ), activity as (
      insert into worker_activity default values
      on conflict (id) do update set seen_at = case
        when worker_activity.seen_at > now() + interval '2 minutes' then now()
        else greatest(worker_activity.seen_at, now()) end
      returning old.seen_at as before
    )
    insert into worker_outage (began_at, ended_at)
    select before, now() from activity where before < now() - ${interval(silence)}`.execute(db)

/** Excuses the time until now: a person has decided what becomes of the work that waited meanwhile. */
export const excuseOutage = (tx: Tx) => sql`update worker_activity set seen_at = now()`.execute(tx)

export const deleteOldOutages = (db: Db) =>
  sql`delete from worker_outage where ended_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db)

/** The longest outage that holds no post, and the silence after which no node lives. */
export type OutageLimit = { outage_ms: number; silence_ms: number }

/**
 * Whether no node has done jobs for longer than allowed since a time. The present outage counts too: the first job of a
 * process that was frozen can come before its heartbeat.
 */
export const wasDown = (since: ReturnType<typeof sql>, { outage_ms, silence_ms }: OutageLimit) =>
  sql<boolean>`((
    select coalesce(sum(ended_at - greatest(began_at, ${since})), interval '0')
    from (
      select began_at, ended_at from worker_outage
      union all
      select seen_at, now() from worker_activity where seen_at < now() - ${interval(silence_ms)}
    ) as outage
    where ended_at > ${since}
  ) > ${interval(outage_ms)})`
