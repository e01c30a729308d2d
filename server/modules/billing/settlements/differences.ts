import { sql } from 'kysely'
import type { Db } from '../../../lib/db/database.ts'
import type { ProviderName } from '../providers/provider.ts'
import { isNotBooked } from './book-lines.ts'

/** Differences between Meydan and what providers report, by what is to be done about them. */
export const differenceCodes = [
  'payment_not_settled',
  'settlement_unknown',
  'settlement_differs',
  'fee_missing',
  'settlement_suspense',
  'balance_differs',
  'currency_not_booked',
] as const
export type DifferenceCode = (typeof differenceCodes)[number]

export type Difference = {
  provider: ProviderName
  code: DifferenceCode
  /** Id of the payment, of the movement, or the currency of the balance. */
  subject: string
  currency: string
  /** Minor units by which Meydan has more than the provider. */
  amount: string
  /** Minor units by Meydan and by the provider. */
  here: string
  there: string
  payment_id: string | null
  occurred_at: Date
}

/** Time after which a movement must have its payment here, and the other way around. */
const GRACE = '1 day'

/**
 * All differences that nobody explained, the newest first, or `only` those of one subject. What was booked for a
 * difference counts as a part of it, so that it is gone, and is back if more follows.
 */
export async function listDifferences(
  db: Db,
  { now, limit, only }: { now: Date; limit: number; only?: Pick<Difference, 'provider' | 'subject'> },
): Promise<Difference[]> {
  // Stands in each part, so that one subject is found by indexes and not among all payments.
  const isOf = (provider: string, subject: string) =>
    only
      ? sql`${sql.ref(provider)} = ${only.provider}::billing_provider and ${sql.ref(subject)} = ${only.subject}`
      : sql`true`
  const { rows } = await sql<Difference>`
    with booked as (
      select provider, subject, currency, source, amount from settlement_remedy
      where source is not null and ${isOf('provider', 'subject')}
    ), booked_of_payment as (
      select provider, subject, currency, sum(amount) as amount from booked where source = 'provider_clearing'
      group by provider, subject, currency
    ), coverage as (
      select provider, '-infinity'::timestamptz as since, read_to - interval '1 hour' as until
      from settlement_reading where read_to is not null
      union all
      select provider, since, until from unnest(enum_range(null::billing_provider)) as provider, lateral (
        select min(occurred_at) as since, max(occurred_at) as until from settlement_line as line
        where line.provider = provider.provider and kind = 'payment') as reported
      where since is not null and provider not in (select provider from settlement_reading)
    ), returned as (
      select payment_id,
        coalesce(sum(refund.amount) filter (where refund.status = 'succeeded' and coalesce(settled_at, refund.created_at) <= until), 0) as certain,
        coalesce(sum(refund.amount) filter (where refund.status = 'pending' or coalesce(settled_at, refund.created_at) > until), 0) as possible
      from refund join payment on payment.id = payment_id join coverage on coverage.provider = payment.provider
      where refund.status <> 'failed' and ${isOf('payment.provider', 'provider_payment_id')} group by payment_id
    ), reported as (
      select provider, provider_payment_id as subject, paid_currency as currency, sum(paid_amount) as amount,
        bool_or(kind = 'payment') as is_paid, max(occurred_at) as occurred_at
      from settlement_line where provider_payment_id is not null and ${isOf('provider', 'provider_payment_id')}
      group by provider, provider_payment_id, paid_currency
    ), paid as (
      select payment.provider, provider_payment_id as subject, payment.currency::text as currency, payment.id, paid_at,
        payment.amount - coalesce(certain, 0) as amount, coalesce(possible, 0) as possible,
        paid_at between since and until as is_covered
      from payment join coverage on coverage.provider = payment.provider left join returned on payment_id = payment.id
      where ${isOf('payment.provider', 'provider_payment_id')}
    ), of_payment as (
      select coalesce(paid.provider, reported.provider) as provider, coalesce(paid.subject, reported.subject) as subject,
        coalesce(paid.currency, reported.currency) as currency, paid.id as payment_id, possible,
        coalesce(paid.amount, 0) as here, coalesce(reported.amount, 0) as there, is_covered, is_paid,
        coalesce(reported.occurred_at, paid_at) as occurred_at
      from paid full join reported on reported.provider = paid.provider and reported.subject = paid.subject
        and reported.currency = paid.currency
    ), found as (
      select provider, case when payment_id is null then 'settlement_unknown' when is_paid then 'settlement_differs'
          else 'payment_not_settled' end as code,
        subject, currency, here - there - coalesce(booked_of_payment.amount, 0) as amount, here, there, payment_id, occurred_at
      from of_payment left join booked_of_payment using (provider, subject, currency)
      where here - there - coalesce(booked_of_payment.amount, 0) not between 0 and coalesce(possible, 0)
        and occurred_at < ${now}::timestamptz - ${GRACE}::interval and (is_covered or there <> 0)
      union all
      select provider, 'fee_missing', reference, currency, amount, 0, 0, null, occurred_at
      from settlement_line as line where kind = 'payment' and fee = 0 and ${isOf('provider', 'reference')} and exists (
        select from settlement_line as other
        where other.provider = line.provider and other.currency = line.currency and other.kind = 'payment' and other.fee > 0)
      union all
      select provider, 'settlement_suspense', reference, currency, -line.amount - coalesce(booked.amount, 0), 0, line.amount, null,
        occurred_at
      from settlement_line as line left join lateral (
        select sum(amount) as amount from booked
        where booked.provider = line.provider and booked.subject = line.reference and source = 'suspense'
      ) as booked on true
      where kind = 'other' and ${isOf('line.provider', 'line.reference')} and line.amount + coalesce(booked.amount, 0) <> 0
      union all
      select provider, 'balance_differs', currency, currency, here - there, here, there, null, balances_at
      from settlement_reading, jsonb_each(balances) as balance (currency, amounts),
        lateral (select (amounts ->> 'booked')::bigint as here, (amounts ->> 'reported')::bigint as there) as sums
      where here <> there and ${isOf('provider', 'currency')}
      union all
      select provider, 'currency_not_booked', currency, currency, -sum(amount - fee), 0, sum(amount - fee), null, max(occurred_at)
      from settlement_line where ${isNotBooked} and ${isOf('provider', 'currency')}
      group by provider, currency
    )
    select provider, code, subject, currency, amount::text, here::text, there::text, payment_id, occurred_at from found
    where not exists (
      select from settlement_remedy as remedy
      where remedy.provider = found.provider and remedy.code = found.code and remedy.subject = found.subject
        and remedy.currency = found.currency and remedy.amount = found.amount and remedy.source is null)
    order by occurred_at desc, provider, code, subject limit ${limit}`.execute(db)
  return rows
}
