import { sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { lockBilling } from '../lock.ts'
import type { ProviderSubscription } from '../providers/provider.ts'
import { planOfPrice, priceRefOf, providerOf } from '../providers/registry.ts'
import { applyProviderState } from './apply-provider-state.ts'
import { readSubscriptionRow, type SubscriptionRow } from './subscriptions.ts'
import { CANCEL_BEFORE_MS, CHANGE_BEFORE_MS } from './timers.ts'
import { isLive } from './transitions.ts'

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
    // A later call read a later state, or a new checkout replaced the subscription at the provider.
    const isOutdated = current.sync_count !== row.sync_count || current.provider_subscription_id !== id
    if (!isOutdated) await applyProviderState(deps, tx, current, state)
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

/**
 * Whether the provider must get another price for the next period now: shortly before it charges that, or at once after
 * a change that was paid apart.
 */
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
