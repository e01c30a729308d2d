import { sql } from 'kysely'
import type { Db, Tx } from '../../lib/db/database.ts'
import type { Gauge, Meter, MeterName } from './meter.ts'
import { limitOf } from './plan-in-force.ts'

const isGauge = (meter: Meter): meter is Gauge => meter.kind === 'gauge'

/**
 * Notes what exceeds its limit, with the time at which that was first seen, and forgets what no longer does. Of one
 * workspace when its plan changes; of all now and then, because limits and options change too.
 */
export async function updateExcess(tx: Tx, meters: Meter[], now: Date, workspace_id?: string) {
  const id = sql<string>`candidate.id`
  const counted = meters
    .filter(isGauge)
    .map(
      (gauge) =>
        sql`select ${gauge.meter}::text as meter, ${gauge.count(id, now)} as used, ${limitOf(id, gauge.meter)} as most`,
    )
  const candidates = workspace_id
    ? sql`select id from workspace where id = ${workspace_id}`
    : sql`select id from workspace`
  await sql`
    with excess as materialized (
      select candidate.id as workspace_id, counted.meter
      from (${candidates}) candidate cross join lateral (${sql.join(counted, sql` union all `)}) counted
      where counted.most >= 0 and counted.used > counted.most
    ), ended as (
      delete from limit_excess known
      where ${workspace_id ? sql`known.workspace_id = ${workspace_id}` : sql`true`} and not exists (
        select from excess where excess.workspace_id = known.workspace_id and excess.meter = known.meter)
    )
    insert into limit_excess (workspace_id, meter, since)
    select workspace_id, meter, ${now} from excess on conflict do nothing`.execute(tx)
}

/** Workspaces that have exceeded the limit of a gauge since before `since`. */
export const findExcessBefore = async (db: Db, meter: MeterName, since: Date) =>
  (
    await db
      .selectFrom('limit_excess')
      .select('workspace_id')
      .where('meter', '=', meter)
      .where('since', '<=', since)
      .execute()
  ).map(({ workspace_id }) => workspace_id)
