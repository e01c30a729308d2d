import type { Selectable } from 'kysely'
import type { Tx } from '../../../lib/db/database.ts'
import type { Payment, Refund } from '../../../lib/db/database-types.ts'
import { type LedgerEntry, postTransaction, reverseTransaction } from '../../ledger/ledger.ts'
import type { InvoiceRow } from '../invoices/records.ts'
import type { OrderCheckoutRow } from '../records/checkouts.ts'

type Used = Pick<Selectable<Payment>, 'use' | 'order_id'>
type Document = Pick<InvoiceRow, 'vat_amount'> | undefined

/**
 * Where the amount of a payment or refund goes besides the provider: to revenue and VAT as on its invoice or credit
 * note, whose VAT has the same sign. Those of an order to what is owed to its buyer.
 */
function entriesOf({ use, order_id }: Used, amount: bigint, document: Document): LedgerEntry[] {
  if (use === 'order') return [{ kind: 'refunds_payable', owner: order_id ?? '', amount }]
  if (use === 'unapplied') return [{ kind: 'unapplied_payments', amount }]
  const vat = BigInt(document?.vat_amount ?? 0)
  return [
    { kind: 'subscription_revenue', amount: amount - vat },
    { kind: 'vat_payable', amount: vat },
  ]
}

export function bookPayment(tx: Tx, payment: Selectable<Payment>, invoice: Document) {
  const amount = BigInt(payment.amount)
  return postTransaction(tx, {
    key: `payment:${payment.id}`,
    kind: 'subscription_payment',
    reference: payment.id,
    occurred_at: payment.paid_at,
    currency: payment.currency,
    entries: [
      { kind: 'provider_clearing', owner: payment.provider, amount: -amount },
      ...entriesOf(payment, amount, invoice),
    ],
  })
}

/** Books the payment of an order into its escrow. More than the price, as interest for instalments, is income. */
export function bookOrderPayment(
  tx: Tx,
  payment: Selectable<Payment>,
  { order_id, amount: price }: Pick<OrderCheckoutRow, 'order_id' | 'amount'>,
) {
  const amount = BigInt(payment.amount)
  return postTransaction(tx, {
    key: `payment:${payment.id}`,
    kind: 'order_payment',
    reference: payment.id,
    occurred_at: payment.paid_at,
    currency: payment.currency,
    entries: [
      { kind: 'provider_clearing', owner: payment.provider, amount: -amount },
      { kind: 'escrow', owner: order_id, amount: BigInt(price) },
      { kind: 'platform_fee', amount: amount - BigInt(price) },
    ],
  })
}

/** Books a refund that succeeded with its credit note, if there is one. */
export function bookRefund(
  tx: Tx,
  { payment, refund, creditNote }: { payment: Selectable<Payment>; refund: Selectable<Refund>; creditNote: Document },
) {
  const amount = BigInt(refund.amount)
  return postTransaction(tx, {
    key: `refund:${refund.id}`,
    kind: payment.use === 'order' ? 'order_refund' : 'subscription_refund',
    reference: refund.id,
    occurred_at: refund.settled_at ?? refund.created_at,
    currency: payment.currency,
    entries: [
      { kind: 'provider_clearing', owner: payment.provider, amount },
      ...entriesOf(payment, -amount, creditNote),
    ],
  })
}

/** Takes the booking of a refund back that failed at its provider after it had succeeded. */
export const reverseRefund = (
  tx: Tx,
  { payment, refund_id, occurred_at }: { payment: Selectable<Payment>; refund_id: string; occurred_at: Date },
) =>
  reverseTransaction(tx, {
    key: `refund:${refund_id}`,
    kind: payment.use === 'order' ? 'order_refund_failed' : 'subscription_refund_failed',
    occurred_at,
  })
