import { system } from '../../../lib/db/audit.ts'
import type { Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { applyPayment, recordPayment } from '../payments/payments.ts'
import type { ProviderSubscription } from '../providers/provider.ts'
import { planOfPrice, providerOf } from '../providers/registry.ts'
import { changeSubscription, noPendingChange } from './change-subscription.ts'
import { announceFailure } from './payment-failure.ts'
import type { SubscriptionRow } from './subscriptions.ts'
import { isLive, type TransitionName } from './transitions.ts'

const DAY = 86_400_000

/** The transition that a status of the provider means for ours; undefined: none. */
function transitionTo(row: SubscriptionRow, remote: ProviderSubscription, now: Date): TransitionName | undefined {
  const ends: Partial<Record<ProviderSubscription['status'], TransitionName | undefined>> = {
    canceled: row.cancel_at_period_end && row.current_period_end > now ? undefined : 'cancel_now',
    expired: 'expire',
  }
  if (remote.status in ends) return ends[remote.status]
  if (remote.status === 'active' && row.status !== 'active') return 'pay'
  if (remote.status === 'past_due' && row.status !== 'past_due') return 'miss_payment'
}

/**
 * Applies the state that the provider reported. Depends only on that state and on the row, never on the event that led
 * here, so events may come in any order and any number of times. The billing of the workspace must be locked.
 */
export async function applyProviderState(deps: Deps, tx: Tx, before: SubscriptionRow, remote: ProviderSubscription) {
  const now = deps.clock.now()
  if (!isLive(before.status)) return applyAfterEnd(deps, tx, before, remote)
  let row = await adoptTerms(deps, tx, await adoptId(tx, before, remote), remote)
  for (const payment of remote.payments) await applyPayment(deps, tx, row, null, payment)
  const name = transitionTo(row, remote, now)
  const grace = (await deps.options.get('billing.grace_days', tx)) * DAY
  const periods = remote.period &&
    remote.period.end > row.current_period_end && {
      current_period_start: remote.period.start,
      current_period_end: remote.period.end,
    }
  if (name === 'miss_payment') {
    row = await changeSubscription(deps, tx, system(row.workspace_id), name, row, {
      ...periods,
      past_due_at: now,
      past_due_deadline: new Date(now.getTime() + grace),
      failed_payment_url: remote.failed_payment?.pay_url ?? null,
    })
    await announceFailure(deps, tx, row, remote)
  } else if (name) {
    row = await changeSubscription(deps, tx, system(row.workspace_id), name, row, {
      ...periods,
      failed_payment_url: null,
    })
  } else if (periods) {
    row = await changeSubscription(deps, tx, system(row.workspace_id), 'pay', row, periods)
  }
  return row
}

/** Payments of an ended subscription never grant access again. */
async function applyAfterEnd(deps: Deps, tx: Tx, row: SubscriptionRow, remote: ProviderSubscription) {
  const paidLater = remote.payments.filter(({ paid_at }) => row.ended_at && paid_at > row.ended_at)
  for (const payment of remote.payments)
    if (paidLater.includes(payment))
      await recordPayment(deps, tx, { subscription: row, checkout: null, payment, use: 'unapplied' })
    else await applyPayment(deps, tx, row, null, payment)
  return row
}

/** A provider that replaces a subscription to change it gives it another id, which later events carry. */
async function adoptId(tx: Tx, row: SubscriptionRow, { id }: ProviderSubscription): Promise<SubscriptionRow> {
  if (id === row.provider_subscription_id) return row
  await tx.updateTable('subscription').set({ provider_subscription_id: id }).where('id', '=', row.id).execute()
  return { ...row, provider_subscription_id: id }
}

/** Takes over what was changed at the provider: the customer, the end with the period, the price. */
async function adoptTerms(deps: Deps, tx: Tx, row: SubscriptionRow, remote: ProviderSubscription) {
  const actor = system(row.workspace_id)
  let after = row
  const { cancel_at_period_end } = remote
  if (providerOf(row.provider).cancelsAtPeriodEnd && cancel_at_period_end !== row.provider_cancel_at_period_end) {
    after = { ...after, provider_cancel_at_period_end: cancel_at_period_end }
    await tx
      .updateTable('subscription')
      .set({ provider_cancel_at_period_end: cancel_at_period_end })
      .where('id', '=', row.id)
      .execute()
    if (cancel_at_period_end !== row.cancel_at_period_end && row.status !== 'past_due')
      after = await changeSubscription(deps, tx, actor, cancel_at_period_end ? 'request_cancel' : 'resume', after, {
        cancel_at_period_end,
        cancel_requested_at: cancel_at_period_end ? deps.clock.now() : null,
      })
  }
  // Elsewhere prices are changed by Meydan only.
  if (providerOf(row.provider).changesPlan(row.billing_period, row.billing_period) !== 'prorate') return after
  const sold = await planOfPrice(tx, row.provider, remote.price_ref, row.billing_currency)
  // The price of the next period is set at the provider shortly before that begins.
  const isPending =
    sold?.plan_code === after.pending_plan_code &&
    sold?.period === after.pending_period &&
    !(remote.period && remote.period.end > row.current_period_end)
  if (
    sold &&
    !isPending &&
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
        current_period_end: remote.period.end,
        ...(sold.period !== row.billing_period && { anchor: remote.period.start }),
      }),
    })
  return after
}
