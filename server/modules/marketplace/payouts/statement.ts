import { sql } from 'kysely'
import type { Static } from 'typebox'
import { csvTable, csvText } from '../../../lib/csv.ts'
import type { Db } from '../../../lib/db/database.ts'
import { page } from '../../../lib/db/page.ts'
import type { Member } from '../../../lib/http/access.ts'
import { toMajor } from '../../../lib/money.ts'
import { sellerAccount, sellerKinds } from './balances.ts'
import type { StatementExportQuery, StatementLineRecord, StatementQuery } from './payouts.schema.ts'

const BATCH = 500

/**
 * Transactions that changed what a seller has: pending, available and owed together. The clearance moves money within
 * that, so it is left out.
 */
function movements(db: Db, caller: Member, { currency, from, to }: Static<typeof StatementExportQuery>) {
  const ofSeller = db
    .selectFrom('ledger_account')
    .innerJoin('ledger_entry', 'account_id', 'ledger_account.id')
    .select('transaction_id')
    .select(sql<string>`sum(amount)`.as('amount'))
    .select(sql<string>`sum(sum(amount)) over (order by transaction_id)`.as('balance_after'))
    .where('owner', '=', sellerAccount(caller))
    .where('currency', '=', currency)
    .where('kind', 'in', sellerKinds)
    .groupBy('transaction_id')
  return db
    .with('movement', () => ofSeller)
    .selectFrom('movement')
    .innerJoin('ledger_transaction', 'ledger_transaction.id', 'transaction_id')
    .leftJoin('gig_order', 'gig_order.id', 'ledger_transaction.reference')
    .leftJoin('payout', 'payout.id', 'ledger_transaction.reference')
    .select(['transaction_id as id', 'movement.amount', 'balance_after', 'occurred_at', 'ledger_transaction.kind'])
    .select(['gig_order.id as order_id', 'gig_order.title', 'payout.id as payout_id'])
    .select(({ selectFrom }) =>
      selectFrom('ledger_entry')
        .innerJoin('ledger_account', 'ledger_account.id', 'account_id')
        .select('ledger_entry.amount')
        .whereRef('ledger_entry.transaction_id', '=', 'movement.transaction_id')
        .where('ledger_account.kind', '=', 'platform_fee')
        .as('fee'),
    )
    .where('movement.amount', '<>', '0')
    .$if(from !== undefined, (all) => all.where('occurred_at', '>=', new Date(from ?? 0)))
    .$if(to !== undefined, (all) => all.where('occurred_at', '<', new Date(to ?? 0)))
}

type Row = Awaited<ReturnType<ReturnType<typeof movements>['executeTakeFirstOrThrow']>>

const types: Record<string, StatementLineRecord['type']> = {
  order_closed: 'earning',
  payout_requested: 'payout',
  payout_failed: 'payout_returned',
  payout_canceled: 'payout_returned',
}

const lineOf = ({ kind, amount, fee, balance_after, ...row }: Row): StatementLineRecord => ({
  ...row,
  type: types[kind] ?? 'refund',
  gross: toMajor(BigInt(amount) + BigInt(fee ?? 0)),
  fee: toMajor(fee ?? 0n),
  amount: toMajor(amount),
  balance_after: toMajor(balance_after),
})

/** Lists what changed the balance of the caller, the newest first. */
export async function listStatement(db: Db, caller: Member, query: Static<typeof StatementQuery>) {
  const { data, next_cursor } = await page(movements(db, caller, query), 'transaction_id', query)
  return { data: data.map(lineOf), next_cursor }
}

const statementTable = csvTable<StatementLineRecord>({
  id: ({ id }) => id,
  occurred_at: ({ occurred_at }) => occurred_at.toISOString(),
  type: ({ type }) => type,
  order_id: ({ order_id }) => order_id,
  title: ({ title }) => csvText(title),
  payout_id: ({ payout_id }) => payout_id,
  gross: ({ gross }, { money }) => money(gross),
  fee: ({ fee }, { money }) => money(fee),
  amount: ({ amount }, { money }) => money(amount),
  balance_after: ({ balance_after }, { money }) => money(balance_after),
})

/** The statement as CSV, the oldest first. It is read in batches while it is sent. */
export async function* exportStatement(
  db: Db,
  caller: Member,
  { separator, ...filter }: Static<typeof StatementExportQuery>,
) {
  const table = statementTable(separator)
  yield table.header
  let after: string | undefined
  for (;;) {
    const rows = await movements(db, caller, filter)
      .$if(after !== undefined, (all) => all.where('transaction_id', '>', after ?? ''))
      .orderBy('transaction_id')
      .limit(BATCH)
      .execute()
    yield table.lines(rows.map(lineOf))
    after = rows.at(-1)?.id
    if (rows.length < BATCH) return
  }
}
