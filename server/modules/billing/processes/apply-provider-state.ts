import { DAY } from '../../../../shared/time.ts'
import { system } from '../../../lib/db/audit.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { applyPayment, recordPayment } from '../payments/payments.ts'
import type { ProviderPayment, ProviderSubscription } from '../providers/provider.ts'
import { planOfPrice, providerOf } from '../providers/registry.ts'
import type { SubscriptionRow } from '../records/subscriptions.ts'
import { CHARGE_MS } from '../records/timers.ts'
import { isLive, type TransitionName } from '../records/transitions.ts'
import { changeSubscription, noPendingChange } from '../subscriptions/change-subscription.ts'
import { announceFailure } from '../subscriptions/payment-failure.ts'
import { endSubscription } from './cancel-and-resume.ts'

/** The transition of the subscription that a status of the provider means. Undefined if there is none. */
function transitionTo(row: SubscriptionRow, remote: ProviderSubscription, now: Date): TransitionName | undefined {
  const ends: Partial<Record<ProviderSubscription['status'], TransitionName | undefined>> = {
    canceled: cancelTransition(row, now),
    expired: 'expire',
  }
  if (remote.status in ends) return ends[remote.status]
  if (remote.status === 'active' && row.status !== 'active') return 'pay'
  if (remote.status === 'past_due' && row.status !== 'past_due') return 'miss_payment'
}

/** The transition for a canceled state. A provider may only cancel at once: access then lasts until the paid end. */
function cancelTransition(row: SubscriptionRow, now: Date) {
  if (row.current_period_end <= now) return 'cancel_now'
  if (row.cancel_at_period_end) return undefined
  return providerOf(row.provider).cancelsAtPeriodEnd || row.status === 'past_due' ? 'cancel_now' : 'request_cancel'
}

/**
 * Whether a payment was charged for the period after the end that somebody asked for, because the provider, which cannot
 * end a subscription with its period, was not canceled in time.
 */
const isUnwanted = (row: SubscriptionRow, { period, paid_at }: ProviderPayment) =>
  row.cancel_at_period_end &&
  !providerOf(row.provider).cancelsAtPeriodEnd &&
  period !== null &&
  period.start >= row.current_period_end &&
  row.cancel_requested_at !== null &&
  paid_at > row.cancel_requested_at

/**
 * Applies the state that the provider reported. Depends only on that state and on the row, never on the event that led
 * here, so events may come in any order and any number of times. The billing of the workspace must be locked.
 */
export async function applyProviderState(deps: Deps, tx: Tx, before: SubscriptionRow, remote: ProviderSubscription) {
  const now = deps.clock.now()
  if (!isLive(before.status)) return applyAfterEnd(deps, tx, before, remote)
  let row = await adoptTerms(deps, tx, await adoptIds(tx, before, remote), remote)
  const unwanted = remote.payments.filter((payment) => isUnwanted(before, payment))
  const renewal = unwanted.length > 0 ? undefined : renewalOf(row, remote)
  for (const payment of remote.payments) {
    if (unwanted.includes(payment)) continue
    const isOfRenewal = payment.period && payment.period.start >= row.current_period_end
    await applyPayment(deps, tx, isOfRenewal ? { ...row, ...renewal } : row, null, payment)
  }
  // Last, as the ledger is locked after the series of invoices everywhere.
  for (const payment of unwanted) await returnPayment(deps, tx, row, payment)
  if (isExtended(row, now) && isUnpaid(remote)) return row
  const name = transitionTo({ ...row, ...renewal }, remote, now)
  if (name === 'miss_payment') {
    row = await missPayment(deps, tx, row, remote.failed_payment, renewal)
  } else if (name === 'cancel_now' || name === 'expire') {
    row = await endSubscription(deps, tx, system(row.workspace_id), row, name, renewal)
  } else if (name) {
    row = await changeSubscription(deps, tx, system(row.workspace_id), name, row, {
      ...renewal,
      ...(name === 'request_cancel' && { cancel_at_period_end: true, cancel_requested_at: now }),
      failed_payment_url: null,
    })
  } else if (renewal && !isUnpaid(remote)) {
    row = await changeSubscription(deps, tx, system(row.workspace_id), 'pay', row, renewal)
  }
  return row
}

/** Makes a subscription past due, with a deadline, and announces it. `renewal`: columns of the period that is not paid. */
async function missPayment(
  deps: Deps,
  tx: Tx,
  row: SubscriptionRow,
  failed_payment: ProviderSubscription['failed_payment'],
  renewal: ReturnType<typeof renewalOf>,
) {
  const now = deps.clock.now()
  const grace = (await deps.options.get('billing.grace_days', tx)) * DAY
  const after = await changeSubscription(deps, tx, system(row.workspace_id), 'miss_payment', row, {
    ...renewal,
    past_due_at: now,
    past_due_deadline: new Date(now.getTime() + grace),
    failed_payment_url: failed_payment?.pay_url ?? null,
  })
  await announceFailure(deps, tx, after, { failed_payment })
  return after
}

/**
 * Ends the paid time of a subscription that its provider does not know, as after a change of the provider's account: no
 * payment will come. The billing of the workspace must be locked.
 */
export async function applyAbsence(deps: Deps, tx: Tx, row: SubscriptionRow) {
  const now = deps.clock.now()
  const isCharged = row.current_period_end.getTime() + CHARGE_MS <= now.getTime()
  if (!row.provider_subscription_id || !isLive(row.status) || !isCharged || isExtended(row, now)) return row
  if (row.cancel_at_period_end) return endSubscription(deps, tx, system(row.workspace_id), row, 'cancel_now')
  return row.status === 'past_due' ? row : missPayment(deps, tx, row, null, undefined)
}

/** Whether an instance admin granted an extension that has not ended. */
const isExtended = ({ extended_until }: SubscriptionRow, now: Date) => extended_until !== null && extended_until > now

const isUnpaid = ({ status }: ProviderSubscription) => status === 'past_due' || status === 'expired'

/** Whether a payment, which was unknown until the end, is for time that gives no access any more. */
const isForAfterEnd = ({ ended_at }: SubscriptionRow, { paid_at, period }: ProviderPayment) =>
  ended_at !== null && (paid_at > ended_at || (period !== null && period.end > ended_at))

/** Payments of an ended subscription never grant access again. */
async function applyAfterEnd(deps: Deps, tx: Tx, row: SubscriptionRow, remote: ProviderSubscription) {
  const returned = remote.payments.filter((payment) => isForAfterEnd(row, payment) || isUnwanted(row, payment))
  for (const payment of remote.payments)
    if (!returned.includes(payment)) await applyPayment(deps, tx, row, null, payment)
  for (const payment of returned) await returnPayment(deps, tx, row, payment)
  return row
}

const returnPayment = (deps: Deps, tx: Tx, subscription: SubscriptionRow, payment: ProviderPayment) =>
  recordPayment(deps, tx, { subscription, checkout: null, payment, use: 'unapplied' })

/** Whether the provider changes prices by itself, so that a price that was changed there is taken over. */
export const prorates = ({ provider, billing_period }: Pick<SubscriptionRow, 'provider' | 'billing_period'>) =>
  providerOf(provider).changesPlan(billing_period, billing_period) === 'prorate'

/**
 * Takes over the id of the subscription, which changes where a provider replaces a subscription to change it, the price
 * that it began with, and whether a provider that only cancels at once has done so.
 */
async function adoptIds(tx: Tx, row: SubscriptionRow, remote: ProviderSubscription): Promise<SubscriptionRow> {
  const { cancelsAtPeriodEnd } = providerOf(row.provider)
  const ids = {
    provider_subscription_id: remote.id,
    price_ref: prorates(row) ? null : (row.price_ref ?? remote.price_ref),
    provider_cancel_at_period_end: cancelsAtPeriodEnd
      ? row.provider_cancel_at_period_end
      : remote.status === 'canceled',
  }
  if (
    ids.provider_subscription_id === row.provider_subscription_id &&
    ids.price_ref === row.price_ref &&
    ids.provider_cancel_at_period_end === row.provider_cancel_at_period_end
  )
    return row
  await tx.updateTable('subscription').set(ids).where('id', '=', row.id).execute()
  return { ...row, ...ids }
}

/** Columns of the period that follows, if it is paid, with the change that was planned for it. */
function renewalOf(row: SubscriptionRow, { period, price_ref }: ProviderSubscription) {
  if (!period || period.end <= row.current_period_end) return undefined
  const periods = { current_period_start: period.start, current_period_end: period.end }
  if (!row.pending_plan_code || price_ref !== row.pending_price_ref) return periods
  return {
    ...periods,
    plan_code: row.pending_plan_code,
    billing_period: row.pending_period ?? row.billing_period,
    amount: row.pending_amount ?? row.amount,
    price_ref: prorates(row) ? null : price_ref,
    ...noPendingChange,
  }
}

/** Takes over what was changed at the provider: the customer, the end with the period, the price. */
async function adoptTerms(deps: Deps, tx: Tx, row: SubscriptionRow, remote: ProviderSubscription) {
  const actor = system(row.workspace_id)
  let after = row
  const { cancel_at_period_end } = remote
  // While a payment is missing, a cancellation at the provider is left there. It is taken over after the payment.
  const isFollowed = providerOf(row.provider).cancelsAtPeriodEnd && row.status !== 'past_due'
  if (isFollowed && cancel_at_period_end !== row.provider_cancel_at_period_end) {
    after = { ...after, provider_cancel_at_period_end: cancel_at_period_end }
    await tx
      .updateTable('subscription')
      .set({ provider_cancel_at_period_end: cancel_at_period_end })
      .where('id', '=', row.id)
      .execute()
    if (cancel_at_period_end !== row.cancel_at_period_end)
      after = await changeSubscription(deps, tx, actor, cancel_at_period_end ? 'request_cancel' : 'resume', after, {
        cancel_at_period_end,
        cancel_requested_at: cancel_at_period_end ? deps.clock.now() : null,
      })
  }
  // Elsewhere prices are changed by Meydan only. A planned change applies with its period.
  if (!prorates(row) || (row.pending_price_ref && remote.price_ref === row.pending_price_ref)) return after
  const sold = await planOfPrice(tx, row.provider, remote.price_ref, row.billing_currency)
  if (
    sold &&
    (sold.plan_code !== after.plan_code || sold.period !== after.billing_period) &&
    after.status !== 'past_due'
  )
    after = await changeSubscription(deps, tx, actor, 'change_plan', after, {
      provider_customer_id: remote.customer_id ?? row.provider_customer_id,
      plan_code: sold.plan_code,
      billing_period: sold.period,
      amount: String(sold.amount),
      ...noPendingChange,
      ...(remote.period && {
        current_period_start: remote.period.start,
        // An extension is not shortened.
        current_period_end: new Date(Math.max(remote.period.end.getTime(), row.extended_until?.getTime() ?? 0)),
      }),
    })
  return after
}
