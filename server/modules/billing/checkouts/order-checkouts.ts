import type { Static } from 'typebox'
import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { applyOrderPayment } from '../payments/payments.ts'
import type { ProviderPayment } from '../providers/provider.ts'
import { assertConfigured, providerOf } from '../providers/registry.ts'
import type { Buyer } from '../records/buyer.schema.ts'
import { type CheckoutRow, type OrderCheckoutRow, readRow } from '../records/checkouts.ts'
import { closeCheckout, failCheckout } from './close-checkout.ts'
import { type CheckoutDeps, resumeCheckout, writeCheckout } from './insert-checkout.ts'
import { assertBuyer } from './terms.ts'

/** The provider that orders are paid with. Throws if it is not set up, or if it requires more about the buyer. */
export async function orderProvider(deps: Pick<Deps, 'options'>, buyer: Static<typeof Buyer> | undefined) {
  const provider = providerOf(await deps.options.get('billing.provider'))
  await assertConfigured(deps, provider)
  assertBuyer(provider, buyer)
  return provider
}

type Sold = Pick<CheckoutRow, 'provider' | 'currency' | 'amount'> & { order_id: string; description: string }

/** Writes the checkout of an order, before its provider is called by `openCheckout`. */
export const insertOrderCheckout = (deps: CheckoutDeps, tx: Tx, caller: Member, sold: Sold) =>
  writeCheckout(deps, tx, caller, { ...sold, kind: providerOf(sold.provider).kind, purpose: 'order' })

/**
 * The checkout of an order that is ordered again. undefined: the call that opened its page was killed, and the provider
 * opens no second one for it. The order ends then as unpaid.
 */
export async function resumeOrderCheckout(deps: Pick<Deps, 'clock' | 'lifecycle'>, tx: Tx, id: string) {
  const row = await readRow(tx, id)
  const resumed = await resumeCheckout(tx, row, deps.clock.now())
  if (!resumed) await failCheckout(deps, tx, row, 'The page to pay at could not be opened.')
  return resumed
}

/** Applies the payment of an order. Returns whether the order takes it: one that has ended does not. */
export async function settleOrder(deps: Deps, tx: Tx, checkout: OrderCheckoutRow, payment: ProviderPayment) {
  const isTaken = await deps.lifecycle.onOrderPaid(deps, tx, checkout.order_id, payment.paid_at)
  if (isTaken) await applyOrderPayment(deps, tx, checkout, payment)
  return isTaken
}

/** Closes the open checkout of an order that is not to be paid any more. */
export async function closeOrderCheckout(tx: Tx, order_id: string, now: Date) {
  const row = await tx.selectFrom('checkout').selectAll().where('order_id', '=', order_id).executeTakeFirst()
  if (row?.status === 'open') await closeCheckout(tx, row, now)
}
