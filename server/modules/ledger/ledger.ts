import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../lib/db/database.ts'
import type { Currency } from '../../lib/db/database-types.ts'
import { accountKinds, type LedgerAccount } from './accounts.ts'

/** `amount`: minor units; positive credits the account, negative debits it. */
export type LedgerEntry = LedgerAccount & { amount: bigint }
export type NewTransaction = {
  /** Posting again with the same key changes nothing. Throws if the key was used for something else. */
  key: string
  kind: string
  /** Id of the record that moved the money. */
  reference: string
  occurred_at: Date
  currency: Currency
  /** At most one for each account. Those without an amount are left out. */
  entries: readonly LedgerEntry[]
}

/**
 * Posts a transaction. Other transactions with the same accounts wait until the commit, so call it
 * late. Throws at the commit unless the entries sum to zero, and at once when a bounded balance would fall below zero.
 */
export async function postTransaction(
  tx: Tx,
  { key, kind, reference, occurred_at, currency, entries }: NewTransaction,
) {
  const posted = entries
    .filter(({ amount }) => amount !== 0n)
    .map(({ kind: account, owner = '', amount }) => ({ account, owner, amount: String(amount) }))
    .sort((a, b) => (`${a.account} ${a.owner}` < `${b.account} ${b.owner}` ? -1 : 1))
  await sql`select post_ledger_transaction(${key}, ${hashOf([kind, reference, currency, posted])},
    ${kind}, ${reference}::uuid, null, ${occurred_at}, ${currency}::currency,
    ${posted.map(({ account }) => account)}::ledger_account_kind[], ${posted.map(({ owner }) => owner)}::text[],
    ${posted.map(({ account }) => (accountKinds[account].hasBound ? 0 : null))}::bigint[],
    ${posted.map(({ amount }) => amount)}::bigint[])`.execute(tx)
}

const hashOf = (input: unknown) => createHash('sha256').update(JSON.stringify(input)).digest()
