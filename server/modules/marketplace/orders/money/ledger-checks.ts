import { type RawBuilder, sql } from 'kysely'
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
      detail: `The ${name} of order ${id} is ${actual} ${currency}, and not ${expected}.`,
    }))
  }

const balance = (kind: 'escrow' | 'refunds_payable') => sql`coalesce((select balance from ledger_account
  where kind = ${kind} and owner = gig_order.id::text and ledger_account.currency = gig_order.currency), 0)`

/** The ledger has the escrow, earnings and refund of each order. Amounts in minor units. */
export const orderChecks = [
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
    sql`select id, currency, coalesce((
        select sum(amount) from ledger_transaction
        join ledger_entry on transaction_id = ledger_transaction.id
        join ledger_account on ledger_account.id = account_id
        where reference = gig_order.id and ledger_account.kind in ('seller_pending', 'seller_available', 'seller_debt', 'platform_fee')
      ), 0) as actual, case when status = 'completed' then price - refund_amount else 0 end as expected
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
