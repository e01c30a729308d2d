import { system } from '../../../lib/db/audit.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { closeOpenCheckouts, withdrawOpenPayments } from '../checkouts/close-checkout.ts'
import { claimTrial, noteTrial } from '../checkouts/trials.ts'
import { applyPayment } from '../payments/payments.ts'
import { refundUnused } from '../payments/refunds.ts'
import { enqueueProviderEnd, enqueueSubscriptionSync } from '../providers/enqueue-sync.ts'
import type { ProviderPayment, ProviderSubscription } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import type { PlanCheckoutRow } from '../records/checkouts.ts'
import { periodEndAfter } from '../records/periods.ts'
import { findLive, isFree, type SubscriptionRow } from '../records/subscriptions.ts'
import { renewalDueAgain } from '../records/timers.ts'
import { changeSubscription, noPendingChange, startSubscription } from '../subscriptions/change-subscription.ts'
import { applyProviderState, prorates } from './apply-provider-state.ts'

/** The state of a paid checkout at its provider: the subscription that it began, or its single payment. */
export type Paid = { remote: ProviderSubscription | null; payment: ProviderPayment | null }

/** Starts, renews or changes a subscription whose checkout was paid. Returns whether it takes the payment. */
export async function settlePlan(deps: Deps, tx: Tx, row: PlanCheckoutRow, paid: Paid | null): Promise<boolean> {
  const now = deps.clock.now()
  const live = await findLive(tx, row.workspace_id)
  if (row.purpose === 'start') {
    if (live || hasEnded(row, paid, now)) return false
    if (row.trial_days > 0 && !(await claimTrial(tx, row.workspace_id, providerOf(row.provider))))
      return refuseTrial(tx, row)
    await start(deps, tx, row, paid)
    return true
  }
  const target = live?.id === row.subscription_id ? live : undefined
  if (!target || (await isSuperseded(tx, row))) return false
  // The price was the difference for a period that has ended.
  const isRenewed = providerOf(row.provider).renews && target.current_period_start > row.created_at
  if (row.purpose === 'change' && !paid?.remote && isRenewed) return false
  if (row.purpose === 'change' && target.status === 'past_due') return false
  if (row.purpose === 'renewal') await renew(deps, tx, row, target, paid)
  else await change(deps, tx, row, target, paid)
  return true
}

/** Whether the subscription ended at the provider before it was known here. */
const hasEnded = ({ provider }: PlanCheckoutRow, paid: Paid | null, now: Date) =>
  (paid?.remote?.status === 'canceled' || paid?.remote?.status === 'expired') &&
  // One that was canceled at once, for want of another way, works until the end of the paid period.
  (providerOf(provider).cancelsAtPeriodEnd || !paid.remote.period || paid.remote.period.end <= now)

/** Whether another checkout of the subscription was paid since this one was made: its price and period are then outdated. */
async function isSuperseded(tx: Tx, { id, subscription_id, created_at }: PlanCheckoutRow) {
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

/** Refuses a checkout whose trial is gone: the buyer did not agree to pay at once. Nothing begins or is charged. */
async function refuseTrial(tx: Tx, row: PlanCheckoutRow) {
  const failure = 'The workspace or one of its owners had a trial before. Nothing was charged.'
  await tx.updateTable('checkout').set({ status: 'failed', failure }).where('id', '=', row.id).execute()
  return false
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
  // The provider may have a trial of its own.
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
