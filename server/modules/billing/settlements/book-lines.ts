import { sql } from 'kysely'
import type { Tx } from '../../../lib/db/database.ts'
import type { Currency, LedgerAccountKind } from '../../../lib/db/database-types.ts'
import { locks } from '../../../lib/db/locks.ts'
import { type LedgerEntry, type NewTransaction, postTransactions } from '../../ledger/ledger.ts'
import type { ProviderName, SettlementLine } from '../providers/provider.ts'

/** Currencies of the ledger. A movement in another one is kept and reported, and not booked. */
const ledgerCurrencies: readonly Currency[] = ['TRY', 'USD']
export const ledgerCurrency = (code: string) => ledgerCurrencies.find((currency) => currency === code)

/** Condition: the ledger does not have the currency of a movement. Literal, so that an index serves it. */
export const isNotBooked = sql<boolean>`currency not in ('TRY', 'USD')`

/** Where a movement comes from, or goes to, besides the balance of the provider. */
const counterparts: Record<SettlementLine['kind'], LedgerAccountKind> = {
  payment: 'provider_clearing',
  refund: 'provider_clearing',
  dispute: 'provider_clearing',
  fee: 'provider_fees',
  payout: 'bank',
  other: 'suspense',
}

/** Movements that one statement keeps. */
const BATCH = 500

/**
 * Makes others who book movements of a provider wait until the commit. Two that keep the same movements in another order
 * would wait for each other.
 */
export const lockLines = (tx: Tx, provider: ProviderName) =>
  sql`select pg_advisory_xact_lock(${locks.settlementLines}, hashtext(${provider}))`.execute(tx)

/** Books movements that were not booked before, the last one first. Returns their number. */
export async function bookLines(tx: Tx, provider: ProviderName, lines: readonly SettlementLine[]) {
  await lockLines(tx, provider)
  const oldestFirst = lines.toReversed()
  const transactions: NewTransaction[] = []
  let booked = 0
  for (let begin = 0; begin < oldestFirst.length; begin += BATCH) {
    const batch = oldestFirst.slice(begin, begin + BATCH)
    const ids = await keepLines(tx, provider, batch)
    booked += ids.size
    for (const line of batch) {
      const id = ids.get(line.reference)
      if (id !== undefined) transactions.push(...newTransactions(provider, line, id))
    }
  }
  // Comes last, because payments wait for the accounts that it locks.
  await postTransactions(tx, transactions)
  return booked
}

/** Keeps the movements that were not kept before. Returns their ids by reference. */
async function keepLines(tx: Tx, provider: ProviderName, lines: readonly SettlementLine[]) {
  const records = lines.map(({ amount, fee, paid_amount, ...line }) => ({
    ...line,
    ...{ amount: String(amount), fee: String(fee), paid_amount: String(paid_amount) },
  }))
  // One parameter, whatever the number of movements, so that the statement is prepared once.
  const { rows } = await sql<{ id: string; reference: string }>`
    insert into settlement_line (provider, reference, kind, type, provider_payment_id, currency, amount, fee, paid_amount,
      paid_currency, occurred_at)
    select ${provider}::billing_provider, reference, kind, type, provider_payment_id, currency, amount, fee, paid_amount,
      paid_currency, occurred_at
    from rows from (json_to_recordset(${JSON.stringify(records)}::json) as (reference text, kind settlement_kind, type text,
      provider_payment_id text, currency text, amount bigint, fee bigint, paid_amount bigint, paid_currency text,
      occurred_at timestamptz)) with ordinality as listed (reference, kind, type, provider_payment_id, currency, amount, fee,
      paid_amount, paid_currency, occurred_at, place)
    order by place
    on conflict on constraint settlement_line_reference do nothing
    returning id, reference`.execute(tx)
  return new Map(rows.map(({ id, reference }) => [reference, id]))
}

const newTransactions = (provider: ProviderName, line: SettlementLine, reference: string): NewTransaction[] =>
  transactionsOf(provider, line)
    .filter(({ entries }) => entries.some(({ amount }) => amount !== 0n))
    .map(({ name, currency, entries }) => ({
      key: `settlement:${provider}:${line.reference}${name}`,
      kind: `settlement_${line.kind}`,
      occurred_at: line.occurred_at,
      ...{ reference, currency, entries },
    }))

/** One transaction, or one in each currency of a conversion. */
function transactionsOf(owner: ProviderName, line: SettlementLine) {
  const { amount, fee, paid_amount, kind } = line
  const counterpart = counterparts[kind]
  const currency = ledgerCurrency(line.currency)
  const paidCurrency = ledgerCurrency(line.paid_currency)
  const balance: LedgerEntry = { kind: 'provider_balance', owner, amount: fee - amount }
  const fees: LedgerEntry = { kind: 'provider_fees', owner, amount: -fee }
  if (line.currency === line.paid_currency) {
    const entries =
      counterpart === 'provider_fees'
        ? [balance, { ...fees, amount: amount - fee }]
        : [balance, fees, { kind: counterpart, owner, amount }]
    return currency ? [{ name: '', currency, entries }] : []
  }
  const conversion = (converted: bigint): LedgerEntry => ({ kind: 'currency_conversion', owner, amount: converted })
  return [
    ...(paidCurrency
      ? [
          {
            name: ':paid',
            currency: paidCurrency,
            entries: [{ kind: counterpart, owner, amount: paid_amount }, conversion(-paid_amount)],
          },
        ]
      : []),
    ...(currency ? [{ name: '', currency, entries: [conversion(amount), balance, fees] }] : []),
  ]
}
