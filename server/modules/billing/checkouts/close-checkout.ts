import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { voidOpenInvoices } from '../invoices/subscription-invoices.ts'
import { enqueueCheckoutSync } from '../providers/enqueue-sync.ts'
import { providerOf } from '../providers/registry.ts'
import type { CheckoutRow } from '../records/checkouts.ts'
import type { SubscriptionRow } from '../records/subscriptions.ts'

/** Closes a checkout that another one replaces. If it is paid nevertheless, its payment is settled like any other. */
export async function closeCheckout(tx: Tx, row: CheckoutRow, now: Date) {
  await tx
    .updateTable('checkout')
    .set({ status: 'expired', form_html: null, updated_at: now })
    .where('id', '=', row.id)
    .where('status', '=', 'open')
    .execute()
  await tx
    .updateTable('payment_request')
    .set({ status: 'withdrawn', decided_at: now })
    .where('checkout_id', '=', row.id)
    .where('status', '=', 'pending')
    .execute()
  if (row.provider_ref) await addJob(tx, 'close-checkout', { checkout_id: row.id }, { key: `close-checkout ${row.id}` })
}

/** Carries a closing out at the provider. */
export async function closeAtProvider(deps: Deps, { checkout_id }: { checkout_id: string }) {
  const row = await deps.db.selectFrom('checkout').selectAll().where('id', '=', checkout_id).executeTakeFirst()
  if (row?.provider_ref && row.status !== 'completed')
    await providerOf(row.provider).closeCheckout(deps, row.provider_ref)
}

/** Withdraws everything that the workspace can still pay for a plan. */
export async function closeOpenCheckouts(tx: Tx, workspace_id: string, now: Date) {
  const open = await tx
    .selectFrom('checkout')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('status', '=', 'open')
    .where('purpose', '<>', 'order')
    .execute()
  for (const checkout of open) await closeCheckout(tx, checkout, now)
}

const openCheckoutsOf = (tx: Tx, row: SubscriptionRow) =>
  tx.selectFrom('checkout').selectAll().where('subscription_id', '=', row.id).where('status', '=', 'open')

/** Withdraws what is still to be paid for a subscription. */
export async function withdrawOpenPayments(deps: Deps, tx: Tx, row: SubscriptionRow) {
  for (const checkout of await openCheckoutsOf(tx, row).execute()) await closeCheckout(tx, checkout, deps.clock.now())
  await voidOpenInvoices(tx, deps, row.id)
}

/** Withdraws changes that are still to be paid. A renewal stays as it is, with its invoice. */
export async function withdrawOpenChanges(deps: Deps, tx: Tx, row: SubscriptionRow) {
  const open = await openCheckoutsOf(tx, row).where('purpose', '<>', 'renewal').execute()
  for (const checkout of open) await closeCheckout(tx, checkout, deps.clock.now())
}

/** The renewal of a subscription that is still to be paid. */
export const findOpenRenewal = (tx: Tx, row: SubscriptionRow) =>
  openCheckoutsOf(tx, row).where('purpose', '=', 'renewal').executeTakeFirst()

/** Marks an open checkout as failed. Returns whether it was open. */
export async function failCheckout(deps: Pick<Deps, 'clock' | 'lifecycle'>, tx: Tx, row: CheckoutRow, failure: string) {
  const failed = await tx
    .updateTable('checkout')
    .set({ status: 'failed', failure: failure.slice(0, 400), form_html: null, updated_at: deps.clock.now() })
    .where('id', '=', row.id)
    .where('status', '=', 'open')
    .returning('id')
    .executeTakeFirst()
  if (failed && row.order_id) await deps.lifecycle.onOrderUnpaid(deps, tx, row.order_id)
  return failed !== undefined
}

/** Ends checkouts that were not paid in time. */
export const expireCheckouts = (deps: Pick<Deps, 'db' | 'clock' | 'lifecycle'>) =>
  inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const expired = await tx
      .updateTable('checkout')
      .set({ status: 'expired', form_html: null, updated_at: now })
      .where('status', '=', 'open')
      .where('purpose', '<>', 'renewal')
      .where('expires_at', '<=', now)
      .returning(['id', 'provider_ref', 'order_id'])
      .execute()
    // Reads the provider once more, because the event of a payment may be lost.
    for (const { id, provider_ref } of expired) if (provider_ref) await enqueueCheckoutSync(tx, id)
    for (const { order_id } of expired) if (order_id) await deps.lifecycle.onOrderUnpaid(deps, tx, order_id)
    await sql`update payment_request set status = 'expired', decided_at = ${now}
      where status = 'pending' and checkout_id = any(${expired.map(({ id }) => id)}::uuid[])`.execute(tx)
  })
