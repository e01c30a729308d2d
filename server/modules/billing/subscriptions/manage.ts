import type { Static } from 'typebox'
import { invalid, problem } from '../../../errors.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { mailAdmins } from '../billing-mails.ts'
import { assertBuyer, recordOf as checkoutRecord, insertCheckout, priceOf, problemOf } from '../checkout/checkouts.ts'
import { withdrawOpenPayments } from '../checkout/close.ts'
import { openAtProvider } from '../checkout/open.ts'
import { completeCheckout } from '../checkout/settle.ts'
import { lockBilling } from '../lock.ts'
import type { Period } from '../providers/provider.ts'
import { priceRefOf, providerOf } from '../providers/registry.ts'
import { changeSubscription, type SubscriptionRow } from './change.ts'
import { enqueueSync } from './enqueue.ts'
import { unused } from './periods.ts'
import type { PlanChange } from './subscriptions.schema.ts'
import { recordOf, requireLive } from './subscriptions.ts'
import { syncSubscription } from './sync.ts'
import { issuedAgain } from './timers.ts'

/** Ends a subscription now, here and at its provider. */
export async function endSubscription(
  deps: Deps,
  tx: Tx,
  actor: Parameters<typeof changeSubscription>[2],
  row: SubscriptionRow,
  name: 'cancel_now' | 'expire',
) {
  await withdrawOpenPayments(deps, tx, row)
  const ended = await changeSubscription(deps, tx, actor, name, row, { failed_payment_url: null })
  await mailAdmins(tx, deps, { ...ended, current_period_end: deps.clock.now() }, 'billing-ended')
  await enqueueSync(tx, row.id)
  return ended
}

/** Ends the subscription with its period, or at once if its payment is missing. Repeating it changes nothing. */
export const cancelSubscription = (deps: Deps, caller: Member) =>
  inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, caller.workspace_id)
    const row = await requireLive(tx, caller.workspace_id)
    if (row.status === 'past_due') return recordOf(tx, deps, await endSubscription(deps, tx, caller, row, 'cancel_now'))
    if (row.cancel_at_period_end) return recordOf(tx, deps, row)
    await withdrawOpenPayments(deps, tx, row)
    const after = await changeSubscription(deps, tx, caller, 'request_cancel', row, {
      cancel_at_period_end: true,
      cancel_requested_at: deps.clock.now(),
    })
    await enqueueSync(tx, row.id)
    return recordOf(tx, deps, after)
  })

/** Columns of a subscription whose cancellation is taken back. */
export const resumed = (row: SubscriptionRow) => ({
  cancel_at_period_end: false,
  cancel_requested_at: null,
  is_canceled_with_workspace: false,
  ...issuedAgain(row),
})

/** Takes a cancellation back. Repeating it changes nothing. */
export const resumeSubscription = (deps: Deps, caller: Member) =>
  inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, caller.workspace_id)
    const row = await requireLive(tx, caller.workspace_id)
    if (!row.cancel_at_period_end) return recordOf(tx, deps, row)
    const after = await changeSubscription(deps, tx, caller, 'resume', row, resumed(row))
    await enqueueSync(tx, row.id)
    return recordOf(tx, deps, after)
  })

/** More money for the same time, or a longer period, applies now; less applies from the next period. */
const appliesNow = (row: SubscriptionRow, period: Period, amount: bigint) =>
  period === row.billing_period ? amount > BigInt(row.amount) : period === 'yearly'

/**
 * Changes the plan. A larger one applies now, and its price minus the unused part of the present one is paid; a smaller
 * one applies from the next period. Choosing the present plan takes a waiting change back.
 */
export async function changePlan(deps: Deps, caller: Member, input: Static<typeof PlanChange>) {
  const plan = await inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, caller.workspace_id)
    const row = await requireLive(tx, caller.workspace_id)
    if (row.status === 'past_due')
      throw problem('invalid_transition', { detail: 'Pay what is open first.', extra: { state: row.status } })
    const period = input.period ?? row.billing_period
    if (input.plan_code === row.plan_code && period === row.billing_period)
      return { done: row.pending_plan_code ? await undoChange(deps, tx, caller, row) : row }
    const { amount, plan } = await priceOf(tx, input.plan_code, period, row.billing_currency)
    if (amount === 0n) throw invalid('/plan_code', 'This plan costs nothing. Cancel the subscription instead.')
    const target = { plan_code: plan.code, period, amount, plan }
    if (!appliesNow(row, period, amount)) return { done: await scheduleChange(deps, tx, caller, row, target) }
    if (row.cancel_at_period_end)
      throw problem('invalid_transition', { detail: 'Resume the subscription first.', extra: { state: 'canceled' } })
    if (providerOf(row.provider).changesPlan(row.billing_period, period) === 'prorate')
      return { atProvider: { row, target } }
    assertBuyer(providerOf(row.provider), input.buyer)
    return { checkout: await checkoutOfChange(deps, tx, caller, row, target) }
  })
  if (plan.atProvider) return changeAtProvider(deps, plan.atProvider)
  if (!plan.checkout) return { subscription: await recordOf(deps.db, deps, plan.done), checkout: null }
  const checkout = await openAtProvider(deps, caller, plan.checkout.row, {
    isNew: plan.checkout.isNew,
    buyer: input.buyer,
  })
  const subscription = await requireLiveRecord(deps, caller)
  return { subscription, checkout: checkout.status === 'open' ? await checkoutRecord(deps, checkout) : null }
}

const requireLiveRecord = (deps: Deps, caller: Member) =>
  inTransaction(deps.db, async (tx) => recordOf(tx, deps, await requireLive(tx, caller.workspace_id)))

type Target = { plan_code: string; period: Period; amount: bigint; plan: Parameters<typeof priceRefOf>[1] }

async function undoChange(deps: Deps, tx: Tx, caller: Member, row: SubscriptionRow) {
  await withdrawOpenPayments(deps, tx, row)
  const after = await changeSubscription(deps, tx, caller, 'undo_change', row, {
    pending_plan_code: null,
    pending_period: null,
    pending_amount: null,
    ...issuedAgain(row),
  })
  await enqueueSync(tx, row.id)
  return after
}

async function scheduleChange(
  deps: Deps,
  tx: Tx,
  caller: Member,
  row: SubscriptionRow,
  { plan_code, period, amount }: Target,
) {
  await withdrawOpenPayments(deps, tx, row)
  return changeSubscription(deps, tx, caller, 'schedule_change', row, {
    pending_plan_code: plan_code,
    pending_period: period,
    pending_amount: String(amount),
    ...issuedAgain(row),
  })
}

/** A payment of the difference until the end of the period, or of a new period minus what is left of the old one. */
async function checkoutOfChange(deps: Deps, tx: Tx, caller: Member, row: SubscriptionRow, target: Target) {
  const now = deps.clock.now()
  const rest = { start: row.current_period_start, end: row.current_period_end }
  const credit = unused(BigInt(row.amount), rest, now)
  const due = target.period === row.billing_period ? unused(target.amount, rest, now) : target.amount
  // A provider that renews begins a new subscription at its full price; the rest of the old one is refunded.
  const { renews, changesPlan } = providerOf(row.provider)
  const beginsAnew = renews && changesPlan(row.billing_period, target.period) === 'none'
  const amount = beginsAnew ? target.amount : due > credit ? due - credit : 0n
  const made = await insertCheckout(deps, tx, caller, {
    purpose: 'change',
    subscription_id: row.id,
    plan_code: target.plan_code,
    billing_period: target.period,
    currency: row.billing_currency,
    amount: String(amount),
    period_amount: String(target.amount),
    trial_days: 0,
    provider: row.provider,
  })
  if (made.row.kind === 'none') await completeCheckout(deps, tx, made.row, null)
  return made
}

/** The provider charges the difference at once. After a lost response, the job reads what it did. */
async function changeAtProvider(deps: Deps, { row, target }: { row: SubscriptionRow; target: Target }) {
  const provider = providerOf(row.provider)
  const { provider_subscription_id: id, billing_currency } = row
  if (!id) throw invalid('/plan_code', 'The subscription has no counterpart at the provider.')
  const price_ref = priceRefOf(provider, target.plan, { period: target.period, currency: billing_currency })
  await inTransaction(deps.db, (tx) => enqueueSync(tx, row.id, new Date(deps.clock.now().getTime() + 60_000)))
  try {
    const { period, amount } = target
    await provider.checkPrice(deps, { price_ref, period, amount, currency: billing_currency })
    const changed = await provider.changePrice(deps, {
      id,
      price_ref,
      when: 'now',
      key: `change:${row.id}:${deps.clock.now().getTime()}`,
    })
    if (changed.id !== id)
      await deps.db
        .updateTable('subscription')
        .set({ provider_subscription_id: changed.id })
        .where('id', '=', row.id)
        .execute()
  } catch (error) {
    throw problemOf(error)
  }
  await syncSubscription(deps, { subscription_id: row.id })
  return {
    subscription: await inTransaction(deps.db, async (tx) =>
      recordOf(tx, deps, await requireLive(tx, row.workspace_id ?? '')),
    ),
    checkout: null,
  }
}
