import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { invalid, notFound, problem } from '../../../errors.ts'
import { audit, system } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Payment, Subscription } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { toMajor } from '../../../lib/money.ts'
import { addJob } from '../../../lib/runtime/jobs.ts'
import { creditRefund } from '../invoices/subscription-invoices.ts'
import { ProviderError } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import { unused } from '../subscriptions/periods.ts'

type Request = { amount: bigint; reason: string; requested_by: string | null }

/** Minor units of a payment that are refunded or about to be. */
async function refundedOf(db: Db, payment_id: string, statuses: ('pending' | 'succeeded')[]) {
  const { sum } = await db
    .selectFrom('refund')
    .select(sql<string>`coalesce(sum(amount), 0)`.as('sum'))
    .where('payment_id', '=', payment_id)
    .where('status', 'in', statuses)
    .executeTakeFirstOrThrow()
  return BigInt(sum)
}

/** Commits the intent to refund. The job `refund-payment` carries it out. Refunds never exceed the payment. */
export async function requestRefund(
  deps: Deps,
  tx: Tx,
  payment: Selectable<Payment>,
  { amount, reason, requested_by }: Request,
) {
  await tx.selectFrom('payment').select('id').where('id', '=', payment.id).forUpdate().executeTakeFirstOrThrow()
  const left = BigInt(payment.amount) - (await refundedOf(tx, payment.id, ['pending', 'succeeded']))
  if (left === 0n) throw invalid('/amount', 'Nothing of this payment is left to refund.', 'too_large')
  if (amount <= 0n || amount > left)
    throw invalid('/amount', `More than 0 and at most ${toMajor(left)} of this payment can be refunded.`)
  const refund = await tx
    .insertInto('refund')
    .values({ payment_id: payment.id, amount: String(amount), reason, requested_by, created_at: deps.clock.now() })
    .returningAll()
    .executeTakeFirstOrThrow()
  await audit(tx, { user_id: requested_by, workspace_id: payment.workspace_id }, 'refund.requested', refund.id, {
    amount: refund.amount,
    currency: payment.currency,
    reason,
  })
  await addJob(tx, 'refund-payment', { refund_id: refund.id }, { key: `refund ${refund.id}`, maxAttempts: 25 })
  return refund
}

/** Refunds the part of a period that another subscription replaces from then on, from its last payment back. */
export async function refundUnused(deps: Deps, tx: Tx, row: Selectable<Subscription>, from: Date) {
  const period = { start: row.current_period_start, end: row.current_period_end }
  const payments = await tx
    .selectFrom('payment')
    .selectAll()
    .where('subscription_id', '=', row.id)
    .where('use', '=', 'applied')
    .where('period_end', '>', from)
    .orderBy('paid_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  let rest = unused(BigInt(row.amount), period, from)
  for (const payment of payments) {
    const left = BigInt(payment.amount) - (await refundedOf(tx, payment.id, ['pending', 'succeeded']))
    const amount = left < rest ? left : rest
    if (amount > 0n) await requestRefund(deps, tx, payment, { amount, reason: 'period_replaced', requested_by: null })
    rest -= amount
  }
}

/**
 * Carries a refund out. Repeated after an unknown outcome: the provider is given the same key, or asked how much was
 * refunded before.
 */
export async function refundPayment(deps: Deps, { refund_id }: { refund_id: string }, isLastAttempt: boolean) {
  const refund = await deps.db.selectFrom('refund').selectAll().where('id', '=', refund_id).executeTakeFirst()
  if (refund?.status !== 'pending') return
  const payment = await deps.db
    .selectFrom('payment')
    .selectAll()
    .where('id', '=', refund.payment_id)
    .executeTakeFirstOrThrow()
  try {
    const state = await providerOf(payment.provider).refund(deps, {
      payment_id: payment.provider_payment_id,
      amount: BigInt(refund.amount),
      refunded: await refundedOf(deps.db, payment.id, ['succeeded']),
      currency: payment.currency,
      key: `refund:${refund.id}`,
    })
    await settleRefund(deps, refund.id, { status: 'succeeded', provider_refund_id: state.id })
  } catch (error) {
    const isDefinite = error instanceof ProviderError && (error.kind === 'refused' || error.kind === 'declined')
    if (!isDefinite && !isLastAttempt) throw error
    await settleRefund(deps, refund.id, {
      status: 'failed',
      failure: error instanceof Error ? error.message.slice(0, 400) : null,
    })
  }
}

type Outcome = { status: 'succeeded'; provider_refund_id: string | null } | { status: 'failed'; failure: string | null }

/** Stores the outcome with its credit note. */
const settleRefund = (deps: Deps, refund_id: string, outcome: Outcome) =>
  inTransaction(deps.db, async (tx) => {
    const refund = await tx
      .updateTable('refund')
      .set({ ...outcome, settled_at: deps.clock.now() })
      .where('id', '=', refund_id)
      .where('status', '=', 'pending')
      .returningAll()
      .executeTakeFirst()
    if (!refund) return
    const payment = await tx
      .selectFrom('payment')
      .selectAll()
      .where('id', '=', refund.payment_id)
      .executeTakeFirstOrThrow()
    await audit(tx, system(payment.workspace_id), `refund.${outcome.status}`, refund.id, { amount: refund.amount })
    if (outcome.status === 'succeeded') await creditRefund(tx, deps, { payment, refund })
  })

/** Refunds an invoice for an instance admin: all of it, or a part. */
export const refundInvoice = (
  deps: Deps,
  user_id: string,
  invoice_id: string,
  { amount, reason }: { amount: bigint | null; reason: string },
) =>
  inTransaction(deps.db, async (tx) => {
    const invoice = await tx.selectFrom('invoice').selectAll().where('id', '=', invoice_id).executeTakeFirst()
    if (!invoice) throw notFound()
    if (!invoice.payment_id || invoice.kind !== 'invoice')
      throw problem('invalid_transition', { detail: 'Only a paid invoice can be refunded.' })
    const payment = await tx
      .selectFrom('payment')
      .selectAll()
      .where('id', '=', invoice.payment_id)
      .executeTakeFirstOrThrow()
    const refund = await requestRefund(deps, tx, payment, {
      amount: amount ?? BigInt(payment.amount) - (await refundedOf(tx, payment.id, ['pending', 'succeeded'])),
      reason,
      requested_by: user_id,
    })
    // With a provider that cannot refund, the admin has paid it back by hand.
    if (!providerOf(payment.provider).refunds)
      await settleRefund({ ...deps, db: tx }, refund.id, { status: 'succeeded', provider_refund_id: null })
    return refund
  })
