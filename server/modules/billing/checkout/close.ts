import type { Selectable } from 'kysely'
import type { Tx } from '../../../lib/db/database.ts'
import type { Checkout } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { voidOpenInvoices } from '../invoices/of-subscriptions.ts'
import type { SubscriptionRow } from '../subscriptions/change.ts'

/** Closes a checkout that another one replaces. If it is paid nevertheless, its payment is settled like any other. */
export async function closeCheckout(tx: Tx, row: Selectable<Checkout>, now: Date) {
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
  if (row.provider_ref && row.provider !== 'manual')
    await addJob(tx, 'close-checkout', { checkout_id: row.id }, { key: `close-checkout ${row.id}` })
}

/** Withdraws what is still to be paid for a subscription. */
export async function withdrawOpenPayments(deps: Deps, tx: Tx, row: SubscriptionRow) {
  const open = await tx
    .selectFrom('checkout')
    .selectAll()
    .where('subscription_id', '=', row.id)
    .where('status', '=', 'open')
    .execute()
  for (const checkout of open) await closeCheckout(tx, checkout, deps.clock.now())
  await voidOpenInvoices(tx, deps, row.id)
}
