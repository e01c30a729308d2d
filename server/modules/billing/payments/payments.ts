import type { Selectable } from 'kysely'
import { audit, system } from '../../../lib/db/audit.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Checkout, Payment, Subscription } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { invoicePayment } from '../invoices/subscription-invoices.ts'
import { enqueueRefundSync } from '../providers/enqueue-sync.ts'
import type { ProviderPayment } from '../providers/provider.ts'
import { planOfPrice, providerOf } from '../providers/registry.ts'
import type { OrderCheckoutRow } from '../records/checkouts.ts'
import { bookOrderPayment, bookPayment } from './book-payments.ts'
import { NOT_APPLIED, requestRefund } from './refunds.ts'

type Received = {
  subscription: Selectable<Subscription> | null
  checkout: Selectable<Checkout> | null
  payment: ProviderPayment
  use: Payment['use']
}

/**
 * Records a payment once. undefined: it is known. An unapplied one is refunded where the provider can; otherwise an
 * instance admin finds it in the overview.
 */
export async function recordPayment(deps: Deps, tx: Tx, { subscription, checkout, payment, use }: Received) {
  const owner = subscription ?? checkout
  if (!owner) throw new Error('A payment belongs to a subscription or a checkout')
  const row = await tx
    .insertInto('payment')
    .values({
      workspace_id: owner.workspace_id,
      subscription_id: subscription?.id ?? null,
      checkout_id: checkout?.id ?? null,
      order_id: checkout?.order_id ?? null,
      provider: owner.provider,
      provider_payment_id: payment.id,
      currency: payment.currency,
      amount: String(payment.amount),
      paid_at: payment.paid_at,
      period_start: payment.period?.start ?? null,
      period_end: payment.period?.end ?? null,
      use,
    })
    .onConflict((conflict) => conflict.constraint('payment_provider_key').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) return
  await audit(tx, system(owner.workspace_id), `payment.${use}`, row.id, {
    provider: row.provider,
    amount: row.amount,
    currency: row.currency,
  })
  if (use === 'unapplied' && providerOf(row.provider).refunds)
    await requestRefund(deps, tx, row, { amount: BigInt(row.amount), reason: NOT_APPLIED, requested_by: null })
  // Some of it was refunded before, or the provider does not report that with the payment.
  if (payment.refunded !== 0n) await enqueueRefundSync(tx, row.id)
  if (use === 'unapplied') await bookPayment(tx, row, undefined)
  return row
}

/** Records the payment of an order, unless it is known. The ledger holds it in escrow. */
export async function applyOrderPayment(deps: Deps, tx: Tx, checkout: OrderCheckoutRow, payment: ProviderPayment) {
  const row = await recordPayment(deps, tx, { subscription: null, checkout, payment, use: 'order' })
  if (row) await bookOrderPayment(tx, row, checkout)
}

/** Records a payment with its invoice, unless it is known. */
export async function applyPayment(
  deps: Deps,
  tx: Tx,
  subscription: Selectable<Subscription>,
  checkout: Selectable<Checkout> | null,
  payment: ProviderPayment,
) {
  const row = await recordPayment(deps, tx, { subscription, checkout, payment, use: 'applied' })
  if (!row) return
  const invoice = await invoicePayment(tx, deps, {
    payment: row,
    subscription,
    checkout_id: checkout?.id ?? null,
    credit: await creditOf(tx, row, payment),
  })
  await bookPayment(tx, row, invoice)
  return row
}

/** The credit of a payment with the plan that it is for; undefined if no plan has that price. */
async function creditOf(tx: Tx, { provider, currency }: Selectable<Payment>, { credit }: ProviderPayment) {
  const former = credit && (await planOfPrice(tx, provider, credit.price_ref, currency))
  return former && { amount: credit.amount, plan_code: former.plan_code, period: former.period }
}
