import { sql } from 'kysely'
import type { Db } from '../../lib/db/database.ts'
import type { Deps } from '../../lib/deps.ts'
import type { Member } from '../../lib/http/access.ts'
import type { Meter, MeterName } from './meter.ts'
import { boundsOf, monthOf } from './month.ts'
import { limitOf, readPlanInForce } from './plan-in-force.ts'

export async function readUsage({ db, clock }: Deps, meters: Meter[], { workspace_id }: Member) {
  const now = clock.now()
  const { start, end } = boundsOf(monthOf(now))
  const [{ billing_enabled, code, name }, subscription] = await Promise.all([
    readPlanInForce(db, workspace_id),
    readLastSubscription(db, workspace_id),
  ])
  return {
    plan: billing_enabled && code !== null && name !== null ? { code, name } : null,
    subscription_status: subscription?.status ?? null,
    billing_enabled,
    period_start: start,
    period_end: end,
    meters: await readMeters(db, meters, workspace_id, now),
  }
}

const readLastSubscription = (db: Db, workspace_id: string) =>
  db
    .selectFrom('subscription')
    .select('status')
    .where('workspace_id', '=', workspace_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Usage and limit of each meter, in the order of `meters`. */
async function readMeters(db: Db, meters: Meter[], workspace_id: string, now: Date) {
  const used = (meter: Meter) =>
    meter.kind === 'gauge'
      ? meter.count(workspace_id, now)
      : sql<number>`coalesce((select used from usage where workspace_id = ${workspace_id} and meter = ${meter.meter}
        and period_start = ${monthOf(now)}::date), 0)`
  const one = (meter: Meter) =>
    sql`select ${meter.meter}::text as meter, ${used(meter)} as used, ${limitOf(workspace_id, meter.meter)} as "limit"`
  const { rows } = await sql<{ meter: MeterName; used: number; limit: number; since: Date | null }>`
    select counted.*, excess.since from (${sql.join(meters.map(one), sql` union all `)}) counted
    left join limit_excess excess on excess.workspace_id = ${workspace_id} and excess.meter = counted.meter`.execute(db)
  return meters.flatMap(({ meter }) => {
    const row = rows.find((found) => found.meter === meter)
    if (!row) return []
    const { since, ...counted } = row
    return [{ ...counted, over_since: row.limit >= 0 && row.used > row.limit ? since : null }]
  })
}
