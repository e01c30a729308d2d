import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { voidOpenInvoices } from '../invoices/subscription-invoices.ts'
import { enqueueCheckoutSync } from '../providers/enqueue-sync.ts'
import { providerOf } from '../providers/registry.ts'
import type { CheckoutRow } from '../records/checkouts.ts'
import { lockBilling } from '../records/lock.ts'
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
  if (row?.provider_ref) await providerOf(row.provider).closeCheckout(deps, row.provider_ref)
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

/** Ends checkouts that were not paid in time, each in a transaction of its own. */
export async function expireCheckouts(deps: Pick<Deps, 'db' | 'clock' | 'lifecycle' | 'log'>) {
  const due = await deps.db
    .selectFrom('checkout')
    .select(['id', 'workspace_id'])
    .where('status', '=', 'open')
    .where('purpose', '<>', 'renewal')
    .where('expires_at', '<=', deps.clock.now())
    .orderBy('expires_at')
    .execute()
  for (const { id, workspace_id } of due)
    try {
      await expireCheckout(deps, id, workspace_id)
    } catch (error) {
      // One checkout must not hold up the others.
      deps.log.error({ err: error, checkout_id: id }, 'a checkout could not be expired and is retried in five minutes')
    }
}

const expireCheckout = (deps: Pick<Deps, 'db' | 'clock' | 'lifecycle'>, id: string, workspace_id: string) =>
  inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, workspace_id)
    const now = deps.clock.now()
    const expired = await tx
      .updateTable('checkout')
      .set({ status: 'expired', form_html: null, updated_at: now })
      .where('id', '=', id)
      .where('status', '=', 'open')
      .returning(['provider_ref', 'order_id'])
      .executeTakeFirst()
    if (!expired) return
    await tx
      .updateTable('payment_request')
      .set({ status: 'expired', decided_at: now })
      .where('checkout_id', '=', id)
      .where('status', '=', 'pending')
      .execute()
    // Reads the provider once more, because the event of a payment may be lost.
    if (expired.provider_ref) await enqueueCheckoutSync(tx, id)
    if (expired.order_id) await deps.lifecycle.onOrderUnpaid(deps, tx, expired.order_id)
  })
