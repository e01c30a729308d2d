import { sql } from 'kysely'
import { moneyText } from '../../../lib/money.ts'
import type { LedgerCheck, LedgerProblem } from '../../ledger/check.ts'
import { type Difference, type DifferenceCode, listDifferences } from './differences.ts'

/** Problems that are reported for each code. */
const MAX_PROBLEMS = 20
/** Differences that are read for a check. */
const MAX_READ = 1000

/**
 * The ledger has exactly the payments and refunds that are stored here, less the movements that providers reported, and
 * exactly those movements as their balances.
 */
export const checkClearing: LedgerCheck = async (db) => {
  const { rows } = await sql<{ provider: string; kind: string; currency: string; booked: string; stored: string }>`
    with stored as (
      select provider, 'provider_clearing' as kind, currency::text as currency, amount from payment
      union all select provider, 'provider_clearing', currency::text, -refund.amount
      from refund join payment on payment.id = payment_id where refund.status = 'succeeded'
      union all select provider, 'provider_clearing', paid_currency, -paid_amount from settlement_line
      where kind in ('payment', 'refund', 'dispute')
      union all select provider, 'provider_balance', currency, amount - fee from settlement_line
      union all select provider, source::text, currency, -amount from settlement_remedy where source is not null
    ), sums as (
      select provider::text as provider, kind, currency, sum(amount) as amount from stored
      where currency in ('TRY', 'USD') and kind in ('provider_clearing', 'provider_balance') group by provider, kind, currency
    ), booked as (
      select owner, kind::text as kind, currency::text as currency, -balance as amount from ledger_account
      where kind in ('provider_clearing', 'provider_balance')
    )
    select coalesce(sums.provider, booked.owner) as provider, coalesce(sums.kind, booked.kind) as kind,
      coalesce(sums.currency, booked.currency) as currency, coalesce(booked.amount, 0) as booked, coalesce(sums.amount, 0) as stored
    from sums full join booked on booked.owner = sums.provider and booked.kind = sums.kind and booked.currency = sums.currency
    where coalesce(booked.amount, 0) <> coalesce(sums.amount, 0)`.execute(db)
  return rows.map(({ provider, kind, currency, booked, stored }) => ({
    code: 'clearing_differs',
    detail:
      kind === 'provider_clearing'
        ? `The ledger has ${moneyText(booked, currency)} in clearing at ${provider}, and payments less refunds and movements are ${moneyText(stored, currency)}.`
        : `The ledger has ${moneyText(booked, currency)} as the balance at ${provider}, and the movements that it reported sum to ${moneyText(stored, currency)}.`,
  }))
}

/** The message of a difference. */
export function detailOf({ code, provider, subject, currency, ...minor }: Difference) {
  const [amount, here, there] = [minor.amount, minor.here, minor.there].map((one) => moneyText(one, currency))
  const details: Record<DifferenceCode, string> = {
    payment_not_settled: `Payment ${subject} is ${here} here, and ${provider} reports ${there} without a payment.`,
    settlement_unknown: `${provider} reports ${there} for payment ${subject}, which is not here.`,
    settlement_differs: `Payment ${subject} less its refunds is ${here} here, and ${there} at ${provider}.`,
    fee_missing: `${provider} reports no fee for movement ${subject} of ${amount}.`,
    settlement_suspense: `Movement ${subject} of ${there} at ${provider} is of a kind that is not known.`,
    balance_differs: `The ledger has ${here} as the balance at ${provider}, which reports ${there}.`,
    currency_not_booked: `Movements of ${there} at ${provider} are not in the ledger, which has no ${currency}.`,
  }
  return details[code]
}

/** Every difference with what providers report is explained or booked. */
export const checkSettlements: LedgerCheck = async (db, now) => {
  const counts = new Map<string, number>()
  const problems: LedgerProblem[] = []
  for (const difference of await listDifferences(db, { now, limit: MAX_READ })) {
    const { code } = difference
    const count = (counts.get(code) ?? 0) + 1
    counts.set(code, count)
    if (count <= MAX_PROBLEMS) problems.push({ code, detail: detailOf(difference) })
  }
  return problems
}
