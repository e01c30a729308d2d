import { system } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { enqueueProviderEnd, enqueueSubscriptionSync } from '../enqueue-sync.ts'
import { lockBilling } from '../lock.ts'
import { applyOrderPayment, applyPayment, recordPayment } from '../payments/payments.ts'
import { refundUnused } from '../payments/refunds.ts'
import type { ProviderPayment, ProviderSubscription } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import { applyProviderState, prorates } from '../subscriptions/apply-provider-state.ts'
import { changeSubscription, noPendingChange, startSubscription } from '../subscriptions/change-subscription.ts'
import { periodEndAfter } from '../subscriptions/periods.ts'
import { findLive, isFree, type SubscriptionRow } from '../subscriptions/subscriptions.ts'
import { renewalDueAgain } from '../subscriptions/timers.ts'
import {
  type CheckoutRow,
  type OrderCheckoutRow,
  type PlanCheckoutRow,
  paysOrder,
  paysPlan,
  readRow,
} from './checkouts.ts'
import { closeOpenCheckouts, failCheckout, withdrawOpenPayments } from './close-checkout.ts'
import { claimTrial, noteTrial } from './trials.ts'

/** Reads the state of a checkout from its provider, and applies it. */
export async function syncCheckout(deps: Deps, { checkout_id }: { checkout_id: string }) {
  const row = await deps.db.selectFrom('checkout').selectAll().where('id', '=', checkout_id).executeTakeFirst()
  // Also set for one that was paid or confirmed, and refused.
  if (!row?.provider_ref || row.completed_at) return
  const provider = providerOf(row.provider)
  const state = await provider.readCheckout(deps, { id: row.id, ref: row.provider_ref, currency: row.currency })
  if (state.status !== 'completed' && state.status !== 'failed') return
  const remote =
    state.status === 'completed' && state.subscription_id
      ? await provider.readSubscription(deps, state.subscription_id)
      : null
  // The provider does not show it yet: the job runs again.
  if (state.status === 'completed' && state.subscription_id && (!remote || remote.status === 'pending'))
    throw new Error('the subscription of a paid checkout is not started yet')
  const after = await inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, row.workspace_id)
    const now = await readRow(tx, row.id)
    if (now.completed_at) return now
    if (state.status === 'failed') await failCheckout(deps, tx, now, state.message)
    else await completeCheckout(deps, tx, now, { remote, payment: state.payment })
    return readRow(tx, row.id)
  })
  // The job runs again until the payment is known, so that it is returned.
  if (state.status === 'completed' && !after.completed_at)
    throw new Error('the payment of a refused checkout is not listed yet')
}

type Paid = { remote: ProviderSubscription | null; payment: ProviderPayment | null }

/**
 * Applies a paid checkout, whatever our row says about it: somebody may pay after it was closed or had expired. Null:
 * nothing was to pay. The billing of the workspace must be locked.
 */
export async function completeCheckout(deps: Deps, tx: Tx, row: CheckoutRow, paid: Paid | null) {
  const now = deps.clock.now()
  await tx
    .updateTable('checkout')
    .set({ status: 'completed', failure: null, form_html: null, completed_at: now, updated_at: now })
    .where('id', '=', row.id)
    .execute()
  if (paysPlan(row)) await completePlan(deps, tx, row, paid)
  else if (paysOrder(row) && paid?.payment) await completeOrder(deps, tx, row, paid.payment)
}

/** Applies the payment of an order, unless it is too late or too little. */
async function completeOrder(deps: Deps, tx: Tx, checkout: OrderCheckoutRow, payment: ProviderPayment) {
  const isDue = pays(checkout, payment) && !(await isDeleted(tx, checkout.workspace_id))
  if (isDue && (await deps.lifecycle.onOrderPaid(deps, tx, checkout.order_id, payment.paid_at)))
    await applyOrderPayment(deps, tx, checkout, payment)
  else await recordPayment(deps, tx, { subscription: null, checkout, payment, use: 'unapplied' })
}

async function completePlan(deps: Deps, tx: Tx, row: PlanCheckoutRow, paid: Paid | null) {
  const now = deps.clock.now()
  const live = await findLive(tx, row.workspace_id)
  const refuse = () => refusePayment(deps, tx, row, paid)
  if ((paid?.payment && !pays(row, paid.payment)) || (await isDeleted(tx, row.workspace_id))) return refuse()
  if (row.purpose === 'start') {
    if (live || hasEnded(row, paid, now)) return refuse()
    if (row.trial_days > 0 && !(await claimTrial(tx, row.workspace_id, providerOf(row.provider))))
      return refuseTrial(deps, tx, row, paid)
    return start(deps, tx, row, paid)
  }
  const target = live?.id === row.subscription_id ? live : undefined
  if (!target || (await isSuperseded(tx, row))) return refuse()
  // The price was the difference for a period that has ended.
  const isRenewed = providerOf(row.provider).renews && target.current_period_start > row.created_at
  if (row.purpose === 'change' && !paid?.remote && isRenewed) return refuse()
  if (row.purpose === 'change' && target.status === 'past_due') return refuse()
  if (row.purpose === 'renewal') return renew(deps, tx, row, target, paid)
  return change(deps, tx, row, target, paid)
}

/** Whether a payment is at least what was asked for, in its currency. Instalments cost more. */
const pays = (row: CheckoutRow, { amount, currency }: ProviderPayment) =>
  currency === row.currency && amount >= BigInt(row.amount)

/** Whether the subscription ended at the provider before it was known here. */
const hasEnded = ({ provider }: CheckoutRow, paid: Paid | null, now: Date) =>
  (paid?.remote?.status === 'canceled' || paid?.remote?.status === 'expired') &&
  // One that was canceled at once, for want of another way, works until the end of the paid period.
  (providerOf(provider).cancelsAtPeriodEnd || !paid.remote.period || paid.remote.period.end <= now)

const isDeleted = async (tx: Tx, workspace_id: string) => {
  const { deleted_at } = await tx
    .selectFrom('workspace')
    .select('deleted_at')
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow()
  return deleted_at !== null
}

/** Whether another checkout of the subscription was paid since this one was made: its price and period are then outdated. */
async function isSuperseded(tx: Tx, { id, subscription_id, created_at }: CheckoutRow) {
  const later = await tx
    .selectFrom('checkout')
    .select('id')
    .where('subscription_id', '=', subscription_id)
    .where('id', '<>', id)
    .where('status', '=', 'completed')
    .where('completed_at', '>', created_at)
    .limit(1)
    .executeTakeFirst()
  return later !== undefined
}

/** A payment for what runs already or has ended grants nothing: it is returned. */
async function refusePayment(deps: Deps, tx: Tx, row: CheckoutRow, paid: Paid | null) {
  const payments = [...(paid?.payment ? [paid.payment] : []), ...(paid?.remote?.payments ?? [])]
  for (const payment of payments)
    await recordPayment(deps, tx, { subscription: null, checkout: row, payment, use: 'unapplied' })
  if (!paid?.remote) return
  await enqueueProviderEnd(tx, row.provider, paid.remote.id)
  if (paid.remote.has_unlisted_payment)
    await tx.updateTable('checkout').set({ completed_at: null }).where('id', '=', row.id).execute()
}

/** Refuses a checkout whose trial is gone: the buyer did not agree to pay at once. Nothing begins or is charged. */
async function refuseTrial(deps: Deps, tx: Tx, row: CheckoutRow, paid: Paid | null) {
  const failure = 'The workspace or one of its owners had a trial before. Nothing was charged.'
  await tx.updateTable('checkout').set({ status: 'failed', failure }).where('id', '=', row.id).execute()
  await refusePayment(deps, tx, row, paid)
}

async function start(deps: Deps, tx: Tx, row: PlanCheckoutRow, paid: Paid | null) {
  const now = deps.clock.now()
  const remote = paid?.remote ?? null
  const begun = remote?.period?.start ?? paid?.payment?.paid_at ?? now
  const isTrial = remote?.status === 'trialing'
  const subscription = await startSubscription(deps, tx, system(row.workspace_id), isTrial ? 'start_trial' : 'start', {
    workspace_id: row.workspace_id,
    plan_code: row.plan_code,
    trial_end: isTrial ? remote.trial_end : null,
    anchor: begun,
    current_period_start: begun,
    current_period_end: remote?.period?.end ?? periodEndAfter(begun, row.billing_period, begun),
    billing_currency: row.currency,
    billing_period: row.billing_period,
    amount: row.period_amount,
    provider: row.provider,
    provider_subscription_id: remote?.id ?? null,
    provider_customer_id: remote?.customer_id ?? null,
    created_at: now,
  })
  await tx.updateTable('checkout').set({ subscription_id: subscription.id }).where('id', '=', row.id).execute()
  await closeOpenCheckouts(tx, row.workspace_id, now)
  if (isTrial || row.trial_days > 0) await noteTrial(tx, row.workspace_id)
  if (paid?.payment) await applyPayment(deps, tx, subscription, row, withPeriod(paid.payment, subscription))
  if (remote) await applyProviderState(deps, tx, subscription, remote)
}

const withPeriod = (payment: ProviderPayment, row: SubscriptionRow): ProviderPayment => ({
  ...payment,
  period: payment.period ?? { start: row.current_period_start, end: row.current_period_end },
})

/** The next period of a subscription that Meydan renews. Its plan is the pending one, if there is one. */
async function renew(deps: Deps, tx: Tx, row: PlanCheckoutRow, target: SubscriptionRow, paid: Paid | null) {
  const start = target.current_period_end
  const anchor = row.billing_period === target.billing_period ? target.anchor : start
  const end = periodEndAfter(anchor, row.billing_period, start)
  const renewed = await changeSubscription(deps, tx, system(row.workspace_id), 'pay', target, {
    plan_code: row.plan_code,
    billing_period: row.billing_period,
    amount: row.period_amount,
    anchor,
    current_period_start: start,
    current_period_end: end,
    ...noPendingChange,
  })
  if (paid?.payment) await applyPayment(deps, tx, renewed, row, { ...paid.payment, period: { start, end } })
  await withdrawOpenPayments(deps, tx, renewed)
}

/** Changes the plan now. Another length of period, or the end of a free plan, begins a new period. */
async function change(deps: Deps, tx: Tx, row: PlanCheckoutRow, target: SubscriptionRow, paid: Paid | null) {
  const now = deps.clock.now()
  const remote = paid?.remote ?? null
  const restarts = remote !== null || isFree(target) || row.billing_period !== target.billing_period
  const start = remote?.period?.start ?? now
  const end = remote?.period?.end ?? periodEndAfter(now, row.billing_period, now)
  // A renewal that is open costs what the former plan did.
  await withdrawOpenPayments(deps, tx, target)
  const changed = await changeSubscription(deps, tx, system(row.workspace_id), 'change_plan', target, {
    plan_code: row.plan_code,
    billing_period: row.billing_period,
    amount: row.period_amount,
    provider: row.provider,
    price_ref: prorates(row) ? null : remote ? remote.price_ref : row.price_ref,
    ...noPendingChange,
    ...renewalDueAgain(target),
    ...(restarts && { anchor: start, current_period_start: start, current_period_end: end }),
    ...(remote && { provider_subscription_id: remote.id, provider_customer_id: remote.customer_id }),
  })
  if (remote && target.provider_subscription_id) {
    await enqueueProviderEnd(tx, row.provider, target.provider_subscription_id)
    await refundUnused(deps, tx, target, start)
  }
  if (paid?.payment) await applyPayment(deps, tx, changed, row, withPeriod(paid.payment, changed))
  if (remote) await applyProviderState(deps, tx, changed, remote)
  else await enqueueSubscriptionSync(tx, changed.id)
}
