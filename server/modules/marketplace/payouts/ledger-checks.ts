import { sql } from 'kysely'
import { moneyText } from '../../../lib/money.ts'
import type { LedgerCheck } from '../../ledger/check.ts'

type Difference = { id: string; booked: string; expected: string; currency: string }

/** The ledger keeps exactly the amounts of the payouts that are not decided. */
const checkOpenPayouts: LedgerCheck = async (db) => {
  const { rows } = await sql<Difference>`
    with booked as (select owner, currency, balance from ledger_account where kind = 'payout_clearing'),
      open as (select id::text as owner, currency, amount from payout where status in ('pending', 'processing'))
    select coalesce(booked.owner, open.owner) as id, coalesce(booked.currency, open.currency) as currency,
      coalesce(balance, 0) as booked, coalesce(amount, 0) as expected
    from booked full join open on open.owner = booked.owner and open.currency = booked.currency
    where coalesce(balance, 0) <> coalesce(amount, 0) limit 20`.execute(db)
  return rows.map(({ id, booked, expected, currency }) => ({
    code: 'payout_differs',
    detail: `The ledger keeps ${moneyText(booked, currency)} for payout ${id}, which is to get ${moneyText(expected, currency)}.`,
  }))
}

/** The ledger paid out from the bank exactly the payouts that are paid. */
const checkPaidPayouts: LedgerCheck = async (db) => {
  const { rows } = await sql<Omit<Difference, 'id'>>`
    with booked as (select currency, balance from ledger_account where kind = 'bank' and owner = ''),
      paid as (select currency, sum(amount) as amount from payout where status = 'paid' group by currency)
    select coalesce(booked.currency, paid.currency) as currency, coalesce(balance, 0) as booked,
      coalesce(amount, 0) as expected
    from booked full join paid on paid.currency = booked.currency
    where coalesce(balance, 0) <> coalesce(amount, 0)`.execute(db)
  return rows.map(({ booked, expected, currency }) => ({
    code: 'paid_out_differs',
    detail: `By the ledger ${moneyText(booked, currency)} were paid out, and the paid payouts sum to ${moneyText(expected, currency)}.`,
  }))
}

/** The account of a debt never has a credit: Meydan owes sellers in other accounts. */
const checkDebts: LedgerCheck = async (db) => {
  const rows = await db
    .selectFrom('ledger_account')
    .select(['id', 'currency', 'balance'])
    .where('kind', '=', 'seller_debt')
    .where('balance', '>', '0')
    .limit(20)
    .execute()
  return rows.map(({ id, currency, balance }) => ({
    code: 'debt_above_zero',
    detail: `The balance of account ${id} is ${moneyText(balance, currency)}, and debts are at most zero.`,
  }))
}

export const payoutChecks = [checkOpenPayouts, checkPaidPayouts, checkDebts]
