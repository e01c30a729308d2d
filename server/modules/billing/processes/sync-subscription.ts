import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import { audit, changedFields, system } from '../../../lib/db/audit.ts'
import { inTransaction, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { ProviderError, type ProviderSubscription } from '../providers/provider.ts'
import { providerOf } from '../providers/registry.ts'
import { lockBilling } from '../records/lock.ts'
import { readSubscriptionRow, type SubscriptionRow } from '../records/subscriptions.ts'
import { CHANGE_BEFORE_MS, mustEndAtProvider } from '../records/timers.ts'
import { isLive } from '../records/transitions.ts'
import { applyAbsence, applyProviderState } from './apply-provider-state.ts'
import { endSubscription } from './cancel-and-resume.ts'
import { syncCheckout } from './settle-checkout.ts'

/** Action of the audit entry about a difference that the nightly comparison mended. */
export const REPAIRED = 'subscription.repaired'
const compared = ['status', 'plan_code', 'billing_period', 'current_period_end', 'cancel_at_period_end']

export type SyncPayload = {
  subscription_id: string
  /** Whether the nightly comparison enqueued it: a difference then means that an event was missed. */
  is_nightly?: boolean
}

/**
 * Makes a subscription agree with that of the provider: carries out what was decided here, then applies what happened
 * there. Idempotent, so every event, timer and nightly comparison runs it.
 */
export async function syncSubscription(deps: Deps, { subscription_id, is_nightly = false }: SyncPayload) {
  const row = await beginSync(deps, subscription_id)
  const state = await compare(deps, row)
  await inTransaction(deps.db, async (tx) => {
    if (row.workspace_id) await lockBilling(tx, row.workspace_id)
    const current = await readSubscriptionRow(tx, row.id)
    // A later call read a later state, or a new checkout replaced the subscription at the provider.
    const isReplaced = current.provider_subscription_id !== row.provider_subscription_id
    if (current.sync_count !== row.sync_count || isReplaced) return
    const applied = state ? await applyProviderState(deps, tx, current, state) : await applyAbsence(deps, tx, current)
    const changes = changedFields(current, applied, compared)
    if (is_nightly && !isDeepStrictEqual(changes.before, changes.after))
      await audit(tx, system(), REPAIRED, row.id, changes)
    await endUnpaid(deps, tx, applied)
  })
}

const isLiveAt = ({ status }: ProviderSubscription) => status !== 'canceled' && status !== 'expired'

/** Carries out at the provider what was decided here. Returns its state after that; null if it has no subscription. */
async function compare(deps: Deps, row: SubscriptionRow) {
  const { provider_subscription_id: id } = row
  const provider = providerOf(row.provider)
  if (!provider.renews) await syncRenewals(deps, row)
  if (!id || !provider.renews) return null
  let remote = await provider.readSubscription(deps, id)
  if (!remote) return null
  const isLiveThere = isLiveAt(remote)
  if (isLiveThere && (!isLive(row.status) || mustEndAtProvider(row, deps.clock.now()))) {
    await provider.cancelNow(deps, id)
    remote = await provider.readSubscription(deps, id)
    // The job fails, so that it runs again and is shown to instance admins.
    if (remote && !isLive(row.status) && isLiveAt(remote)) throw new Error('The provider has not ended it.')
  } else if (isLiveThere && provider.cancelsAtPeriodEnd && wantsOtherEnd(row, remote)) {
    await provider.setCancelAtPeriodEnd(deps, id, row.cancel_at_period_end)
    remote = await provider.readSubscription(deps, id)
  }
  const price_ref = remote && isLiveThere ? nextPrice(row, remote, deps.clock.now()) : null
  if (!remote || !price_ref || price_ref === remote.price_ref) return remote
  try {
    const changed = await provider.changePrice(deps, {
      id: remote.id,
      price_ref,
      when: 'at_renewal',
      key: `renewal:${row.id}:${row.current_period_end.toISOString()}`,
    })
    return await provider.readSubscription(deps, changed.id)
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'refused') throw error
    // Another sync may have changed the price since.
    const after = await provider.readSubscription(deps, id)
    if (after?.price_ref === price_ref) return after
    // Payments are applied all the same.
    deps.log.error({ err: error, subscription_id: row.id }, 'the provider refused the agreed price')
    return after
  }
}

/** Reads the open pages on which a renewal can be paid. */
async function syncRenewals(deps: Deps, { id }: SubscriptionRow) {
  const open = await deps.db
    .selectFrom('checkout')
    .select('id')
    .where('subscription_id', '=', id)
    .where('status', '=', 'open')
    .where('provider_ref', 'is not', null)
    .execute()
  for (const checkout of open) await syncCheckout(deps, { checkout_id: checkout.id })
}

/** Ends a subscription whose deadline has passed. Its provider was just read, so no payment is overlooked. */
async function endUnpaid(deps: Deps, tx: Tx, row: SubscriptionRow) {
  const { past_due_deadline: deadline } = row
  if (deadline && deadline <= deps.clock.now()) await endSubscription(deps, tx, system(row.workspace_id), row, 'expire')
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

/**
 * The price that the provider must have for the next period: the agreed one, or that of a planned change shortly before
 * it charges that. A period that it has charged already is not changed any more. Null: the provider decides.
 */
function nextPrice(row: SubscriptionRow, { period }: ProviderSubscription, now: Date) {
  if (!row.pending_plan_code) return row.price_ref
  if (period && period.end > row.current_period_end) return null
  return now.getTime() >= row.current_period_end.getTime() - CHANGE_BEFORE_MS ? row.pending_price_ref : row.price_ref
}

/** Whether our flag was changed since the provider's was seen last. A flag that was changed there instead is adopted. */
const wantsOtherEnd = (row: SubscriptionRow, remote: ProviderSubscription) =>
  row.cancel_at_period_end !== remote.cancel_at_period_end &&
  remote.cancel_at_period_end === row.provider_cancel_at_period_end
