import { type RawBuilder, sql } from 'kysely'
import { limitReached } from '../errors.ts'
import type { Db, Tx } from './db/database.ts'
import { locks } from './db/locks.ts'

/** Meters that a plan limits, in display order. */
export const meters = [
  'social_accounts',
  'posts_per_month',
  'scheduled_posts_max',
  'ai_credits',
  'team_members',
  'storage_mb',
] as const
export type Meter = (typeof meters)[number]

/** Meters that count per calendar month (UTC), with a row of `usage` for each month. */
type MonthlyMeter = 'posts_per_month' | 'ai_credits'
/** Meters that count what currently exists. */
type Gauge = 'social_accounts' | 'scheduled_posts_max' | 'team_members'

/** The month of a time, as its first day in UTC. */
export const monthOf = (now: Date) => `${now.toISOString().slice(0, 7)}-01`

/** The start of the month and of the next one. */
export function boundsOf(month: string) {
  const start = new Date(`${month}T00:00:00Z`)
  return { start, end: new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)) }
}

/**
 * Options are read in the statement that uses the limit, so that a reservation never uses an outdated limit. The
 * options module is above this one, so only its table is named.
 */
const option = (key: string) => sql`(select value from option where key = ${key})`
/** Whether workspaces have plans. If not, nothing is limited and everything is included. */
const billingEnabled = sql<boolean>`coalesce(${option('billing.enabled')} = 'true'::jsonb, false)`
/** The plan of workspaces without a plan of their own. */
export const defaultPlanCode = sql<string>`coalesce(${option('billing.default_plan')} #>> '{}', 'free')`
/** The plan in force for a row of `workspace`. */
export const planCode = sql<string>`coalesce(workspace.plan_code, ${defaultPlanCode})`

/** The limit of a meter for a workspace; -1: unlimited. */
const limitOf = (workspace_id: string, meter: Meter) => sql<number>`coalesce((
  select (plan.limits ->> ${meter}::text)::int from workspace join plan on plan.code = ${planCode}
  where workspace.id = ${workspace_id} and ${billingEnabled}), -1)`

type Reservation = { workspace_id: string; meter: MonthlyMeter; amount?: number; now: Date }

/**
 * Adds `amount` to this month's usage, or throws `limit_exceeded`. One statement, so that concurrent calls never exceed
 * the limit. The row is locked until the commit, so make this the last statement of a transaction.
 * Returns the month, which `release` requires.
 */
export async function reserve(tx: Tx, reservation: Reservation): Promise<string> {
  await increment(tx, reservation)
  return monthOf(reservation.now)
}

/** Like `reserve`, and checks a gauge like `assertWithinLimit`, with one query less. */
export async function reserveBoth(tx: Tx, reservation: Reservation, meter: Gauge): Promise<string> {
  const most = await increment(tx, reservation, meter)
  if (most >= 0) await checkGauge(tx, { ...reservation, meter }, most)
  return monthOf(reservation.now)
}

/** Returns the limit of the gauge, whose lock it then holds; -1: unlimited. */
async function increment(tx: Tx, { workspace_id, meter, amount = 1, now }: Reservation, gauge?: Gauge) {
  const month = monthOf(now)
  const { rows } = await sql<{ gauge: number }>`
    with allowed as materialized (
      select ${limitOf(workspace_id, meter)} as most, ${gauge ? limitOf(workspace_id, gauge) : sql`-1`} as gauge
    ), locked as materialized (
      select ${lockOf(workspace_id, gauge ?? 'none')} from allowed where gauge >= 0
    )
    insert into usage (workspace_id, meter, period_start, used)
    select ${workspace_id}, ${meter}, ${month}::date, ${amount}::int from allowed left join locked on true
      where most = -1 or ${amount}::int <= most
    on conflict (workspace_id, meter, period_start) do update set used = usage.used + excluded.used
      where (select most = -1 or usage.used + excluded.used <= most from allowed)
    returning (select gauge from allowed) as gauge`.execute(tx)
  const [allowed] = rows
  if (!allowed) throw await exceeded(tx, { workspace_id, meter, amount, now })
  return allowed.gauge
}

/** Returns what was reserved in `month`. Also the last statement of a transaction. */
export async function release(
  tx: Tx,
  { workspace_id, meter, amount = 1, month }: Omit<Reservation, 'now'> & { month: string },
) {
  await sql`update usage set used = greatest(used - ${amount}::int, 0)
    where workspace_id = ${workspace_id} and meter = ${meter} and period_start = ${month}::date`.execute(tx)
}

/** Current count of each gauge. `onlyMembers` leaves out people with a pending invitation. */
const counts: Record<Gauge, (workspace_id: string, now: Date, onlyMembers: boolean) => RawBuilder<number>> = {
  social_accounts: (id) => sql`(select count(*)::int from account where workspace_id = ${id} and deleted_at is null)`,
  // A post that is due no longer counts, because it is being published.
  scheduled_posts_max: (id, now) => sql`(select count(*)::int from post
    where workspace_id = ${id} and status = 'scheduled' and scheduled_at > ${now} and deleted_at is null)`,
  team_members: (id, now, onlyMembers) => sql`((select count(*)::int from workspace_member where workspace_id = ${id})
    + (select count(*)::int from invitation where workspace_id = ${id} and state = 'pending' and expires_at > ${now}
      and not ${onlyMembers}::boolean))`,
}

type GaugeCheck = { workspace_id: string; meter: Gauge; now: Date; onlyMembers?: boolean }

/**
 * Throws `limit_exceeded` when the transaction has added one more than the limit allows.
 * Calls for the same gauge run one after the other and count committed rows, so call it last before a commit.
 * Removals need no check.
 */
export async function assertWithinLimit(tx: Tx, check: GaugeCheck) {
  const { workspace_id, meter } = check
  const { rows } = await sql<{ most: number }>`
    with allowed as materialized (select ${limitOf(workspace_id, meter)} as most)
    select most, ${lockOf(workspace_id, meter)}::text from allowed where most >= 0`.execute(tx)
  const [allowed] = rows
  if (allowed) await checkGauge(tx, check, allowed.most)
}

const lockOf = (workspace_id: string, meter: string) =>
  sql`pg_advisory_xact_lock(${locks.gauge}, hashtext(${`${meter} ${workspace_id}`}))`

/** A separate statement, so that it sees rows committed while it waited for the lock. */
async function checkGauge(tx: Tx, { workspace_id, meter, now, onlyMembers = false }: GaugeCheck, most: number) {
  const counted = await sql<{ used: number }>`
    select ${counts[meter](workspace_id, now, onlyMembers)} as used`.execute(tx)
  const used = counted.rows[0]?.used ?? 0
  if (used > most) throw await exceeded(tx, { workspace_id, meter, used: used - 1, amount: 1, now })
}

/** Describes in words what each meter allows and how to free some of it. */
const words: Record<Meter, { allows: (limit: number) => string; hint: (now: Date) => string }> = {
  social_accounts: {
    allows: (limit) => `${limit} connected ${limit === 1 ? 'account' : 'accounts'}`,
    hint: () => 'Disconnect one that you no longer need',
  },
  posts_per_month: {
    allows: (limit) => `${limit} ${limit === 1 ? 'post' : 'posts'} a month`,
    hint: (now) => `Wait until the next month begins (${nextMonth(now)})`,
  },
  scheduled_posts_max: {
    allows: (limit) => `${limit} scheduled ${limit === 1 ? 'post' : 'posts'} at a time`,
    hint: () => 'Wait until one is published, or make one a draft',
  },
  ai_credits: {
    allows: (limit) => `${limit} AI ${limit === 1 ? 'credit' : 'credits'} a month`,
    hint: (now) => `Wait until the next month begins (${nextMonth(now)})`,
  },
  team_members: {
    allows: (limit) => `${limit} ${limit === 1 ? 'member' : 'members'}, including pending invitations`,
    hint: () => 'Remove a member or revoke an invitation',
  },
  storage_mb: { allows: (limit) => `${limit} MB of files`, hint: () => 'Delete files that you no longer need' },
}

const nextMonth = (now: Date) => boundsOf(monthOf(now)).end.toISOString().slice(0, 10)

type Excess = { workspace_id: string; meter: Meter; amount: number; now: Date; used?: number }

/** The problem of a reservation over the limit. It names the first plan on offer that would allow it. */
async function exceeded(tx: Tx, { workspace_id, meter, amount, now, used: counted }: Excess) {
  const { rows } = await sql<{
    name: string
    most: number
    used: number
    upgrade: string | null
    upgrade_name: string | null
  }>`
    select plan.name, own.most, current.used, upgrade.code as upgrade, upgrade.name as upgrade_name
    from workspace
    join plan on plan.code = ${planCode}
    cross join lateral (select (plan.limits ->> ${meter}::text)::int as most) own
    cross join lateral (select coalesce(${counted ?? null}::int, (
      select usage.used from usage where usage.workspace_id = workspace.id and meter = ${meter}
        and period_start = ${monthOf(now)}::date), 0) as used) current
    left join lateral (
      select offer.code, offer.name from plan offer
      cross join lateral (select (offer.limits ->> ${meter}::text)::int as most) its
      where offer.is_public and offer.is_active
        and (its.most = -1 or (its.most > own.most and its.most >= current.used + ${amount}::int))
      order by offer.position, offer.code limit 1
    ) upgrade on true
    where workspace.id = ${workspace_id}`.execute(tx)
  const [row] = rows
  // The plan changed between the two statements, so the client may retry this call.
  if (!row) return limitReached({ meter, limit: 0, used: counted ?? 0, upgrade_plan: null }, 'Try again.')
  const { name, most, used, upgrade, upgrade_name } = row
  const { allows, hint } = words[meter]
  const there = meter === 'posts_per_month' || meter === 'ai_credits' ? `${used} were used` : `there are ${used}`
  const wanted = amount > 1 ? `, and this request needs ${amount}` : ''
  const help =
    upgrade_name === null ? `${hint(now)}.` : `${hint(now)}, or switch to the plan ${upgrade_name}, which allows more.`
  return limitReached(
    { meter, limit: most, used, upgrade_plan: upgrade },
    `The plan ${name} allows ${allows(most)}; ${there}${wanted}. ${help}`,
  )
}

export type PlanInForce = { billing_enabled: boolean; code: string | null; name: string | null; entitlements: string[] }

/** The plan in force for a workspace. */
export async function readPlanInForce(db: Db, workspace_id: string): Promise<PlanInForce> {
  const { rows } = await sql<PlanInForce>`
    select ${billingEnabled} as billing_enabled, plan.code, plan.name, coalesce(plan.entitlements, '{}') as entitlements
    from workspace left join plan on plan.code = ${planCode} where workspace.id = ${workspace_id}`.execute(db)
  return rows[0] ?? { billing_enabled: true, code: null, name: null, entitlements: [] }
}

/** Usage and limit of each meter of a workspace. */
export async function readMeters(db: Db, workspace_id: string, now: Date) {
  const used = (meter: Meter) => {
    if (meter === 'storage_mb') return sql<number>`0`
    if (meter === 'posts_per_month' || meter === 'ai_credits')
      return sql<number>`coalesce((select used from usage where workspace_id = ${workspace_id} and meter = ${meter}
        and period_start = ${monthOf(now)}::date), 0)`
    return counts[meter](workspace_id, now, false)
  }
  const one = (meter: Meter) =>
    sql`select ${meter}::text as meter, ${used(meter)} as used, ${limitOf(workspace_id, meter)} as "limit"`
  const { rows } = await sql<{ meter: Meter; used: number; limit: number }>`
    ${sql.join(meters.map(one), sql` union all `)}`.execute(db)
  return meters.flatMap((meter) => rows.find((row) => row.meter === meter) ?? [])
}
