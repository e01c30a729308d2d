import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Currency } from '../../../lib/db/database-types.ts'
import { toMajor } from '../../../lib/money.ts'
import { type LedgerEntry, lockBalances } from '../../ledger/ledger.ts'

type Seller = { user_id: string; workspace_id: string }

/** Owner of the ledger accounts of a seller. */
export const sellerAccount = ({ user_id, workspace_id }: Seller) => `${user_id}:${workspace_id}`

export const sellerKinds = ['seller_pending', 'seller_available', 'seller_debt'] as const

/** Balances of a seller, one for each currency with earnings. */
export async function listBalances(db: Db, seller: Seller) {
  const rows = await db
    .selectFrom('ledger_account')
    .select(['currency', 'kind', 'balance'])
    .where('kind', 'in', sellerKinds)
    .where('owner', '=', sellerAccount(seller))
    .orderBy('currency')
    .execute()
  const balanceOf = (currency: Currency, kind: (typeof sellerKinds)[number]) =>
    BigInt(rows.find((row) => row.currency === currency && row.kind === kind)?.balance ?? 0)
  const data = [...new Set(rows.map(({ currency }) => currency))].map((currency) => ({
    currency,
    pending: toMajor(balanceOf(currency, 'seller_pending')),
    available: toMajor(balanceOf(currency, 'seller_available')),
    owed: toMajor(-balanceOf(currency, 'seller_debt')),
  }))
  return { data }
}

/** Balances of a seller in minor units, locked until the commit. `owed`: at least zero. */
export async function lockSeller(tx: Tx, owner: string, currency: Currency) {
  const accounts = sellerKinds.map((kind) => ({ kind, owner }))
  const [pending = 0n, available = 0n, debt = 0n] = await lockBalances(tx, currency, accounts)
  return { pending, available, owed: -debt }
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** Entries that make an amount available to a seller, after what they owe. */
export function creditAvailable(owner: string, amount: bigint, owed: bigint): LedgerEntry[] {
  const taken = smaller(amount, owed)
  return [
    { kind: 'seller_available', owner, amount: amount - taken },
    { kind: 'seller_debt', owner, amount: taken },
  ]
}
