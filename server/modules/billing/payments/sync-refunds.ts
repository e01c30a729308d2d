import type { Selectable } from 'kysely'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Payment } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { ProviderRefund } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import { lockPayment, minOf, type RefundRow, settleRefund } from './settle-refund.ts'

/**
 * Reads the refunds and disputes of a payment from its provider. Those that are unknown here get a row, and all get their
 * state and their credit note. Depends only on what is read, so events may come in any order and any number of times.
 */
export async function syncRefunds(deps: Deps, { payment_id }: { payment_id: string }) {
  const { provider, currency, provider_payment_id } = await deps.db
    .selectFrom('payment')
    .select(['provider', 'currency', 'provider_payment_id'])
    .where('id', '=', payment_id)
    .executeTakeFirstOrThrow()
  const refunds = await providerOf(provider).readRefunds(deps, { payment_id: provider_payment_id, currency })
  if (refunds.length === 0) return
  await inTransaction(deps.db, async (tx) => {
    const payment = await lockPayment(deps, tx, payment_id)
    let rows = await tx.selectFrom('refund').selectAll().where('payment_id', '=', payment_id).orderBy('id').execute()
    for (const refund of refunds.toSorted(byStatus)) {
      const row = matching(rows, refund) ?? (await insertFound(deps, tx, payment, refund))
      if (!row) continue
      const { id: provider_refund_id, status, failure, amount } = refund
      const outcome = { status, provider_refund_id, failure, amount }
      const after = await settleRefund(deps, tx, payment, row, outcome)
      rows = [...rows.filter(({ id }) => id !== after.id), after]
    }
  })
}

/** Failures first: what they did not return is left for the others. */
const order = ['failed', 'succeeded', 'pending']
const byStatus = (a: ProviderRefund, b: ProviderRefund) => order.indexOf(a.status) - order.indexOf(b.status)

const keyOf = ({ id }: RefundRow) => `refund:${id}`

/**
 * Finds the row of a refund: by id, by key, or, if the provider has neither, by an amount that was requested here. A
 * second refund with the key of the first has an id of its own, and moved money of its own.
 */
const matching = (rows: readonly RefundRow[], { id, key, amount, is_dispute }: ProviderRefund) =>
  rows.find((row) => row.provider_refund_id === id) ??
  rows.find((row) => row.provider_refund_id === null && keyOf(row) === key) ??
  (key === undefined && !is_dispute
    ? rows.find((row) => row.provider_refund_id === null && BigInt(row.amount) === amount)
    : undefined)

/** Inserts a refund that was made at the provider, unless it failed. */
function insertFound(deps: Deps, tx: Tx, payment: Selectable<Payment>, refund: ProviderRefund) {
  if (refund.status === 'failed') return
  const { id, amount, is_dispute, reason } = refund
  return tx
    .insertInto('refund')
    .values({
      payment_id: payment.id,
      amount: String(minOf(amount, BigInt(payment.amount))),
      is_dispute,
      reason: reason ?? (is_dispute ? 'dispute' : null),
      provider_refund_id: id,
      created_at: deps.clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
