import type { Selectable } from 'kysely'
import { invalid, notFound, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Payment, Subscription } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import { toMajor } from '../../../lib/money.ts'
import { type Attempt, addJob } from '../../../lib/runtime/jobs.ts'
import { lockBalances } from '../../ledger/ledger.ts'
import { ProviderError } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import { unused } from '../records/periods.ts'
import { lockPayment, type RefundOutcome, refundedOf, settleRefund } from './settle-refund.ts'
import { syncRefunds } from './sync-refunds.ts'

/** Reason of the refund of a payment that grants nothing. */
export const NOT_APPLIED = 'not_applied'

type Request = { amount: bigint; reason: string; requested_by: string | null }

/** Commits the intent to refund. The job `refund-payment` carries it out. Refunds never exceed the payment. */
export async function requestRefund(
  deps: Deps,
  tx: Tx,
  payment: Selectable<Payment>,
  { amount, reason, requested_by }: Request,
) {
  await lockPayment(deps, tx, payment.id)
  const left = BigInt(payment.amount) - (await refundedOf(tx, payment.id, 'wished'))
  if (left <= 0n) throw invalid('/amount', 'Nothing of this payment is left to refund.', 'too_large')
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
  await enqueueRefund(tx, refund.id)
  return refund
}

const enqueueRefund = (tx: Tx, refund_id: string, runAt?: Date) =>
  addJob(tx, 'refund-payment', { refund_id }, { key: `refund ${refund_id}`, maxAttempts: 25, ...(runAt && { runAt }) })

/**
 * Requests what failed again. A refund whose outcome is unknown keeps its key, so that the provider makes it once; the
 * rest is a new one.
 */
export async function retryRefund(deps: Deps, tx: Tx, payment: Selectable<Payment>, request: Request) {
  await lockPayment(deps, tx, payment.id)
  const failed = await tx
    .updateTable('refund')
    .set({ status: 'pending', failure: null, settled_at: null })
    .where('id', '=', (given) =>
      given
        .selectFrom('refund')
        .select('id')
        .where('payment_id', '=', payment.id)
        .where('status', '=', 'failed')
        .where('provider_refund_id', 'is', null)
        .where('amount', '<=', String(request.amount))
        .orderBy('id', 'desc')
        .limit(1),
    )
    .returning(['id', 'amount'])
    .executeTakeFirst()
  if (failed) await enqueueRefund(tx, failed.id)
  const rest = request.amount - BigInt(failed?.amount ?? 0)
  if (rest > 0n) await requestRefund(deps, tx, payment, { ...request, amount: rest })
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
    const left = BigInt(payment.amount) - (await refundedOf(tx, payment.id, 'wished'))
    const amount = left < rest ? left : rest
    if (amount > 0n) await requestRefund(deps, tx, payment, { amount, reason: 'period_replaced', requested_by: null })
    rest -= amount
  }
}

/**
 * Carries a refund out. What the provider knows of the payment is read before, so that a refund whose response was lost
 * is not made again. One that is pending there is settled by a later event, or at night.
 */
export async function refundPayment(deps: Deps, { refund_id }: { refund_id: string }, { isLast }: Attempt) {
  const waiting = await readWaiting(deps, refund_id)
  if (!waiting) return
  const settle = (outcome: RefundOutcome) =>
    inTransaction(deps.db, async (tx) => {
      const payment = await lockPayment(deps, tx, waiting.payment_id)
      const row = await tx.selectFrom('refund').selectAll().where('id', '=', refund_id).executeTakeFirstOrThrow()
      if (row.status === 'pending') await settleRefund(deps, tx, payment, row, outcome)
    })
  try {
    await syncRefunds(deps, waiting)
    await fitToRest(deps, refund_id)
    const refund = await beginCall(deps, refund_id)
    if (!refund) return
    const { status, id } = await providerOf(refund.provider).refund(deps, {
      payment_id: refund.provider_payment_id,
      amount: BigInt(refund.amount),
      currency: refund.currency,
      key: `refund:${refund_id}`,
    })
    await settle({ status, provider_refund_id: id, failure: null })
  } catch (error) {
    if (error instanceof ProviderError && error.kind !== 'unknown') await setSent(deps.db, refund_id, null)
    const isDefinite = error instanceof ProviderError && (error.kind === 'refused' || error.kind === 'declined')
    if (!isDefinite && !isLast) throw error
    const failure = error instanceof Error ? error.message.slice(0, 400) : null
    await settle({ status: 'failed', provider_refund_id: null, failure })
  }
}

const setSent = (db: Db, id: string, sent_at: Date | null) =>
  db.updateTable('refund').set({ sent_at }).where('id', '=', id).execute()

/**
 * Commits that the provider is called. undefined: nothing is left to call for, or an earlier call may have made the
 * refund and the provider does not list it yet. Then the job runs again when it would.
 */
const beginCall = (deps: Deps, refund_id: string) =>
  inTransaction(deps.db, async (tx) => {
    const refund = await readWaiting({ ...deps, db: tx }, refund_id)
    if (!refund) return
    const now = deps.clock.now()
    const { refundListedMs } = providerOf(refund.provider)
    const listedAt = new Date((refund.sent_at?.getTime() ?? 0) + refundListedMs)
    if (listedAt > now) {
      await enqueueRefund(tx, refund_id, listedAt)
      return
    }
    await setSent(tx, refund_id, now)
    return refund
  })

/**
 * Reduces the refund of a payment that grants nothing, or of an order, to what is still to be returned: some of it may
 * have been, as in the provider's panel. Fails that of an order whose payment was returned whole.
 */
const fitToRest = (deps: Deps, refund_id: string) =>
  inTransaction(deps.db, async (tx) => {
    const waiting = await readWaiting({ ...deps, db: tx }, refund_id)
    if (!waiting) return
    const payment = await lockPayment(deps, tx, waiting.payment_id)
    if (waiting.reason !== NOT_APPLIED && payment.use !== 'order') return
    const row = await tx.selectFrom('refund').selectAll().where('id', '=', refund_id).executeTakeFirstOrThrow()
    const left = await leftToReturn(tx, payment)
    if (row.status !== 'pending' || left >= BigInt(row.amount)) return
    if (left > 0n)
      await tx
        .updateTable('refund')
        .set({ amount: String(left) })
        .where('id', '=', refund_id)
        .execute()
    else if (payment.use === 'order')
      await settleRefund(deps, tx, payment, row, {
        status: 'failed',
        provider_refund_id: null,
        failure: 'All that was owed was returned before.',
      })
  })

async function leftToReturn(tx: Tx, payment: Selectable<Payment>) {
  if (payment.use !== 'order') return BigInt(payment.amount) - (await refundedOf(tx, payment.id, 'succeeded'))
  const account = { kind: 'refunds_payable', owner: payment.order_id ?? '' } as const
  const [owed = 0n] = await lockBalances(tx, payment.currency, [account])
  return owed
}

/** A refund that its provider does not know yet. */
const readWaiting = ({ db }: Deps, id: string) =>
  db
    .selectFrom('refund')
    .innerJoin('payment', 'payment.id', 'refund.payment_id')
    .select(['refund.payment_id', 'refund.amount', 'refund.reason', 'refund.sent_at'])
    .select(['provider', 'provider_payment_id', 'currency'])
    .where('refund.id', '=', id)
    .where('refund.status', '=', 'pending')
    .where('provider_refund_id', 'is', null)
    .executeTakeFirst()

/** Records a refund that an instance admin paid by hand. */
export async function recordRefund(deps: Deps, tx: Tx, payment: Selectable<Payment>, request: Request) {
  const refund = await requestRefund(deps, tx, payment, request)
  return settleRefund(deps, tx, payment, refund, { status: 'succeeded', provider_refund_id: null, failure: null })
}

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
    const request = {
      amount: amount ?? BigInt(payment.amount) - (await refundedOf(tx, payment.id, 'wished')),
      reason,
      requested_by: user_id,
    }
    return providerOf(payment.provider).refunds
      ? requestRefund(deps, tx, payment, request)
      : recordRefund(deps, tx, payment, request)
  })
