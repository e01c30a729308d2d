import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { failCheckout } from '../checkouts/close-checkout.ts'
import { settleOrder } from '../checkouts/order-checkouts.ts'
import { recordPayment } from '../payments/payments.ts'
import { enqueueProviderEnd } from '../providers/enqueue-sync.ts'
import type { ProviderPayment } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import { type CheckoutRow, paysOrder, paysPlan, readRow } from '../records/checkouts.ts'
import { lockBilling } from '../records/lock.ts'
import { type Paid, settlePlan } from './settle-plan.ts'

/** Reads the state of a checkout from its provider, and applies it. */
export async function syncCheckout(deps: Deps, { checkout_id }: { checkout_id: string }) {
  const row = await deps.db.selectFrom('checkout').selectAll().where('id', '=', checkout_id).executeTakeFirst()
  // Also set for one that was paid or confirmed, and refused.
  if (!row?.provider_ref || row.completed_at) return
  const provider = providerOf(row.provider)
  const state = await provider.readCheckout(deps, { id: row.id, ref: row.provider_ref, currency: row.currency })
  if (state.status !== 'completed' && state.status !== 'failed') return
  const remote =
    state.status === 'completed' && state.subscription_id
      ? await provider.readSubscription(deps, state.subscription_id)
      : null
  // The provider does not show it yet: the job runs again.
  if (state.status === 'completed' && state.subscription_id && (!remote || remote.status === 'pending'))
    throw new Error('the subscription of a paid checkout is not started yet')
  const after = await inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, row.workspace_id)
    const current = await readRow(tx, row.id)
    if (current.completed_at) return current
    if (state.status === 'failed') await failCheckout(deps, tx, current, state.message)
    else await completeCheckout(deps, tx, current, { remote, payment: state.payment })
    return readRow(tx, row.id)
  })
  // The job runs again until the payment is known, so that it is returned.
  if (state.status === 'completed' && !after.completed_at)
    throw new Error('the payment of a refused checkout is not listed yet')
}

/**
 * Applies a paid checkout, whatever our row says about it: somebody may pay after it was closed or had expired. Null:
 * nothing was to pay. The billing of the workspace must be locked.
 */
export async function completeCheckout(deps: Deps, tx: Tx, row: CheckoutRow, paid: Paid | null) {
  const now = deps.clock.now()
  await tx
    .updateTable('checkout')
    .set({ status: 'completed', failure: null, form_html: null, completed_at: now, updated_at: now })
    .where('id', '=', row.id)
    .execute()
  if (!(await settle(deps, tx, row, paid))) await refusePayment(deps, tx, row, paid)
}

/** Returns false if the payment is refused: it is too late or too little, or what it pays has changed. */
async function settle(deps: Deps, tx: Tx, row: CheckoutRow, paid: Paid | null) {
  const payment = paid?.payment ?? null
  if ((payment && !pays(row, payment)) || (await isDeleted(tx, row.workspace_id))) return false
  if (paysPlan(row)) return settlePlan(deps, tx, row, paid)
  return paysOrder(row) && payment !== null && settleOrder(deps, tx, row, payment)
}

/** Whether a payment is at least what was asked for, in its currency. Instalments cost more. */
const pays = (row: CheckoutRow, { amount, currency }: ProviderPayment) =>
  currency === row.currency && amount >= BigInt(row.amount)

const isDeleted = async (tx: Tx, workspace_id: string) => {
  const { deleted_at } = await tx
    .selectFrom('workspace')
    .select('deleted_at')
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow()
  return deleted_at !== null
}

/** Refuses what was paid: it grants nothing, and is returned. An order that waited for it ends. */
async function refusePayment(deps: Deps, tx: Tx, row: CheckoutRow, paid: Paid | null) {
  if (row.order_id) await deps.lifecycle.onOrderUnpaid(deps, tx, row.order_id)
  const payments = [...(paid?.payment ? [paid.payment] : []), ...(paid?.remote?.payments ?? [])]
  for (const payment of payments)
    await recordPayment(deps, tx, { subscription: null, checkout: row, payment, use: 'unapplied' })
  if (!paid?.remote) return
  await enqueueProviderEnd(tx, row.provider, paid.remote.id)
  if (paid.remote.has_unlisted_payment)
    await tx.updateTable('checkout').set({ completed_at: null }).where('id', '=', row.id).execute()
}
