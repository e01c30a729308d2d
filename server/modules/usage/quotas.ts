import { sql } from 'kysely'
import { limitReached } from '../../errors.ts'
import type { Tx } from '../../lib/db/database.ts'
import { locks } from '../../lib/db/locks.ts'
import type { Gauge, Meter, MeterName, MonthlyMeter } from './meter.ts'
import { boundsOf, monthOf } from './month.ts'
import { limitOf, planCode } from './plan-in-force.ts'

type Reservation = { workspace_id: string; amount?: number; now: Date }

/**
 * Adds `amount` to this month's usage, or throws `limit_exceeded`. One statement, so that concurrent calls never exceed
 * the limit. The row is locked until the commit, so make this the last statement of a transaction.
 * Returns the month, which `release` requires.
 */
export async function reserve(tx: Tx, meter: MonthlyMeter, reservation: Reservation): Promise<string> {
  await increment(tx, meter, reservation)
  return monthOf(reservation.now)
}

/** Like `reserve`, and checks a gauge like `assertWithinLimit`, with one query less. */
export async function reserveBoth(
  tx: Tx,
  meter: MonthlyMeter,
  gauge: Gauge,
  reservation: Reservation,
): Promise<string> {
  const most = await increment(tx, meter, reservation, gauge)
  if (most >= 0) await checkGauge(tx, gauge, reservation, most)
  return monthOf(reservation.now)
}

/** Returns the limit of the gauge, whose lock it then holds; -1: unlimited. */
async function increment(tx: Tx, monthly: MonthlyMeter, { workspace_id, amount = 1, now }: Reservation, gauge?: Gauge) {
  const { meter } = monthly
  const month = monthOf(now)
  const { rows } = await sql<{ gauge: number }>`
    with allowed as materialized (
      select ${limitOf(workspace_id, meter)} as most, ${gauge ? limitOf(workspace_id, gauge.meter) : sql`-1`} as gauge
    ), locked as materialized (
      select ${lockOf(workspace_id, gauge?.meter ?? 'none')} from allowed where gauge >= 0
    )
    insert into usage (workspace_id, meter, period_start, used)
    select ${workspace_id}, ${meter}, ${month}::date, ${amount}::int from allowed left join locked on true
      where most = -1 or ${amount}::int <= most
    on conflict (workspace_id, meter, period_start) do update set used = usage.used + excluded.used
      where (select most = -1 or usage.used + excluded.used <= most from allowed)
    returning (select gauge from allowed) as gauge`.execute(tx)
  const [allowed] = rows
  if (!allowed) throw await exceeded(tx, monthly, { workspace_id, amount, now })
  return allowed.gauge
}

/** Returns what was reserved in `month`. Also the last statement of a transaction. */
export async function release(
  tx: Tx,
  { meter }: MonthlyMeter,
  { workspace_id, amount = 1, month }: Omit<Reservation, 'now'> & { month: string },
) {
  await sql`update usage set used = greatest(used - ${amount}::int, 0)
    where workspace_id = ${workspace_id} and meter = ${meter} and period_start = ${month}::date`.execute(tx)
}

/** `amount`: how much the transaction has added, 1 by default. */
type GaugeCheck = { workspace_id: string; amount?: number; now: Date }

/**
 * Throws `limit_exceeded` when the transaction has added more than the limit allows.
 * Calls for the same gauge run one after the other and count committed rows, so call it last before a commit.
 * Removals need no check.
 */
export async function assertWithinLimit(tx: Tx, gauge: Gauge, check: GaugeCheck) {
  const { workspace_id } = check
  const { rows } = await sql<{ most: number }>`
    with allowed as materialized (select ${limitOf(workspace_id, gauge.meter)} as most)
    select most, ${lockOf(workspace_id, gauge.meter)}::text from allowed where most >= 0`.execute(tx)
  const [allowed] = rows
  if (allowed) await checkGauge(tx, gauge, check, allowed.most)
}

/** Holds back checks of a gauge until the commit. */
export const lockGauge = (tx: Tx, { meter }: Gauge, workspace_id: string) =>
  sql`select ${lockOf(workspace_id, meter)}`.execute(tx)

const lockOf = (workspace_id: string, meter: MeterName | 'none') =>
  sql`pg_advisory_xact_lock(${locks.gauge}, hashtext(${`${meter} ${workspace_id}`}))`

/** A separate statement, so that it sees rows committed while it waited for the lock. */
async function checkGauge(tx: Tx, gauge: Gauge, { workspace_id, amount = 1, now }: GaugeCheck, most: number) {
  const counted = await sql<{ used: number }>`select ${gauge.count(workspace_id, now)} as used`.execute(tx)
  const used = counted.rows[0]?.used ?? 0
  if (used > most) throw await exceeded(tx, gauge, { workspace_id, used: Math.max(0, used - amount), amount, now })
}

type Excess = { workspace_id: string; amount: number; now: Date; used?: number }

/** The problem of a reservation over the limit. It names the first plan on offer that would allow it. */
async function exceeded(tx: Tx, exhausted: Meter, { workspace_id, amount, now, used: counted }: Excess) {
  const { meter, kind, allows } = exhausted
  const month = monthOf(now)
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
        and period_start = ${month}::date), 0) as used) current
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
  const there = kind === 'monthly' ? `${used} were used` : `there are ${used}`
  const wanted = amount > 1 ? `, and this request needs ${amount}` : ''
  const nextMonth = boundsOf(month).end.toISOString().slice(0, 10)
  const hint = kind === 'monthly' ? `Wait until the next month begins (${nextMonth})` : exhausted.hint
  const help = upgrade_name === null ? `${hint}.` : `${hint}, or switch to the plan ${upgrade_name}, which allows more.`
  return limitReached(
    { meter, limit: most, used, upgrade_plan: upgrade },
    `The plan ${name} allows ${allows(most)}; ${there}${wanted}. ${help}`,
  )
}
