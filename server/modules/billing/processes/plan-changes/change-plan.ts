import type { Static } from 'typebox'
import { problem } from '../../../../errors.ts'
import { inTransaction, type Tx } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { withdrawOpenPayments } from '../../checkouts/close-checkout.ts'
import { insertCheckout } from '../../checkouts/insert-checkout.ts'
import { openCheckout } from '../../checkouts/open-checkout.ts'
import { assertBuyer } from '../../checkouts/terms.ts'
import { enqueueSubscriptionSync } from '../../providers/enqueue-sync.ts'
import { ProviderError } from '../../providers/provider.ts'
import { problemOf } from '../../providers/provider-problem.ts'
import { providerOf } from '../../providers/registry.ts'
import { recordOf as checkoutRecord, readRow } from '../../records/checkouts.ts'
import { lockBilling } from '../../records/lock.ts'
import type { PlanChange } from '../../records/subscriptions.schema.ts'
import { findLive, recordOf, requireLive, type SubscriptionRow } from '../../records/subscriptions.ts'
import { CHANGE_BEFORE_MS, renewalDueAgain } from '../../records/timers.ts'
import { changeSubscription, noPendingChange } from '../../subscriptions/change-subscription.ts'
import { prorates } from '../apply-provider-state.ts'
import { completeCheckout } from '../settle-checkout.ts'
import { syncSubscription } from '../sync-subscription.ts'
import { claimChange, isChanging, releaseChange } from './change-claim.ts'
import {
  asPaid,
  type ChangeTerms,
  priceAtProvider,
  quoteAtProvider,
  type Target,
  termsOfChange,
} from './change-terms.ts'
import { assertAsShown, pricedAt } from './preview-change.ts'

/**
 * Changes the plan. A larger one applies now, and its price minus the unused part of the present one is paid; a smaller
 * one applies from the next period. Choosing the present plan takes a waiting change back.
 */
export async function changePlan(deps: Deps, caller: Member, input: Static<typeof PlanChange>) {
  const quote = await quoteOf(deps, caller, input)
  const next = await inTransaction(deps.db, async (tx) => {
    await lockBilling(tx, caller.workspace_id)
    const row = await asPaid(deps, tx, await requireLive(tx, caller.workspace_id))
    if (await isChanging(tx, row.id))
      throw problem('invalid_transition', {
        detail: 'Another change is being carried out. Try again in a minute.',
        extra: { state: row.status },
      })
    const at = pricedAt(row, input.shown, deps.clock.now())
    const terms = await termsOfChange(tx, row, input, at)
    assertAsShown(row, terms, input.shown, quote)
    if (terms.by === 'present' && isCarriedOut(row, deps.clock.now()))
      throw problem('invalid_transition', {
        detail: 'The planned change is being carried out. Choose a plan again when the next period has begun.',
      })
    if (terms.by === 'present') return { done: row.pending_plan_code ? await undoChange(deps, tx, caller, row) : row }
    if (terms.by === 'renewal') return { done: await scheduleChange(deps, tx, caller, row, terms.target) }
    if (terms.by === 'provider') {
      const price = priceAtProvider(row, terms.target)
      await claimChange(deps, tx, row.id)
      return { atProvider: { row, price, at } }
    }
    if (terms.amount > 0n) assertBuyer(providerOf(row.provider), input.buyer)
    return { checkout: await checkoutOfChange(deps, tx, caller, row, terms) }
  })
  if (next.atProvider) return changeAtProvider(deps, caller, next.atProvider)
  if (!next.checkout) return { subscription: await requireLiveRecord(deps, caller.workspace_id), checkout: null }
  const checkout = await openCheckout(deps, caller, next.checkout.row, {
    isNew: next.checkout.isNew,
    buyer: input.buyer,
  })
  const subscription = await requireLiveRecord(deps, caller.workspace_id)
  return { subscription, checkout: checkout.status === 'open' ? await checkoutRecord(deps, checkout) : null }
}

const requireLiveRecord = (deps: Deps, workspace_id: string) =>
  inTransaction(deps.db, async (tx) => recordOf(tx, deps, await requireLive(tx, workspace_id)))

/** Asks the provider about the change, before anything is written or paid. */
async function quoteOf(deps: Deps, { workspace_id }: Member, input: Static<typeof PlanChange>) {
  const live = await findLive(deps.db, workspace_id)
  if (!live) return undefined
  const row = await asPaid(deps, deps.db, live)
  const at = pricedAt(row, input.shown, deps.clock.now())
  const terms = await termsOfChange(deps.db, row, input, at)
  return { row, charge: await quoteAtProvider(deps, row, terms, at) }
}

/** Whether the provider may have the price of the planned change already: the former one would be a change now. */
const isCarriedOut = (row: SubscriptionRow, now: Date) =>
  row.pending_plan_code !== null &&
  prorates(row) &&
  now.getTime() >= row.current_period_end.getTime() - CHANGE_BEFORE_MS

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

async function checkoutOfChange(
  deps: Deps,
  tx: Tx,
  caller: Member,
  row: SubscriptionRow,
  { target, amount, credit }: Extract<ChangeTerms, { by: 'checkout' }>,
) {
  const checkout = await insertCheckout(deps, tx, caller, {
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
    ...(credit > 0n && {
      credit: String(credit),
      credit_plan_code: row.plan_code,
      credit_period: row.billing_period,
    }),
  })
  if (checkout.row.kind !== 'none') return checkout
  await completeCheckout(deps, tx, checkout.row, null)
  return { ...checkout, row: await readRow(tx, checkout.row.id) }
}

type AtProvider = { row: SubscriptionRow; price: ReturnType<typeof priceAtProvider>; at: Date }

/** The provider charges the difference at once. After a lost response, the job reads what it did. */
async function changeAtProvider(deps: Deps, caller: Member, { row, price, at }: AtProvider) {
  try {
    const key = `change:${row.id}:${deps.clock.now().getTime()}`
    await providerOf(row.provider).changePrice(deps, { ...price, at, when: 'now', key })
  } catch (error) {
    if (error instanceof ProviderError && error.kind !== 'unknown') await releaseChange(deps, row.id)
    throw problemOf(error)
  }
  await syncSubscription(deps, { subscription_id: row.id })
  await releaseChange(deps, row.id)
  return { subscription: await requireLiveRecord(deps, caller.workspace_id), checkout: null }
}
