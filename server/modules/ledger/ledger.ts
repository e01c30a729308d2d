import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../lib/db/database.ts'
import type { Currency } from '../../lib/db/database-types.ts'
import { hasBound, type LedgerAccount } from './accounts.ts'

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
 * Posts a transaction. Other transactions with the same accounts wait until the commit, so call it late. Throws at the
 * commit unless the entries sum to zero, and at once when a bounded balance would fall below zero.
 */
export const postTransaction = (tx: Tx, transaction: NewTransaction) => post(tx, transaction, null)

/** Transactions that one statement posts. */
const BATCH = 500

/**
 * Posts many transactions in their order, as `postTransaction` posts one, in a statement for some hundred of them. A
 * bounded balance is compared with its bound after each statement, and not after each transaction. Throws if two have
 * the same key.
 */
export async function postTransactions(tx: Tx, transactions: readonly NewTransaction[]) {
  if (new Set(transactions.map(({ key }) => key)).size < transactions.length)
    throw new Error('Two transactions of a list have the same key')
  // One statement after the other would lock accounts out of order.
  if (transactions.length > BATCH)
    for (const [currency, some] of Map.groupBy(transactions, (transaction) => transaction.currency)) {
      const entries = some.flatMap((transaction) => transaction.entries)
      const accounts = new Map(entries.map((entry) => [`${entry.kind} ${entry.owner ?? ''}`, entry]))
      await lockBalances(tx, currency, [...accounts.values()])
    }
  for (let begin = 0; begin < transactions.length; begin += BATCH) {
    const batch = transactions.slice(begin, begin + BATCH).map((transaction) => {
      const { key, kind, reference, occurred_at, currency } = transaction
      const posted = postedEntries(transaction.entries)
      const hash = hashOf([kind, reference, null, currency, posted]).toString('hex')
      const entries = posted.map(({ account, owner, amount }) => ({
        ...{ kind: account, owner, amount },
        min_balance: hasBound[account] ? 0 : null,
      }))
      return { key, hash, kind, reference, occurred_at, currency, entries }
    })
    await sql`select post_ledger_transactions(${JSON.stringify(batch)}::jsonb)`.execute(tx)
  }
}

/**
 * Balances in minor units, in the order of `accounts`; zero for one without entries. They hold until the commit, because
 * other transactions with these accounts wait. Name all accounts of the transaction that follows, so that none of them
 * is locked out of order.
 */
export async function lockBalances(tx: Tx, currency: Currency, accounts: readonly LedgerAccount[]) {
  const keys = accounts.map(({ kind, owner = '' }) => ({ kind, owner }))
  const { rows } = await sql<{ kind: string; owner: string; balance: string }>`
    select kind, owner, balance from ledger_account where id = any(array(
      select (select id from ledger_account as account
        where account.kind = wanted.kind and account.owner = wanted.owner and account.currency = ${currency}::currency)
      from unnest(${keys.map(({ kind }) => kind)}::ledger_account_kind[], ${keys.map(({ owner }) => owner)}::text[])
        as wanted (kind, owner)
    )) order by id for no key update`.execute(tx)
  return keys.map(({ kind, owner }) =>
    BigInt(rows.find((row) => row.kind === kind && row.owner === owner)?.balance ?? 0),
  )
}

/** Takes all entries of a transaction back, once. Throws for an unknown key, and for that of a reversal. */
export async function reverseTransaction(
  tx: Tx,
  { key, kind, occurred_at }: Pick<NewTransaction, 'key' | 'kind' | 'occurred_at'>,
) {
  const entries = await tx
    .selectFrom('ledger_transaction')
    .innerJoin('ledger_entry', 'transaction_id', 'ledger_transaction.id')
    .innerJoin('ledger_account', 'ledger_account.id', 'account_id')
    .select(['transaction_id', 'reference', 'currency', 'ledger_account.kind', 'owner', 'amount'])
    .where('idempotency_key', '=', key)
    .where('reverses', 'is', null)
    .execute()
  const [first] = entries
  if (!first) throw new Error(`No transaction with the key ${key} can be reversed`)
  const { transaction_id, reference, currency } = first
  const negated = entries.map((entry) => ({ kind: entry.kind, owner: entry.owner, amount: -BigInt(entry.amount) }))
  const reversal = { key: `reversal:${key}`, kind, reference, occurred_at, currency, entries: negated }
  await post(tx, reversal, transaction_id)
}

async function post(
  tx: Tx,
  { key, kind, reference, occurred_at, currency, entries }: NewTransaction,
  reverses: string | null,
) {
  const posted = postedEntries(entries)
  const hash = hashOf([kind, reference, reverses, currency, posted])
  await sql`select post_ledger_transaction(${key}, ${hash}, ${kind}, ${reference}::uuid, ${reverses}::uuid,
    ${occurred_at}, ${currency}::currency,
    ${posted.map(({ account }) => account)}::ledger_account_kind[], ${posted.map(({ owner }) => owner)}::text[],
    ${posted.map(({ account }) => (hasBound[account] ? 0 : null))}::bigint[],
    ${posted.map(({ amount }) => amount)}::bigint[])`.execute(tx)
}

const postedEntries = (entries: NewTransaction['entries']) =>
  entries
    .filter(({ amount }) => amount !== 0n)
    .map(({ kind: account, owner = '', amount }) => ({ account, owner, amount: String(amount) }))
    .sort((a, b) => (`${a.account} ${a.owner}` < `${b.account} ${b.owner}` ? -1 : 1))

const hashOf = (input: unknown) => createHash('sha256').update(JSON.stringify(input)).digest()
