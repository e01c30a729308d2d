import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Static } from 'typebox'
import type { Db } from '../../lib/db/database.ts'
import { page } from '../../lib/db/page.ts'
import { toMajor } from '../../lib/money.ts'
import type { LedgerAccountQuery, LedgerTransactionQuery } from './ledger.schema.ts'

/** Lists the accounts, the newest first. */
export async function listAccounts(db: Db, { kind, ...rest }: Static<typeof LedgerAccountQuery>) {
  const rows = db
    .selectFrom('ledger_account')
    .select(['id', 'kind', 'owner', 'currency', 'balance', 'created_at'])
    .$if(kind !== undefined, (all) => all.where('kind', '=', kind ?? 'provider_clearing'))
  const { data, next_cursor } = await page(rows, 'id', rest)
  return { data: data.map((account) => ({ ...account, balance: toMajor(account.balance) })), next_cursor }
}

/** Lists the transactions with their entries, the newest first. */
export async function listTransactions(
  db: Db,
  { account_id, reference, ...rest }: Static<typeof LedgerTransactionQuery>,
) {
  const rows = db
    .selectFrom('ledger_transaction')
    .select(['id', 'kind', 'reference', 'reverses', 'occurred_at', 'created_at'])
    .select(({ selectFrom }) =>
      jsonArrayFrom(
        selectFrom('ledger_entry')
          .innerJoin('ledger_account', 'ledger_account.id', 'ledger_entry.account_id')
          .select(['account_id', 'ledger_account.kind', 'owner', 'currency'])
          .select([sql<string>`amount::text`.as('amount'), sql<string>`balance_after::text`.as('balance_after')])
          .whereRef('transaction_id', '=', 'ledger_transaction.id')
          .orderBy('account_id'),
      ).as('entries'),
    )
    .$if(reference !== undefined, (all) => all.where('reference', '=', reference ?? ''))
    .$if(account_id !== undefined, (all) =>
      all.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('ledger_entry')
            .whereRef('transaction_id', '=', 'ledger_transaction.id')
            .where('account_id', '=', account_id ?? ''),
        ),
      ),
    )
  const { data, next_cursor } = await page(rows, 'ledger_transaction.id', rest)
  return {
    data: data.map(({ entries, ...transaction }) => ({
      ...transaction,
      entries: entries.map((entry) => ({
        ...entry,
        amount: toMajor(entry.amount),
        balance_after: toMajor(entry.balance_after),
      })),
    })),
    next_cursor,
  }
}
