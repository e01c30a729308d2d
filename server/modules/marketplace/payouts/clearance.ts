import { sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { postTransaction } from '../../ledger/ledger.ts'
import { creditAvailable, lockSeller } from './balances.ts'

/** Orders looked up at a time. */
const BATCH = 200

/** Time from which the earnings of an order that completes now can be paid out. */
export const clearanceOf = async ({ options }: Pick<Deps, 'options'>, tx: Tx, now: Date) =>
  new Date(now.getTime() + (await options.get('marketplace.clearance_days', tx)) * DAY)

/**
 * Makes the earnings of all orders available whose clearance is over, and which have no open dispute. Each order is
 * cleared in its own transaction, once on any number of nodes. Returns how many were cleared.
 */
export async function clearEarnings(deps: Deps) {
  let count = 0
  const kept = new Set<string>()
  for (;;) {
    const due = await deps.db
      .selectFrom('gig_order')
      .select('id')
      .where('clears_at', '<=', deps.clock.now())
      .where('cleared_at', 'is', null)
      .where('status', '=', 'completed')
      .where('disputed_from', 'is distinct from', 'completed')
      .orderBy('clears_at')
      .limit(BATCH + kept.size)
      .execute()
    const next = due.filter(({ id }) => !kept.has(id))
    if (next.length === 0) return count
    for (const { id } of next) {
      const isCleared = await clearOrder(deps, id).catch((error: unknown) => {
        // One order must not hold up the others.
        deps.log.error({ err: error, order_id: id }, 'the earnings of an order were not cleared')
        return false
      })
      if (isCleared) count++
      // Another node may be at it, and it stays in the list until that commits.
      else kept.add(id)
    }
  }
}

const clearOrder = (deps: Deps, id: string) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const order = await tx
      .updateTable('gig_order')
      .set({ cleared_at: now })
      .where('id', '=', (due) =>
        due
          .selectFrom('gig_order')
          .select('id')
          .where('id', '=', id)
          .where('clears_at', '<=', now)
          .where('cleared_at', 'is', null)
          .where('status', '=', 'completed')
          .where('disputed_from', 'is distinct from', 'completed')
          .forNoKeyUpdate()
          .skipLocked(),
      )
      .returning(['id', 'seller_account', 'currency'])
      .executeTakeFirst()
    if (!order) return false
    const { seller_account, currency } = order
    const { pending, owed } = await lockSeller(tx, seller_account, currency)
    const left = await earningsLeft(tx, id, seller_account)
    const amount = left < pending ? left : pending
    if (amount <= 0n) return true
    await postTransaction(tx, {
      key: `order_cleared:${id}`,
      kind: 'order_cleared',
      reference: id,
      occurred_at: now,
      currency,
      entries: [
        { kind: 'seller_pending', owner: seller_account, amount: -amount },
        ...creditAvailable(seller_account, amount, owed),
      ],
    })
    return true
  })

/** The rest of an order in `seller_pending`, in minor units, after returns to its buyer since it completed. */
export async function earningsLeft(tx: Tx, order_id: string, owner: string) {
  const { left } = await tx
    .selectFrom('ledger_transaction')
    .innerJoin('ledger_entry', 'transaction_id', 'ledger_transaction.id')
    .innerJoin('ledger_account', 'ledger_account.id', 'account_id')
    .select(sql<string>`coalesce(sum(amount), 0)::text`.as('left'))
    .where('reference', '=', order_id)
    .where('ledger_account.kind', '=', 'seller_pending')
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return BigInt(left)
}
