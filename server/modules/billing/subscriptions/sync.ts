import { sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import { system } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { toMajor } from '../../../lib/money.ts'
import { mailAdmins } from '../billing-mails.ts'
import { applyPayment } from '../checkout/settle.ts'
import { lockBilling } from '../lock.ts'
import { recordPayment } from '../payments/payments.ts'
import type { ProviderSubscription } from '../providers/provider.ts'
import { planOfPrice, priceRefOf, providerOf } from '../providers/registry.ts'
import { changeSubscription, type SubscriptionRow } from './change.ts'
import { readSubscriptionRow, recordOf } from './subscriptions.ts'
import { CANCEL_BEFORE_MS, CHANGE_BEFORE_MS } from './timers.ts'
import { isLive, type Status, type TransitionName } from './transitions.ts'

const DAY = 86_400_000

/**
 * Makes the provider's subscription and ours agree: carries out what was decided here, then applies what happened
 * there. Idempotent, so every event, timer and nightly comparison runs it.
 */
export async function syncSubscription(deps: Deps, { subscription_id }: { subscription_id: string }) {
  const row = await beginSync(deps, subscription_id)
  const { provider_subscription_id: id } = row
  const provider = providerOf(row.provider)
  if (!id || !provider.renews) return
  let remote = await provider.readSubscription(deps, id)
  if (!remote) return
  const isLiveThere = remote.status !== 'canceled' && remote.status !== 'expired'
  if (isLiveThere && (!isLive(row.status) || mustEndThere(row, deps.clock.now()))) {
    await provider.cancelNow(deps, id)
    remote = await provider.readSubscription(deps, id)
  } else if (isLiveThere && provider.cancelsAtPeriodEnd && wantsOtherEnd(row, remote)) {
    await provider.setCancelAtPeriodEnd(deps, id, row.cancel_at_period_end)
    remote = await provider.readSubscription(deps, id)
  }
  if (remote && isLiveThere && (await hasOtherPrice(deps, row, remote))) {
    const price_ref = await nextPrice(deps, row)
    const changed = await provider.changePrice(deps, {
      id: remote.id,
      price_ref,
      when: 'at_renewal',
      key: `renewal:${row.id}:${row.current_period_end.toISOString()}`,
    })
    remote = await provider.readSubscription(deps, changed.id)
  }
  const state = remote
  if (!state) return
  await inTransaction(deps.db, async (tx) => {
    if (row.workspace_id) await lockBilling(tx, row.workspace_id)
    const current = await readSubscriptionRow(tx, row.id)
    // A later call read a later state.
    if (current.sync_count === row.sync_count) await applyProviderState(deps, tx, current, state)
  })
}

/** Counts the call, so that of several at once only the last one to begin applies what it reads. */
async function beginSync({ db }: Pick<Deps, 'db'>, id: string) {
  const row = await db
    .updateTable('subscription')
    .set({ sync_count: sql`sync_count + 1` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** The provider's price that the next period must have. */
async function nextPrice({ db }: Pick<Deps, 'db'>, row: SubscriptionRow) {
  const code = row.pending_plan_code ?? row.plan_code
  const period = row.pending_period ?? row.billing_period
  const plan = await db.selectFrom('plan').selectAll().where('code', '=', code).executeTakeFirstOrThrow()
  return priceRefOf(providerOf(row.provider), plan, { period, currency: row.billing_currency })
}

/** Whether the provider must get another price for the next period now: shortly before it charges that, or at once after a change that was paid apart. */
async function hasOtherPrice(deps: Deps, row: SubscriptionRow, remote: ProviderSubscription) {
  if (row.pending_plan_code && deps.clock.now().getTime() < row.current_period_end.getTime() - CHANGE_BEFORE_MS)
    return false
  const { changesPlan } = providerOf(row.provider)
  if (!row.pending_plan_code && changesPlan(row.billing_period, row.billing_period) === 'prorate') return false
  const sold = await planOfPrice(deps.db, row.provider, remote.price_ref, row.billing_currency)
  const code = row.pending_plan_code ?? row.plan_code
  return sold?.plan_code !== code || sold.period !== (row.pending_period ?? row.billing_period)
}

/** Whether a provider that cannot end a subscription with its period must end it now, before its next charge. */
const mustEndThere = (row: SubscriptionRow, now: Date) =>
  row.cancel_at_period_end &&
  !providerOf(row.provider).cancelsAtPeriodEnd &&
  now.getTime() >= row.current_period_end.getTime() - CANCEL_BEFORE_MS

/** Whether our flag was changed since the provider's was seen last. A flag that was changed there instead is adopted. */
const wantsOtherEnd = (row: SubscriptionRow, remote: ProviderSubscription) =>
  row.cancel_at_period_end !== remote.cancel_at_period_end &&
  remote.cancel_at_period_end === row.provider_cancel_at_period_end

/** The transition that a status of the provider means for ours; undefined: none. */
function transitionTo(row: SubscriptionRow, remote: ProviderSubscription, now: Date): TransitionName | undefined {
  const ends: Partial<Record<ProviderSubscription['status'], TransitionName | undefined>> = {
    canceled: row.cancel_at_period_end && row.current_period_end > now ? undefined : 'cancel_now',
    expired: 'expire',
  }
  const to = remote.status as Status
  if (remote.status in ends) return ends[remote.status]
  if (to === 'active' && row.status !== 'active') return 'pay'
  if (to === 'past_due' && row.status !== 'past_due') return 'miss_payment'
}

/**
 * Applies the state that the provider reported. Depends only on that state and on the row, never on the event that led
 * here, so events may come in any order and any number of times. The billing of the workspace must be locked.
 */
export async function applyProviderState(deps: Deps, tx: Tx, before: SubscriptionRow, remote: ProviderSubscription) {
  const now = deps.clock.now()
  if (!isLive(before.status)) return applyAfterEnd(deps, tx, before, remote)
  let row = await adoptTerms(deps, tx, before, remote)
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
      pending_plan_code: null,
      pending_period: null,
      pending_amount: null,
      ...(remote.period && {
        current_period_start: remote.period.start,
        current_period_end: remote.period.end,
        ...(sold.period !== row.billing_period && { anchor: remote.period.start }),
      }),
    })
  return after
}

/** Tells webhooks and admins that a payment is missing, with the deadline. */
export async function announceFailure(
  deps: Deps,
  tx: Tx,
  row: SubscriptionRow,
  { failed_payment }: Pick<ProviderSubscription, 'failed_payment'>,
) {
  if (!row.workspace_id) return
  const subscription = await recordOf(tx, deps, row)
  const amount = failed_payment?.amount ?? BigInt(row.amount)
  await emit(
    tx,
    'billing.payment_failed',
    row.workspace_id,
    {
      subscription,
      amount: toMajor(amount),
      currency: row.billing_currency,
      reason: failed_payment?.message.slice(0, 400) ?? null,
    },
    deps.clock.now(),
  )
  await mailAdmins(tx, deps, row, 'billing-failed', { amount })
}
