import { problem } from '../../../errors.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { User } from '../../../lib/http/access.ts'
import { toMajor } from '../../../lib/money.ts'

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
    .where('status', 'in', ['pending', 'in_progress', 'delivered', 'disputed'])
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
