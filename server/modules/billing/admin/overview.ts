import { sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import type { Db } from '../../../lib/db/database.ts'
import { toMajor } from '../../../lib/money.ts'
import { listFailedEnds } from '../processes/failed-cancellations.ts'
import { REPAIRED } from '../processes/sync-subscription.ts'
import type { Currency } from '../providers/provider.ts'
import type { Status } from '../records/transitions.ts'

type Sum = { currency: Currency; sum: string }
type Repaired = {
  at: Date
  subscription_id: string
  workspace_name: string | null
  status_before: Status
  status: Status
}
type Month = { month: string; started: number; ended: number; live_at_start: number }

const perCurrency = (rows: readonly Sum[]) => {
  const of = (currency: Currency) => toMajor(rows.find((row) => row.currency === currency)?.sum ?? '0')
  return { TRY: of('TRY'), USD: of('USD') }
}

/** Figures about all subscriptions, for instance admins. */
export async function readOverview(db: Db, now: Date) {
  const sums = (query: ReturnType<typeof sql<Sum>>) => query.execute(db).then(({ rows }) => perCurrency(rows))
  const recurring = await sums(sql<Sum>`
    select billing_currency as currency, sum(case billing_period when 'yearly' then amount / 12 else amount end) as sum
    from subscription where status in ('active', 'past_due') group by 1`)
  const unpaid = await sums(sql<Sum>`
    select billing_currency as currency, sum(amount) as sum from subscription where status = 'past_due' group by 1`)
  const { rows: live } = await sql<{ plan_code: string; status: Status; count: number }>`
    select plan_code, status, count(*)::int as count from subscription
    where status in ('trialing', 'active', 'past_due') group by 1, 2 order by 1, 2`.execute(db)
  const { rows: months } = await sql<Month>`
    select to_char(month, 'YYYY-MM') as month,
      (select count(*)::int from subscription s where s.created_at >= month and s.created_at < month + interval '1 month') as started,
      (select count(*)::int from subscription s where s.ended_at >= month and s.ended_at < month + interval '1 month') as ended,
      (select count(*)::int from subscription s where s.created_at < month and coalesce(s.ended_at, 'infinity') >= month) as live_at_start
    from generate_series(date_trunc('month', ${now}::timestamptz at time zone 'UTC') - interval '11 months',
      date_trunc('month', ${now}::timestamptz at time zone 'UTC'), interval '1 month') as month order by month`.execute(
    db,
  )
  const recurringByMonth = await recurringRevenueByMonth(db, now)
  const received = await receivedByMonth(db, months[0]?.month ?? '')
  const { rows: counts } = await sql<{ unapplied: number; pending: number }>`
    select (select count(*)::int from payment where use = 'unapplied' and not exists (
        select from refund where refund.payment_id = payment.id and refund.status <> 'failed')) as unapplied,
      (select count(*)::int from payment_request where status = 'pending') as pending`.execute(db)
  return {
    monthly_recurring_revenue: recurring,
    unpaid,
    live,
    months: months.map((month) => ({
      ...month,
      recurring: perCurrency(recurringByMonth.filter((row) => row.month === month.month)),
      received: perCurrency(received.filter((row) => row.month === month.month)),
    })),
    unapplied_payments: counts[0]?.unapplied ?? 0,
    pending_payment_requests: counts[0]?.pending ?? 0,
    failed_ends: await listFailedEnds(db),
    repaired: await listRepaired(db),
    open_refunds: await listOpenRefunds(db, now),
  }
}

const FAILED_SHOWN_MS = 30 * DAY

/** Refunds and disputes that an instance admin may have to act on. */
async function listOpenRefunds(db: Db, now: Date) {
  const rows = await db
    .selectFrom('refund')
    .innerJoin('payment', 'payment.id', 'refund.payment_id')
    .leftJoin('workspace', 'workspace.id', 'payment.workspace_id')
    .leftJoin('invoice', (join) =>
      join.onRef('invoice.payment_id', '=', 'payment.id').on('invoice.kind', '=', 'invoice'),
    )
    .selectAll('refund')
    .select(['payment.currency', 'payment.workspace_id', 'workspace.name as workspace_name'])
    .select(['invoice.id as invoice_id', 'invoice.number as invoice_number'])
    .where((where) =>
      where.or([
        where('refund.status', '=', 'pending'),
        where.and([
          where('refund.status', '=', 'failed'),
          where('refund.is_dispute', '=', false),
          where('refund.settled_at', '>', new Date(now.getTime() - FAILED_SHOWN_MS)),
        ]),
      ]),
    )
    .orderBy('refund.id', 'desc')
    .limit(100)
    .execute()
  return rows.map((row) => ({ ...row, amount: toMajor(row.amount) }))
}

/** Sums the subscriptions that were in force and out of their trial when each month ended. The present month ends now. */
async function recurringRevenueByMonth(db: Db, now: Date) {
  const { rows } = await sql<Sum & { month: string }>`
    select to_char(month, 'YYYY-MM') as month, billing_currency as currency,
      sum(case billing_period when 'yearly' then amount / 12 else amount end) as sum
    from generate_series(date_trunc('month', ${now}::timestamptz at time zone 'UTC') - interval '11 months',
      date_trunc('month', ${now}::timestamptz at time zone 'UTC'), interval '1 month') as month
    cross join lateral (select least(month + interval '1 month', ${now}::timestamptz at time zone 'UTC') at time zone 'UTC' as end) as of
    join subscription on created_at <= of.end and coalesce(ended_at, 'infinity') > of.end
      and status <> 'trialing' and coalesce(trial_end, '-infinity') <= of.end
    group by 1, 2`.execute(db)
  return rows
}

/** The last differences that the nightly comparison with the providers found and mended. */
async function listRepaired(db: Db) {
  const { rows } = await sql<Repaired>`
    select entry.at, entry.target_id as subscription_id, workspace.name as workspace_name,
      entry.details->'before'->>'status' as status_before, entry.details->'after'->>'status' as status
    from audit_entry entry
    left join subscription on subscription.id::text = entry.target_id
    left join workspace on workspace.id = subscription.workspace_id
    where entry.workspace_id is null and entry.action = ${REPAIRED}
    order by entry.id desc limit 10`.execute(db)
  return rows
}

async function receivedByMonth(db: Db, first: string) {
  const { rows } = await sql<Sum & { month: string }>`
    select to_char(at at time zone 'UTC', 'YYYY-MM') as month, currency, sum(amount) as sum from (
      select paid_at as at, currency, amount from payment
      union all
      select settled_at, currency, -refund.amount from refund join payment on payment.id = refund.payment_id
      where refund.status = 'succeeded'
    ) as movement
    where at >= to_date(${first}, 'YYYY-MM') group by 1, 2`.execute(db)
  return rows
}
