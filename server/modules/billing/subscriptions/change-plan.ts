import type { Static } from 'typebox'
import { invalid, problem } from '../../../errors.ts'
import { type Db, inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { recordOf as checkoutRecord, readRow } from '../checkout/checkouts.ts'
import { withdrawOpenPayments } from '../checkout/close-checkout.ts'
import { insertCheckout } from '../checkout/insert-checkout.ts'
import { openCheckout } from '../checkout/open-checkout.ts'
import { completeCheckout } from '../checkout/settle-checkout.ts'
import { assertBuyer, priceOf } from '../checkout/terms.ts'
import { enqueueSubscriptionSync } from '../enqueue-sync.ts'
import { lockBilling } from '../lock.ts'
import type { Period } from '../providers/provider.ts'
import { problemOf } from '../providers/provider-problem.ts'
import { priceRefOf, providerOf } from '../providers/registry.ts'
import { changeSubscription, noPendingChange } from './change-subscription.ts'
import { unused } from './periods.ts'
import type { PlanChange } from './subscriptions.schema.ts'
import { findLive, recordOf, requireLive, type SubscriptionRow } from './subscriptions.ts'
import { syncSubscription } from './sync-subscription.ts'
import { renewalDueAgain } from './timers.ts'

/** More money for the same time, or a longer period, applies now; less applies from the next period. */
const appliesNow = (row: SubscriptionRow, period: Period, amount: bigint) =>
  period === row.billing_period ? amount > BigInt(row.amount) : period === 'yearly'

/**
 * Changes the plan. A larger one applies now, and its price minus the unused part of the present one is paid; a smaller
 * one applies from the next period. Choosing the present plan takes a waiting change back.
 */
export async function changePlan(deps: Deps, caller: Member, input: Static<typeof PlanChange>) {
  await checkTarget(deps, caller, input)
  const next = await inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, caller.workspace_id)
    const row = await requireLive(tx, caller.workspace_id)
    const target = await targetOf(tx, row, input)
    if (!target) return { done: row.pending_plan_code ? await undoChange(deps, tx, caller, row) : row }
    if (!target.isNow) return { done: await scheduleChange(deps, tx, caller, row, target) }
    if (providerOf(row.provider).changesPlan(row.billing_period, target.period) === 'prorate')
      return { atProvider: { row, target } }
    return { checkout: await checkoutOfChange(deps, tx, caller, row, { ...target, buyer: input.buyer }) }
  })
  if (next.atProvider) return changeAtProvider(deps, caller, next.atProvider)
  if (!next.checkout) return { subscription: await recordOf(deps.db, deps, next.done), checkout: null }
  const checkout = await openCheckout(deps, caller, next.checkout.row, {
    isNew: next.checkout.isNew,
    buyer: input.buyer,
  })
  const subscription = await requireLiveRecord(deps, caller.workspace_id)
  return { subscription, checkout: checkout.status === 'open' ? await checkoutRecord(deps, checkout) : null }
}

const requireLiveRecord = (deps: Deps, workspace_id: string) =>
  inTransaction(deps.db, async (tx) => recordOf(tx, deps, await requireLive(tx, workspace_id)))

type Target = {
  plan_code: string
  period: Period
  amount: bigint
  /** Id of the price at the provider. Null if it needs none. */
  price_ref: string | null
  isNow: boolean
}

/** The plan that was chosen; undefined if it is the present one. Throws if the subscription cannot change to it. */
async function targetOf(db: Db, row: SubscriptionRow, input: Static<typeof PlanChange>): Promise<Target | undefined> {
  if (row.status === 'past_due')
    throw problem('invalid_transition', { detail: 'Pay what is open first.', extra: { state: row.status } })
  const period = input.period ?? row.billing_period
  if (input.plan_code === row.plan_code && period === row.billing_period) return undefined
  const { amount, plan } = await priceOf(db, input.plan_code, period, row.billing_currency)
  if (amount === 0n) throw invalid('/plan_code', 'This plan costs nothing. Cancel the subscription instead.')
  const isNow = appliesNow(row, period, amount)
  if (isNow && row.cancel_at_period_end)
    throw problem('invalid_transition', { detail: 'Resume the subscription first.', extra: { state: 'canceled' } })
  if (!isNow && beginsAnew(row, { period }))
    throw problem('period_not_changed', { detail: 'Cancel the subscription, and start another when it has ended.' })
  const price_ref = priceRefOf(providerOf(row.provider), plan, { period, currency: row.billing_currency })
  return { plan_code: plan.code, period, amount, price_ref: price_ref || null, isNow }
}

/** Refuses a plan whose price at the provider differs from its price here, before anything is written or paid. */
async function checkTarget(deps: Deps, { workspace_id }: Member, input: Static<typeof PlanChange>) {
  const row = await findLive(deps.db, workspace_id)
  if (!row) return
  const target = await targetOf(deps.db, row, input)
  if (!target?.price_ref) return
  const { price_ref, period, amount } = target
  const replaces = period === row.billing_period ? row.price_ref : null
  try {
    const price = { price_ref, period, amount, currency: row.billing_currency, replaces }
    await providerOf(row.provider).checkPrice(deps, price)
  } catch (error) {
    throw problemOf(error)
  }
}

async function undoChange(deps: Deps, tx: Tx, caller: Member, row: SubscriptionRow) {
  await withdrawOpenPayments(deps, tx, row)
  const after = await changeSubscription(deps, tx, caller, 'undo_change', row, {
    ...noPendingChange,
    ...renewalDueAgain(row),
  })
  await enqueueSubscriptionSync(tx, row.id)
  return after
}

async function scheduleChange(
  deps: Deps,
  tx: Tx,
  caller: Member,
  row: SubscriptionRow,
  { plan_code, period, amount, price_ref }: Target,
) {
  await withdrawOpenPayments(deps, tx, row)
  return changeSubscription(deps, tx, caller, 'schedule_change', row, {
    pending_plan_code: plan_code,
    pending_period: period,
    pending_amount: String(amount),
    pending_price_ref: price_ref,
    ...renewalDueAgain(row),
  })
}

/** Whether the provider can change the period only by another subscription, which begins with its full price. */
const beginsAnew = ({ provider, billing_period }: SubscriptionRow, { period }: Pick<Target, 'period'>) =>
  providerOf(provider).renews && providerOf(provider).changesPlan(billing_period, period) === 'none'

/**
 * What a change costs now: the difference until the end of the period, or a new period minus what is left of the old one.
 * Where another subscription begins, what is left is refunded after its payment. Nothing is left of a trial.
 */
function dueNow(row: SubscriptionRow, target: Target, now: Date) {
  if (beginsAnew(row, target)) return target.amount
  const isSamePeriod = target.period === row.billing_period
  if (row.status === 'trialing') return isSamePeriod ? 0n : target.amount
  const rest = { start: row.current_period_start, end: row.current_period_end }
  const credit = unused(BigInt(row.amount), rest, now)
  const due = isSamePeriod ? unused(target.amount, rest, now) : target.amount
  return due > credit ? due - credit : 0n
}

type Bought = Target & { buyer: Static<typeof PlanChange>['buyer'] | undefined }

async function checkoutOfChange(deps: Deps, tx: Tx, caller: Member, row: SubscriptionRow, target: Bought) {
  const amount = dueNow(row, target, deps.clock.now())
  if (amount > 0n) assertBuyer(providerOf(row.provider), target.buyer)
  const made = await insertCheckout(deps, tx, caller, {
    purpose: 'change',
    subscription_id: row.id,
    plan_code: target.plan_code,
    billing_period: target.period,
    currency: row.billing_currency,
    amount: String(amount),
    period_amount: String(target.amount),
    price_ref: target.price_ref,
    trial_days: 0,
    provider: row.provider,
  })
  if (made.row.kind !== 'none') return made
  await completeCheckout(deps, tx, made.row, null)
  return { ...made, row: await readRow(tx, made.row.id) }
}

/** The provider charges the difference at once. After a lost response, the job reads what it did. */
async function changeAtProvider(deps: Deps, caller: Member, { row, target }: { row: SubscriptionRow; target: Target }) {
  const provider = providerOf(row.provider)
  const { provider_subscription_id: id } = row
  const { price_ref } = target
  if (!id || !price_ref) throw invalid('/plan_code', 'The subscription has no counterpart at the provider.')
  await inTransaction(deps.db, (tx) =>
    enqueueSubscriptionSync(tx, row.id, new Date(deps.clock.now().getTime() + 60_000)),
  )
  try {
    const key = `change:${row.id}:${deps.clock.now().getTime()}`
    await provider.changePrice(deps, { id, price_ref, when: 'now', key })
  } catch (error) {
    throw problemOf(error)
  }
  await syncSubscription(deps, { subscription_id: row.id })
  return { subscription: await requireLiveRecord(deps, caller.workspace_id), checkout: null }
}
