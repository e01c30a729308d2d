import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { audit, system } from '../../../lib/db/audit.ts'
import type { Db, Tx } from '../../../lib/db/database.ts'
import type { Payment, Refund } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { reverseCreditNote } from '../invoices/invoices.ts'
import { creditRefund } from '../invoices/subscription-invoices.ts'
import { bookRefund, reverseRefund } from './book-payments.ts'

export type RefundRow = Selectable<Refund>

/** Reads a payment and makes all other changes of its refunds wait until the commit, with those of its order. */
export async function lockPayment({ lifecycle }: Pick<Deps, 'lifecycle'>, tx: Tx, id: string) {
  const { order_id } = await tx.selectFrom('payment').select('order_id').where('id', '=', id).executeTakeFirstOrThrow()
  if (order_id) await lifecycle.lockOrder(tx, order_id)
  return tx.selectFrom('payment').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
}

/** Minor units of a payment that are refunded, or with `wished` also those that are about to be. */
export async function refundedOf(db: Db, payment_id: string, counted: 'succeeded' | 'wished') {
  const { sum } = await db
    .selectFrom('refund')
    .select(sql<string>`coalesce(sum(amount), 0)`.as('sum'))
    .where('payment_id', '=', payment_id)
    .where((where) =>
      where.or([
        where('status', '=', 'succeeded'),
        // An open dispute may be won, and the provider refuses a refund that it forbids.
        ...(counted === 'wished'
          ? [where.and([where('status', '=', 'pending'), where('is_dispute', '=', false)])]
          : []),
      ]),
    )
    .executeTakeFirstOrThrow()
  return BigInt(sum)
}

export type RefundOutcome = {
  status: RefundRow['status']
  provider_refund_id: string | null
  failure: string | null
  /** Minor units that the provider reports. */
  amount?: bigint
}

/** Stores the state of a refund with its credit note. The payment must be locked. Repeating it changes nothing. */
export async function settleRefund(
  deps: Deps,
  tx: Tx,
  payment: Selectable<Payment>,
  row: RefundRow,
  outcome: RefundOutcome,
): Promise<RefundRow> {
  if (isFinal(row)) return row
  const { status, amount, failure } = await bounded(tx, payment, row, outcome)
  const isSettled = status !== 'pending' && status !== row.status
  const after = await tx
    .updateTable('refund')
    .set({
      status,
      amount: String(amount),
      provider_refund_id: outcome.provider_refund_id ?? row.provider_refund_id,
      failure,
      ...(isSettled && { settled_at: deps.clock.now() }),
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (!isSettled) return after
  await audit(tx, system(payment.workspace_id), `refund.${status}`, row.id, { amount: after.amount })
  const returned = returnOf(payment, after)
  if (status === 'succeeded') {
    if (returned) await deps.lifecycle.onOrderReturned(deps, tx, returned)
    const creditNote = await creditRefund(tx, deps, { payment, refund: after })
    await bookRefund(tx, { payment, refund: after, creditNote })
  } else if (row.status === 'succeeded') {
    await reverseCreditNote(tx, deps, row.id)
    await reverseRefund(tx, { payment, refund_id: row.id, occurred_at: deps.clock.now() })
  }
  if (status === 'failed' && returned)
    await deps.lifecycle.onOrderReturnFailed(deps, tx, { ...returned, wasBooked: row.status === 'succeeded' })
  return after
}

/** Null: the payment is not of an order, or the order did not take it. */
const returnOf = ({ use, order_id, provider, id }: Selectable<Payment>, refund: RefundRow) =>
  use === 'order' && order_id
    ? { order_id, provider, payment_id: id, refund_id: refund.id, amount: BigInt(refund.amount) }
    : null

/** Whether the provider reported the failure. A refund that was given up here may have succeeded there. */
const isFinal = ({ status, provider_refund_id }: RefundRow) => status === 'failed' && provider_refund_id !== null

/** A success never returns more than is left of the payment, nor becomes pending again. */
async function bounded(tx: Tx, payment: Selectable<Payment>, row: RefundRow, outcome: RefundOutcome) {
  const status = row.status === 'succeeded' && outcome.status === 'pending' ? row.status : outcome.status
  const failure = status === 'failed' ? outcome.failure : null
  if (status !== 'succeeded' || row.status === 'succeeded') return { status, amount: BigInt(row.amount), failure }
  const left = BigInt(payment.amount) - (await refundedOf(tx, payment.id, 'succeeded'))
  const amount = minOf(outcome.amount ?? BigInt(row.amount), left)
  if (amount > 0n) return { status, amount, failure }
  const exceeding = 'All of the payment was returned before.'
  return { status: 'failed' as const, amount: BigInt(row.amount), failure: exceeding }
}

export const minOf = (one: bigint, other: bigint) => (one < other ? one : other)
