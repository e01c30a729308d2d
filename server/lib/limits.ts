import { type RawBuilder, sql } from 'kysely'
import { limitReached } from '../errors.ts'
import type { Db, Tx } from './database.ts'
import { locks } from './locks.ts'

/** What a plan limits, in the order in which it is shown. */
export const meters = [
  'social_accounts',
  'posts_per_month',
  'scheduled_posts_max',
  'ai_credits',
  'team_members',
  'storage_mb',
] as const
export type Meter = (typeof meters)[number]

/** Counted up over a calendar month (UTC), in a row of `usage` for each. */
export type MonthlyMeter = 'posts_per_month' | 'ai_credits'
/** Counted where it is: what exists now. */
export type StandingMeter = 'social_accounts' | 'scheduled_posts_max' | 'team_members'

export const UNLIMITED = -1

/** The month of a time, as its first day in UTC. */
export const monthOf = (now: Date) => `${now.toISOString().slice(0, 7)}-01`

/** When the month begins and when the next one does. */
export function boundsOf(month: string) {
  const start = new Date(`${month}T00:00:00Z`)
  return { start, end: new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)) }
}

/**
 * The options are read where the limit is used, so that none is reserved under one that was changed a moment ago. They
 * belong to a module above this, so only their table is named.
 */
const option = (key: string) => sql`(select value from option where key = ${key})`
/** Whether workspaces live by plans. If not, nothing is limited and everything included. */
export const billingEnabled = sql<boolean>`coalesce(${option('billing.enabled')} = 'true'::jsonb, false)`
/** The plan of workspaces that have none of their own. */
export const defaultPlanCode = sql<string>`coalesce(${option('billing.default_plan')} #>> '{}', 'free')`
/** The plan that counts for a row of `workspace`. */
export const planCode = sql<string>`coalesce(workspace.plan_code, ${defaultPlanCode})`

/** How many a workspace may have of a meter; -1: as many as it likes. */
const limitOf = (workspace_id: string, meter: Meter) => sql<number>`coalesce((
  select (plan.limits ->> ${meter}::text)::int from workspace join plan on plan.code = ${planCode}
  where workspace.id = ${workspace_id} and ${billingEnabled}), -1)`

type Reservation = { workspace_id: string; meter: MonthlyMeter; amount?: number; now: Date }

/**
 * Counts `amount` up in this month, or throws `limit_exceeded`: one statement, so that of any number at a time never one
 * too many comes through. The row is locked until the commit, so this is the last thing that a transaction does. Answers
 * the month, which `giveBack` asks for.
 */
export async function reserve(tx: Tx, reservation: Reservation): Promise<string> {
  await countUp(tx, reservation)
  return monthOf(reservation.now)
}

/** The same for what takes one of the places of a standing meter as well: as `checkStanding`, in one question less. */
export async function reserveWithPlace(tx: Tx, reservation: Reservation, meter: StandingMeter): Promise<string> {
  const most = await countUp(tx, reservation, meter)
  if (most >= 0) await countStanding(tx, { ...reservation, meter }, most)
  return monthOf(reservation.now)
}

/** Answers how many there may be of the standing meter, whose lock is then held; -1: as many as one likes. */
async function countUp(tx: Tx, { workspace_id, meter, amount = 1, now }: Reservation, standing?: StandingMeter) {
  const month = monthOf(now)
  const { rows } = await sql<{ standing: number }>`
    with allowed as materialized (
      select ${limitOf(workspace_id, meter)} as most, ${standing ? limitOf(workspace_id, standing) : sql`-1`} as standing
    ), locked as materialized (
      select ${lockOf(workspace_id, standing ?? 'none')} from allowed where standing >= 0
    )
    insert into usage (workspace_id, meter, period_start, used)
    select ${workspace_id}, ${meter}, ${month}::date, ${amount}::int from allowed left join locked on true
      where most = -1 or ${amount}::int <= most
    on conflict (workspace_id, meter, period_start) do update set used = usage.used + excluded.used
      where (select most = -1 or usage.used + excluded.used <= most from allowed)
    returning (select standing from allowed) as standing`.execute(tx)
  const [allowed] = rows
  if (!allowed) throw await exceeded(tx, { workspace_id, meter, amount, now })
  return allowed.standing
}

/** Takes back what was reserved in `month`. Also the last thing that a transaction does. */
export async function giveBack(
  tx: Tx,
  { workspace_id, meter, amount = 1, month }: Omit<Reservation, 'now'> & { month: string },
) {
  await sql`update usage set used = greatest(used - ${amount}::int, 0)
    where workspace_id = ${workspace_id} and meter = ${meter} and period_start = ${month}::date`.execute(tx)
}

/** What there is now of a meter. With `onlyMembers` nobody counts who was invited and has not come yet. */
const counts: Record<StandingMeter, (workspace_id: string, now: Date, onlyMembers: boolean) => RawBuilder<number>> = {
  social_accounts: (id) => sql`(select count(*)::int from account where workspace_id = ${id} and deleted_at is null)`,
  // One that is due is on its way out, and its place is free.
  scheduled_posts_max: (id, now) => sql`(select count(*)::int from post
    where workspace_id = ${id} and status = 'scheduled' and scheduled_at > ${now} and deleted_at is null)`,
  team_members: (id, now, onlyMembers) => sql`((select count(*)::int from workspace_member where workspace_id = ${id})
    + (select count(*)::int from invitation where workspace_id = ${id} and state = 'pending' and expires_at > ${now}
      and not ${onlyMembers}::boolean))`,
}

type Standing = { workspace_id: string; meter: StandingMeter; now: Date; onlyMembers?: boolean }

/**
 * Throws `limit_exceeded` when the transaction, which has added one of something, has made more of it than there may be.
 * Whoever adds waits here for each other, and counts what the one before has committed: the last thing before a commit.
 * What takes away need not come here.
 */
export async function checkStanding(tx: Tx, standing: Standing) {
  const { workspace_id, meter } = standing
  const { rows } = await sql<{ most: number }>`
    with allowed as materialized (select ${limitOf(workspace_id, meter)} as most)
    select most, ${lockOf(workspace_id, meter)}::text from allowed where most >= 0`.execute(tx)
  const [allowed] = rows
  if (allowed) await countStanding(tx, standing, allowed.most)
}

const lockOf = (workspace_id: string, meter: string) =>
  sql`pg_advisory_xact_lock(${locks.standing}, hashtext(${`${meter} ${workspace_id}`}))`

/** A statement of its own: it sees what was committed while the lock was awaited. */
async function countStanding(tx: Tx, { workspace_id, meter, now, onlyMembers = false }: Standing, most: number) {
  const counted = await sql<{ used: number }>`
    select ${counts[meter](workspace_id, now, onlyMembers)} as used`.execute(tx)
  const used = counted.rows[0]?.used ?? 0
  if (used > most) throw await exceeded(tx, { workspace_id, meter, used: used - 1, amount: 1, now })
}

/** What a meter counts, and what makes room, in words. */
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
    allows: (limit) => `${limit} ${limit === 1 ? 'member' : 'members'}, those invited included`,
    hint: () => 'Remove a member or revoke an invitation',
  },
  storage_mb: { allows: (limit) => `${limit} MB of files`, hint: () => 'Delete files that you no longer need' },
}

const nextMonth = (now: Date) => boundsOf(monthOf(now)).end.toISOString().slice(0, 10)

type Excess = { workspace_id: string; meter: Meter; amount: number; now: Date; used?: number }

/** The problem of a reservation that did not fit. It names the first plan on offer that it would fit in. */
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
  // The plan was changed between the two statements, so that this call may be made again.
  if (!row) return limitReached({ meter, limit: 0, used: counted ?? 0, upgrade_plan: null }, 'Try again.')
  const { name, most, used, upgrade, upgrade_name } = row
  const { allows, hint } = words[meter]
  const there = meter === 'posts_per_month' || meter === 'ai_credits' ? `${used} were used` : `there are ${used}`
  const wanted = amount > 1 ? `, and this takes ${amount}` : ''
  const help =
    upgrade_name === null ? `${hint(now)}.` : `${hint(now)}, or change to the plan ${upgrade_name}, which allows more.`
  return limitReached(
    { meter, limit: most, used, upgrade_plan: upgrade },
    `The plan ${name} allows ${allows(most)}; ${there}${wanted}. ${help}`,
  )
}

export type PlanInForce = { billing_enabled: boolean; code: string | null; name: string | null; entitlements: string[] }

/** The plan that a workspace lives by. */
export async function readPlanInForce(db: Db, workspace_id: string): Promise<PlanInForce> {
  const { rows } = await sql<PlanInForce>`
    select ${billingEnabled} as billing_enabled, plan.code, plan.name, coalesce(plan.entitlements, '{}') as entitlements
    from workspace left join plan on plan.code = ${planCode} where workspace.id = ${workspace_id}`.execute(db)
  return rows[0] ?? { billing_enabled: true, code: null, name: null, entitlements: [] }
}

/** What a workspace has used of each meter, and how many it may have. */
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
