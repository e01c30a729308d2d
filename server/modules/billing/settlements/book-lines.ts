import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Currency, LedgerAccountKind } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { type LedgerEntry, postTransaction } from '../../ledger/ledger.ts'
import type { ProviderName, SettlementLine } from '../providers/provider.ts'

/** Currencies of the ledger. A movement in another one is kept and reported, and not booked. */
export const ledgerCurrencies: readonly Currency[] = ['TRY', 'USD']
export const ledgerCurrency = (code: string) => ledgerCurrencies.find((currency) => currency === code)

/** Where a movement comes from, or goes to, besides the balance of the provider. */
const counterparts: Record<SettlementLine['kind'], LedgerAccountKind> = {
  payment: 'provider_clearing',
  refund: 'provider_clearing',
  dispute: 'provider_clearing',
  fee: 'provider_fees',
  payout: 'bank',
  other: 'suspense',
}

/** Books movements that were not booked before, each in a transaction of its own. Returns their number. */
export async function bookLines(deps: Pick<Deps, 'db'>, provider: ProviderName, lines: readonly SettlementLine[]) {
  const known = await knownReferences(deps, provider, lines)
  let booked = 0
  // The oldest first. Few locks are held at a time: payments wait for those of the account of clearing.
  for (const line of lines.toReversed())
    if (!known.has(line.reference) && (await inTransaction(deps.db, (tx) => bookLine(tx, provider, line)))) booked++
  return booked
}

async function knownReferences({ db }: Pick<Deps, 'db'>, provider: ProviderName, lines: readonly SettlementLine[]) {
  if (lines.length === 0) return new Set<string>()
  const rows = await db
    .selectFrom('settlement_line')
    .select('reference')
    .where('provider', '=', provider)
    .where(sql<boolean>`reference = any(${lines.map(({ reference }) => reference)}::text[])`)
    .execute()
  return new Set(rows.map(({ reference }) => reference))
}

/** Keeps a movement and books it. False if it was kept before. */
async function bookLine(tx: Tx, provider: ProviderName, line: SettlementLine) {
  const row = await tx
    .insertInto('settlement_line')
    .values({ provider, ...line })
    .onConflict((conflict) => conflict.constraint('settlement_line_reference').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  for (const { name, currency, entries } of transactionsOf(provider, line)) {
    if (entries.every(({ amount }) => amount === 0n)) continue
    await postTransaction(tx, {
      key: `settlement:${provider}:${line.reference}${name}`,
      kind: `settlement_${line.kind}`,
      reference: row.id,
      occurred_at: line.occurred_at,
      ...{ currency, entries },
    })
  }
  return true
}

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
