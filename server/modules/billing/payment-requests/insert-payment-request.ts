import type { Selectable } from 'kysely'
import type { Tx } from '../../../lib/db/database.ts'
import type { Checkout } from '../../../lib/db/database-types.ts'

/** Asks an instance admin to decide about the payment of a checkout. */
export const insertPaymentRequest = (tx: Tx, checkout: Selectable<Checkout>) =>
  tx
    .insertInto('payment_request')
    .values({
      checkout_id: checkout.id,
      workspace_id: checkout.workspace_id,
      plan_code: checkout.plan_code,
      order_id: checkout.order_id,
      amount: checkout.amount,
      currency: checkout.currency,
    })
    .execute()
