import { sql } from 'kysely'
import type { Static } from 'typebox'
import { problem } from '../../../errors.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Currency } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { toMajor } from '../../../lib/money.ts'
import { type LedgerEntry, lockBalances } from '../../ledger/ledger.ts'
import type { Balances } from './payouts.schema.ts'

type Seller = { user_id: string; workspace_id: string }

/** Owner of the ledger accounts of a seller. */
export const sellerAccount = ({ user_id, workspace_id }: Seller) => `${user_id}:${workspace_id}`

export const sellerKinds = ['seller_pending', 'seller_available', 'seller_debt'] as const

/**
 * Minor units that a seller cannot have paid out: cleared earnings of orders with an open dispute. What was paid out of
 * them counts too, so that later earnings are held for it.
 */
export async function heldOf(db: Db, owner: string, currency: Currency) {
  const { held } = await db
    .selectFrom('gig_order')
    .innerJoin('ledger_transaction', 'reference', 'gig_order.id')
    .innerJoin('ledger_entry', 'transaction_id', 'ledger_transaction.id')
    .innerJoin('ledger_account', 'ledger_account.id', 'account_id')
    .select(sql<string>`coalesce(sum(amount), 0)::text`.as('held'))
    .where('seller_account', '=', owner)
    .where('disputed_from', '=', 'completed')
    .where('cleared_at', 'is not', null)
    .where('gig_order.currency', '=', currency)
    .where('ledger_account.kind', 'in', sellerKinds)
    .executeTakeFirstOrThrow()
  return BigInt(held)
}

const minimums = { TRY: 'marketplace.payout_min', USD: 'marketplace.payout_min_usd' } as const

/** The smallest payout in a currency, in major units. */
export const payoutMinimum = ({ options }: Pick<Deps, 'options'>, currency: Currency, db?: Db) =>
  options.get(minimums[currency], db)

/** Balances of a seller, one for each currency with earnings. */
export async function listBalances(deps: Pick<Deps, 'db' | 'options'>, seller: Seller) {
  const { db } = deps
  const rows = await db
    .selectFrom('ledger_account')
    .select(['currency', 'kind', 'balance'])
    .where('kind', 'in', sellerKinds)
    .where('owner', '=', sellerAccount(seller))
    .orderBy('currency')
    .execute()
  const balanceOf = (currency: Currency, kind: (typeof sellerKinds)[number]) =>
    BigInt(rows.find((row) => row.currency === currency && row.kind === kind)?.balance ?? 0)
  const data: Static<typeof Balances>['data'] = []
  for (const currency of new Set(rows.map((row) => row.currency))) {
    const available = balanceOf(currency, 'seller_available')
    const held = smaller(await heldOf(db, sellerAccount(seller), currency), available)
    data.push({
      currency,
      pending: toMajor(balanceOf(currency, 'seller_pending')),
      available: toMajor(available - held),
      held: toMajor(held),
      owed: toMajor(-balanceOf(currency, 'seller_debt')),
      payout_min: await payoutMinimum(deps, currency),
    })
  }
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

type Of = 'seller_id' | 'seller_workspace_id'

const plural = (count: number, one: string) => (count === 1 ? `1 ${one}` : `${count} ${one}s`)

/** Refuses a deletion after which nobody could claim what a seller earned. Debts do not keep anybody. */
async function refuseWithMoney(tx: Tx, of: Of, id: string) {
  const orders = tx.selectFrom('gig_order').where(of, '=', id)
  const balances = await tx
    .selectFrom('ledger_account')
    .select(['currency', ({ fn }) => fn.sum('balance').as('sum')])
    .where('kind', 'in', ['seller_pending', 'seller_available'])
    .where('owner', 'in', orders.select('seller_account'))
    .where('balance', '>', '0')
    .groupBy('currency')
    .orderBy('currency')
    .execute()
  const underway = await orders
    .select('id')
    .where(({ eb, or }) =>
      or([
        eb('status', 'in', ['pending', 'in_progress', 'delivered', 'disputed']),
        // A decision may take back what was paid out.
        eb('disputed_from', '=', 'completed'),
      ]),
    )
    .execute()
  const payouts = await tx
    .selectFrom('payout')
    .select('id')
    .where(of === 'seller_id' ? 'user_id' : 'workspace_id', '=', id)
    .where('status', 'in', ['pending', 'processing'])
    .execute()
  const left = [
    ...balances.map(({ currency, sum }) => `${toMajor(String(sum))} ${currency} of earnings`),
    ...(underway.length > 0 ? [plural(underway.length, 'running order')] : []),
    ...(payouts.length > 0 ? [plural(payouts.length, 'open payout')] : []),
  ]
  if (left.length > 0)
    throw problem('seller_balance_left', {
      detail: `There are still ${left.join(', ')}. Have everything paid out first.`,
    })
}

/** A step of deleting a workspace: not while a seller in it has money. */
export async function keepWorkspaceWithMoney(tx: Tx, workspace_id: string) {
  await refuseWithMoney(tx, 'seller_workspace_id', workspace_id)
  return { details: {}, finish: async () => undefined }
}

/** A step of deleting a user: not while they have money. Their payouts stay for the books, without the full IBAN. */
export async function keepUserWithMoney(tx: Tx, { user_id }: User) {
  await refuseWithMoney(tx, 'seller_id', user_id)
  await tx.updateTable('payout').set({ iban: null, note: null }).where('user_id', '=', user_id).execute()
}
