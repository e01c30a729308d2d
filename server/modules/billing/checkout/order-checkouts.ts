import type { Static } from 'typebox'
import { audit } from '../../../lib/db/audit.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { Buyer } from '../buyer.schema.ts'
import { insertPaymentRequest } from '../payment-requests/insert-payment-request.ts'
import { assertConfigured, providerOf } from '../providers/registry.ts'
import type { CheckoutRow } from './checkouts.ts'
import { closeCheckout } from './close-checkout.ts'
import { PAY_MS, REQUEST_MS } from './insert-checkout.ts'
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
export async function insertOrderCheckout(deps: Pick<Deps, 'clock'>, tx: Tx, caller: Member, sold: Sold) {
  const now = deps.clock.now()
  const { kind } = providerOf(sold.provider)
  const row = await tx
    .insertInto('checkout')
    .values({
      ...sold,
      kind,
      purpose: 'order',
      workspace_id: caller.workspace_id,
      created_by: caller.user_id,
      created_at: now,
      updated_at: now,
      expires_at: new Date(now.getTime() + (kind === 'payment_request' ? REQUEST_MS : PAY_MS)),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await audit(tx, caller, 'checkout.created', row.id, { order_id: sold.order_id, provider: row.provider })
  if (kind === 'payment_request') await insertPaymentRequest(tx, row)
  return row
}

/** Closes the open checkout of an order that is not to be paid any more. */
export async function closeOrderCheckout(tx: Tx, order_id: string, now: Date) {
  const row = await tx.selectFrom('checkout').selectAll().where('order_id', '=', order_id).executeTakeFirst()
  if (row?.status === 'open') await closeCheckout(tx, row, now)
}
