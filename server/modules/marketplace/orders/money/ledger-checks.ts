import { type RawBuilder, sql } from 'kysely'
import { moneyText } from '../../../../lib/money.ts'
import type { LedgerCheck } from '../../../ledger/check.ts'

/** Maximum number of orders reported for each rule. */
const MAX_PROBLEMS = 20

/**
 * `query` returns all orders, with the amount in the ledger and the one that it should be. `name`: the name of the amount
 * in the report.
 */
const rule =
  (
    code: string,
    name: string,
    query: RawBuilder<{ id: string; actual: string; expected: string; currency: string }>,
  ): LedgerCheck =>
  async (db) => {
    const { rows } = await sql<{ id: string; actual: string; expected: string; currency: string }>`
      select * from (${query}) as found where actual <> expected limit ${sql.lit(MAX_PROBLEMS)}`.execute(db)
    return rows.map(({ id, actual, expected, currency }) => ({
      code,
      detail: `The ${name} of order ${id} is ${moneyText(actual, currency)}, and not ${moneyText(expected, currency)}.`,
    }))
  }

const balance = (kind: 'escrow' | 'refunds_payable') => sql`coalesce((select balance from ledger_account
  where kind = ${kind} and owner = gig_order.id::text and ledger_account.currency = gig_order.currency), 0)`

/** The sum of what the transactions of an order, which have it as their reference, moved to accounts of these kinds. */
const moved = (...kinds: string[]) => sql`coalesce((
  select sum(amount) from ledger_transaction
  join ledger_entry on transaction_id = ledger_transaction.id
  join ledger_account on ledger_account.id = account_id
  where reference = gig_order.id and ledger_account.kind::text in (${sql.join(kinds)})), 0)`

/** The fee for an amount, as `splitEarnings` computes it. */
const feeOf = (amount: RawBuilder<unknown>) => sql`(select product / 10000
    + case when product % 10000 > 5000 or (product % 10000 = 5000 and product / 10000 % 2 = 1) then 1 else 0 end
  from (select (${amount}) * fee_bps as product) as of_rest)`
const feeOfRest = feeOf(sql`price - refund_amount`)

/** Each order has the fee of its terms, and the ledger its price, escrow, earnings, fee and refund. */
export const orderChecks = [
  rule(
    'fee_terms_differ',
    'fee agreed on',
    // A constraint makes the payout the rest of the price.
    sql`select id, currency, platform_fee as actual, ${feeOf(sql`price`)} as expected from gig_order`,
  ),
  rule(
    'price_differs',
    'payment into the escrow',
    sql`select id, currency, coalesce((
        select sum(amount) from ledger_account
        join ledger_entry on account_id = ledger_account.id
        join ledger_transaction on ledger_transaction.id = transaction_id
        where ledger_account.kind = 'escrow' and owner = gig_order.id::text
          and ledger_account.currency = gig_order.currency and ledger_transaction.kind = 'order_payment'
      ), 0) as actual, case when paid_at is null then 0 else price end as expected
      from gig_order`,
  ),
  rule(
    'refund_amount_differs',
    'sum that went or goes back to the buyer',
    sql`select id, currency, ${moved('refunds_payable')} as actual, refund_amount as expected
      from gig_order`,
  ),
  rule(
    'fee_differs',
    'fee',
    sql`select id, currency, ${moved('platform_fee')} as actual, case when status = 'completed' then ${feeOfRest} else 0 end as expected
      from gig_order`,
  ),
  rule(
    'escrow_differs',
    'escrow',
    sql`select id, currency, ${balance('escrow')} as actual,
      case when status in ('pending', 'in_progress', 'delivered', 'disputed') then price - refund_amount else 0 end as expected
      from gig_order`,
  ),
  rule(
    'earnings_differ',
    'sum of earnings and fee',
    sql`select id, currency, ${moved('seller_pending', 'seller_available', 'seller_debt', 'platform_fee')} as actual, case when status = 'completed' then price - refund_amount else 0 end as expected
      from gig_order`,
  ),
  rule(
    'refund_differs',
    'money to be returned',
    sql`select id, currency, ${balance('refunds_payable')} as actual,
      case when refund_status is null or refund_status = 'succeeded' then 0 else greatest(refund_amount - coalesce((
        select sum(refund.amount) from refund join payment on payment.id = payment_id
        where payment.order_id = gig_order.id and payment.use = 'order' and refund.status = 'succeeded'
      ), 0), 0) end as expected
      from gig_order`,
  ),
]
